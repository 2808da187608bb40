/**
 * Seam 3: how packets travel between devices. A link carries transport packets (from the BTH up to and including the
 * pad) between addresses; what lies below that, such as UDP and the ICRC, is the link's own business.
 *
 * <p>Read {@link dev.doorbell.soft.link.PacketLink} first.
 */
@NullMarked
package dev.doorbell.soft.link;

import org.jspecify.annotations.NullMarked;

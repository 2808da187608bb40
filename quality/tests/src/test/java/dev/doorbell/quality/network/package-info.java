/** The network that goes away and comes back: what becomes of a device, its port and the work on it. */
@NullMarked
package dev.doorbell.quality.network;

import org.jspecify.annotations.NullMarked;

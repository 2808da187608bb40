/** Unreliable connections, datagrams and multicast through the whole stack. */
@NullMarked
package dev.doorbell.quality.datagram;

import org.jspecify.annotations.NullMarked;

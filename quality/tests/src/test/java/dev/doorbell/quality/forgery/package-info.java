/** Strangers on the network: forged packets against devices in use, in memory and through real sockets. */
@NullMarked
package dev.doorbell.quality.forgery;

import org.jspecify.annotations.NullMarked;

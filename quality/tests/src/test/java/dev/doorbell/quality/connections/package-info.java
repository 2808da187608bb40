/** Programs that connect by address, from the library down to the messages between embedded devices. */
@NullMarked
package dev.doorbell.quality.connections;

import org.jspecify.annotations.NullMarked;

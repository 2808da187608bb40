/** Two connected queue pairs of the embedded devices, as every test of the whole stack needs them, and threads with a deadline. */
@NullMarked
package dev.doorbell.quality.stack;

import org.jspecify.annotations.NullMarked;

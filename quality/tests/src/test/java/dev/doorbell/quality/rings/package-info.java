/** Nothing travels past the rings: what the device executes, and what a program reads back, are the bytes that lie there. */
@NullMarked
package dev.doorbell.quality.rings;

import org.jspecify.annotations.NullMarked;

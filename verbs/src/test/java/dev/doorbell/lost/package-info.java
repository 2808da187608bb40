/** A program that loses what it opened; in a package of its own, as a user's program is. */
@NullMarked
package dev.doorbell.lost;

import org.jspecify.annotations.NullMarked;

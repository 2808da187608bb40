/** What wrong use gets: an error that says what was wrong, or a completion with an error; never a crash. */
@NullMarked
package dev.doorbell.quality.misuse;

import org.jspecify.annotations.NullMarked;

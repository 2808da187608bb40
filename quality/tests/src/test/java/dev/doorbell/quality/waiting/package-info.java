/** Waiting for completions and for asynchronous events: channels, blocked threads, selectors, and what is left behind. */
@NullMarked
package dev.doorbell.quality.waiting;

import org.jspecify.annotations.NullMarked;

/**
 * Queues over the whole stack: shared receive queues, completion queues that change their size or overflow, and what
 * becomes of outstanding work.
 */
@NullMarked
package dev.doorbell.quality.queues;

import org.jspecify.annotations.NullMarked;

/**
 * The verbs: devices, protection domains, memory regions, completion queues and queue pairs, with the vocabulary of
 * libibverbs spelled out.
 */
@NullMarked
package dev.doorbell.verbs;

import org.jspecify.annotations.NullMarked;

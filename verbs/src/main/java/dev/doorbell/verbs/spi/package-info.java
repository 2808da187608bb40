/**
 * Seam 1: what a user-mode driver (a <em>provider</em>) offers to the verbs API.
 *
 * <pre>
 *   Provider ── open(channel) ──▶ ProviderContext ──┬─▶ ProviderMemoryRegion
 *     match table, ABI range        queries, objects ├─▶ ProviderCompletionQueue   data path: next, fields
 *                                                    └─▶ ProviderQueuePair
 *                                                          ├─▶ SendQueue           data path: request, sge, commit
 *                                                          └─▶ ReceiveQueue
 * </pre>
 *
 * <p>The API above checks arguments, keeps lifetimes in order, counts capacity and holds the locks; a provider turns
 * what is left into commands and ring bytes. So a provider may assume: its objects are closed children first and once;
 * calls on one queue are serialised; sizes were checked against the limits that it reported.
 */
@NullMarked
package dev.doorbell.verbs.spi;

import org.jspecify.annotations.NullMarked;

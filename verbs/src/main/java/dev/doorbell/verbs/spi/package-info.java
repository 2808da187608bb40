/**
 * Seam 1: what a user-mode driver (a <em>provider</em>) offers to the verbs API.
 *
 * <pre>
 *   Provider ── open(channel) ──▶ ProviderContext ──┬─▶ ProviderMemoryRegion
 *     match table, ABI range        queries, objects ├─▶ ProviderMemoryWindow, ProviderAddressHandle
 *                                                    ├─▶ ProviderCompletionQueue   data path: next, fields
 *                                                    ├─▶ ProviderSharedReceiveQueue
 *                                                    │     └─▶ ReceiveQueue
 *                                                    └─▶ ProviderQueuePair
 *                                                          ├─▶ SendQueue           data path: request, sge, commit
 *                                                          └─▶ ReceiveQueue        unless it takes from a shared one
 * </pre>
 *
 * <p>The API above checks arguments, keeps lifetimes in order, counts capacity and holds the locks; a provider turns
 * what is left into commands and ring bytes. So a provider may assume: its objects are closed children first and once;
 * calls on one queue are serialised; sizes were checked against the limits that it reported.
 */
@NullMarked
package dev.doorbell.verbs.spi;

import org.jspecify.annotations.NullMarked;

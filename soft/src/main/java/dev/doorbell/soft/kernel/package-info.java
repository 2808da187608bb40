/**
 * The embedded kernel: contexts, objects and commands.
 *
 * <pre>
 *   SoftDevice ── open() ──▶ SoftContext            one per open device; a lock around its commands
 *     │ quotas, GID table      ├── CommandTable      uverbs command → sizes and handler (XxxCommands, one per family)
 *     │                        ├── Objects           handle → domain, region, queue, queue pair, channel
 *     │                        ├── RingStore         ring memory: slabs, and one-shot keys for mapping it
 *     │                        ├── Pins              memory that registrations may name
 *     │                        └── EventQueue        asynchronous events, completion channels
 *     ├── Engine (soft.hca)                          executes what the rings say
 *     └── SoftProgress ◀─ poll, ring, arrivals       who runs the engine: pollers by lease, or the background thread
 * </pre>
 *
 * <p>It answers the bytes of the uverbs write commands as Linux with the rxe driver does: same structs, same sizes, same
 * error numbers. It touches ring memory of its own, segments that a command passed, and segments that were pinned;
 * never an address that a program wrote somewhere.
 */
@NullMarked
package dev.doorbell.soft.kernel;

import org.jspecify.annotations.NullMarked;

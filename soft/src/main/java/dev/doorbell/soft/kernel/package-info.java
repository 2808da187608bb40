/**
 * The embedded kernel: contexts, objects and commands.
 *
 * <pre>
 *   SoftDevice ── open() ──▶ SoftContext            one per open device; a lock around its commands
 *     │ quotas, GID table      ├── CommandTable      uverbs command → sizes and handler (XxxCommands, one per family)
 *     │                        ├── Objects           handle → domain, region, completion queue, queue pair, file
 *     │                        ├── RingStore         ring memory: slabs, and one-shot keys for mapping it
 *     │                        ├── Pins              memory that registrations, and queues of the mlx5 kind, may name
 *     │                        ├── RegisterPages     what an mlx5 driver maps; plain memory
 *     │                        └── EventQueue        asynchronous events, completion channels
 *     ├── Hca (soft.hca)                             executes what the rings say
 *     └── Driving ◀─ poll, ring, wait, arrivals      who lends it a thread: LeasedDriving, or ConductedDriving in a simulation
 * </pre>
 *
 * <pre>
 *   RdmaCm ── open() ──▶ RdmaCmFile                 the connection manager of all devices, as a program has opened it
 *     │ ports, listeners   ├── CmXxxCommands          rdma_cm command → handler
 *     │                    ├── CmIdentifier           what a program has of a connection; CmIdState: how far it has got
 *     │                    └── EventQueue             events of the connection manager
 *     └── CmPort                                    a device: its queue pair number 1, and the agent behind it (soft.cm)
 * </pre>
 *
 * <p>A device has a {@code Personality}: which driver it is for. Where the two differ there is an {@code RxeXxxCommands} and an
 * {@code Mlx5XxxCommands}. An mlx5 device is told of posted work by stores that nobody sees: {@code PostedWork} looks.
 *
 * <p>It answers the bytes of the uverbs write commands, and of the rdma_cm commands, as Linux with the rxe driver does: same structs, same sizes, same
 * error numbers. It touches ring memory of its own, segments that a command passed, and segments that were pinned;
 * never an address that a program wrote somewhere.
 */
@NullMarked
package dev.doorbell.soft.kernel;

import org.jspecify.annotations.NullMarked;

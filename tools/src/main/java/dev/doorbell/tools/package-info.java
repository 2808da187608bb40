/**
 * The doorbell command: what it understands, and how it prints.
 *
 * <pre>
 *   DoorbellCommand ──▶ Subcommand ──┬── DevicesCommand
 *     exit codes, mistakes           ├── DevinfoCommand ── DeviceReport
 *                                    ├── AsyncwatchCommand ─ AsyncWatch
 *                                    ├── TourCommand ──── Tour ── TourStop...
 *                                    └── PingpongCommand ─ {@link dev.doorbell.tools.pingpong}
 * </pre>
 */
@NullMarked
package dev.doorbell.tools;

import org.jspecify.annotations.NullMarked;

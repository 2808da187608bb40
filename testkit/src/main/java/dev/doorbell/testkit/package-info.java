/**
 * Devices for tests: no hardware, no root, no sleeping, the same in every run.
 *
 * <pre>
 *   Fabric         two or more embedded devices joined in memory, for the verbs API; faults between them if wanted
 *   LinkModel      how fast the links between them are; at once unless wanted
 *   VirtualClock   their time, which only moves when somebody waits or a test moves it
 *   Loopback       addresses for devices on sockets, which no other process uses
 *   Property       runs a check with many seeds and says which one failed
 *   Draw           the numbers, choices and bytes that such a check draws
 * </pre>
 *
 * <p>Read {@link dev.doorbell.testkit.Fabric} first.
 */
@NullMarked
package dev.doorbell.testkit;

import org.jspecify.annotations.NullMarked;

/**
 * Tests that need Linux's own Soft-RoCE. They carry the tag {@code lab} and run in the kernel lab
 * ({@code quality/lab/run-suite}), whose guests have one device, {@code rxe0}, on the network device {@code lab0}.
 */
@NullMarked
package dev.doorbell.quality.linux;

import org.jspecify.annotations.NullMarked;

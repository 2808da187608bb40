/** Runs the suite, and keeps its documents true. */
@NullMarked
package dev.doorbell.conformance;

import org.jspecify.annotations.NullMarked;

/** From results to {@code docs/conformance.md}. */
@NullMarked
package dev.doorbell.conformance.report;

import org.jspecify.annotations.NullMarked;

/** What a case is handed to work with. Start with {@link dev.doorbell.conformance.bench.Bench}. */
@NullMarked
package dev.doorbell.conformance.bench;

import org.jspecify.annotations.NullMarked;

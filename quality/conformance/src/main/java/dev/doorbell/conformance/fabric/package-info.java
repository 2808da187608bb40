/** Where the suite runs: which two devices the sides A and B are. Start with {@link dev.doorbell.conformance.fabric.EmbeddedFabric}. */
@NullMarked
package dev.doorbell.conformance.fabric;

import org.jspecify.annotations.NullMarked;

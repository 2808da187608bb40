/** The doorbell command in processes of its own: what only the operating system sees between them. */
@NullMarked
package dev.doorbell.quality.processes;

import org.jspecify.annotations.NullMarked;

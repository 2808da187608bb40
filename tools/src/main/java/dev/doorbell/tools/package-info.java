/** The doorbell command: what it understands, and how it prints. */
@NullMarked
package dev.doorbell.tools;

import org.jspecify.annotations.NullMarked;

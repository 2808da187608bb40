/** Devices and interfaces that fail while programs are busy with them: errors and events come, and every work request comes back. */
@NullMarked
package dev.doorbell.quality.failure;

import org.jspecify.annotations.NullMarked;

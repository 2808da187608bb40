/**
 * What stands between a machine and its first message, looked at from the outside in.
 *
 * <p>Reading order: {@link dev.doorbell.tools.doctor.Finding}, {@link dev.doorbell.tools.doctor.Examination},
 * {@link dev.doorbell.tools.doctor.KnownSettings}.
 */
@NullMarked
package dev.doorbell.tools.doctor;

import org.jspecify.annotations.NullMarked;

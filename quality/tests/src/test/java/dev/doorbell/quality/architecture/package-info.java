/**
 * The architecture as tests: which folder may use which, where native memory and native calls live, and the house rules
 * that a compiler cannot check. Each rule says why it exists; read the reason before changing the rule.
 *
 * <ul>
 *   <li>{@link dev.doorbell.quality.architecture.DependencyDirectionTest}: the folders and the arrows between them
 *   <li>{@link dev.doorbell.quality.architecture.ForeignMemoryTest}: who may touch bytes, pointers and native code
 *   <li>{@link dev.doorbell.quality.architecture.PublicApiTest}: what a user of the verbs API sees
 *   <li>{@link dev.doorbell.quality.architecture.HouseStyleTest}: names, finality, and what product code does not do
 * </ul>
 */
@NullMarked
package dev.doorbell.quality.architecture;

import org.jspecify.annotations.NullMarked;

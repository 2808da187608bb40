/**
 * Tests that need more than one module: the architecture rules, simulations of two devices and more, fuzzing, misuse, and
 * the promises that the documents make.
 */
@NullMarked
package dev.doorbell.quality;

import org.jspecify.annotations.NullMarked;

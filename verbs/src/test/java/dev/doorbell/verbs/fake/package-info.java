/**
 * A kernel and a driver by somebody else: everything in memory, nothing borrowed from the product's drivers. They prove
 * that the seams are enough to stand on, and let the API's tests see what reaches a driver.
 */
@NullMarked
package dev.doorbell.verbs.fake;

import org.jspecify.annotations.NullMarked;

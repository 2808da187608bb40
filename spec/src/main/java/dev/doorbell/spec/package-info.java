/**
 * The words that the InfiniBand architecture, RoCE and the verbs share, with the numbers that they have everywhere: on
 * the wire, in kernel commands and in the API.
 */
@NullMarked
package dev.doorbell.spec;

import org.jspecify.annotations.NullMarked;

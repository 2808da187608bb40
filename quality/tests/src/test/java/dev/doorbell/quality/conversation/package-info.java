/** Long conversations of two devices under virtual time, with lost, doubled and late packets, held against a model. */
@NullMarked
package dev.doorbell.quality.conversation;

import org.jspecify.annotations.NullMarked;

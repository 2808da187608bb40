/**
 * What drivers have in common, because the kernel does it for all of them: uverbs commands without driver data, and how attributes
 * travel in them. A driver builds upon this; programs have no use for it.
 *
 * <p>A {@link dev.doorbell.verbs.uverbs.Command} is filled, sent, read and forgotten.
 */
@NullMarked
package dev.doorbell.verbs.uverbs;

import org.jspecify.annotations.NullMarked;

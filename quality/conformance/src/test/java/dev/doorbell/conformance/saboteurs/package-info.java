/**
 * Keeps the suite honest: deliberately wrong engines, each of which a named case must catch.
 *
 * <pre>
 *   resources/saboteurs/NAME.txt        what is wrong, which cases catch it, and the text to change
 *        |
 *     Saboteur ── changed sources ──► SabotagedClasses (javac in memory) ──► a class loader with the product, the suite
 *                                                                               and the changed classes in their place
 *                                                                                    |
 *   SaboteursTest: the named case fails there, and passes here  ◄────────── SabotagedRun
 * </pre>
 *
 * <p>A file looks like this. The text to find must occur exactly once in the classes below the folder (or file), or the test
 * says so; white space in it is free. Over sockets one of the cases must catch it too, unless a line
 * {@code not over sockets: REASON} says why none can; and through the mlx5 driver, unless there is a line
 * {@code not by mlx5: REASON}. What queues of rxe have for themselves is changed in those of mlx5 as well, by an edit more.
 *
 * <pre>
 *   What is wrong, in a sentence.
 *   catch rc.write.rkey-unknown on embedded-direct
 *   edit soft/src/main/java/dev/doorbell/soft/hca
 *   find
 *       region.lkey() == key
 *   with
 *       true
 *   end
 * </pre>
 */
@NullMarked
package dev.doorbell.conformance.saboteurs;

import org.jspecify.annotations.NullMarked;

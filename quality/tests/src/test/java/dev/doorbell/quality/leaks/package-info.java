/** What a program that ends in the middle of things leaves behind: nothing. */
@NullMarked
package dev.doorbell.quality.leaks;

import org.jspecify.annotations.NullMarked;

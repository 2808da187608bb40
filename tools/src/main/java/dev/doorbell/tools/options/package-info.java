/** What the programs' command lines have in common, whatever they play. */
@NullMarked
package dev.doorbell.tools.options;

import org.jspecify.annotations.NullMarked;

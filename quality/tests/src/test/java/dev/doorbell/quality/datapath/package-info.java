/** What the data path promises beyond results: no allocation, no system call, progress, order, no deadlock. */
@NullMarked
package dev.doorbell.quality.datapath;

import org.jspecify.annotations.NullMarked;

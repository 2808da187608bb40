/** One operation at a time, under JMH. Run with {@code quality/bench/run --jmh}. */
@NullMarked
package dev.doorbell.bench.jmh;

import org.jspecify.annotations.NullMarked;

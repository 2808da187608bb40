/** What connecting by address costs on embedded devices: {@code quality/bench/run cm}. */
@NullMarked
package dev.doorbell.bench.cm;

import org.jspecify.annotations.NullMarked;

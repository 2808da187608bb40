/**
 * What Doorbell costs, measured beside what the machine itself costs.
 *
 * <pre>
 *   FirstLight              the table: everything in turn, round after round; started by quality/bench/run
 *     CacheLinePingPong     two threads, a cache line each way: what any hand-over between two cores costs
 *     SendPingPong          two threads, two RC queue pairs, SEND of 8 bytes each way
 *     WritePostPoll         one thread, post and poll of 8-byte WRITEs
 *     CFloor                the same two shapes in C, without Doorbell
 *   jmh.*Benchmark          one operation at a time, under JMH: {@code quality/bench/run --jmh}
 * </pre>
 *
 * <p>Figures are compared only as ratios of rounds that were taken in turn: a machine's speed drifts more between two
 * minutes than most changes are worth.
 */
@NullMarked
package dev.doorbell.bench;

import org.jspecify.annotations.NullMarked;

package dev.doorbell.tools.perf;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;

/** Prints results as a table, in the columns of perftest. */
final class PerfReport {
    private final PrintStream out;

    PerfReport(PrintStream out, PerfOperation operation) {
        this.out = out;
        out.println(
                operation.isThroughput()
                        ? " #bytes     #iterations    BW average[MB/sec]   MsgRate[Mpps]"
                        : " #bytes     #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]"
                                + "    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]");
    }

    /** Of a latency test. */
    void latencies(PerfPlan plan, long[] samples) {
        Arrays.sort(samples);
        double average = Arrays.stream(samples).average().orElse(0);
        double variance = Arrays.stream(samples)
                .mapToDouble(sample -> (sample - average) * (sample - average))
                .average()
                .orElse(0);
        print(String.format(
                Locale.ROOT,
                " %-10d %-14d %-14.2f %-13.2f %-18.2f %-14.2f %-15.2f %-22.2f %.2f",
                plan.size(),
                plan.repetitions(),
                micros(samples[0]),
                micros(samples[samples.length - 1]),
                micros(percentile(samples, 0.5)),
                average / 1000,
                Math.sqrt(variance) / 1000,
                micros(percentile(samples, 0.99)),
                micros(percentile(samples, 0.999))));
    }

    /** Of a throughput test. */
    void throughput(PerfPlan plan, long ns) {
        double seconds = Math.max(1, ns) / 1e9;
        print(String.format(
                Locale.ROOT,
                " %-10d %-14d %-20.2f %.6f",
                plan.size(),
                plan.repetitions(),
                (double) plan.size() * plan.repetitions() / seconds / (1 << 20),
                plan.repetitions() / seconds / 1e6));
    }

    private void print(String row) {
        out.println(row);
        out.flush();
    }

    private static double micros(long ns) {
        return ns / 1000.0;
    }

    /** The smallest sample that this part of them does not exceed. */
    static long percentile(long[] sorted, double part) {
        return sorted[(int) Math.max(0, Math.ceil(part * sorted.length) - 1)];
    }
}

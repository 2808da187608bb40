package dev.doorbell.quality.interop;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * While something is going on that takes too long: says on standard error now and then what all threads are
 * at, and how busy they were.
 */
final class Overseer implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofSeconds(45);
    private static final int FRAMES = 14;

    private final CountDownLatch over = new CountDownLatch(1);
    private final Map<Thread, Long> cpuBefore = new HashMap<>();

    /** Begins to watch. */
    Overseer() {
        Thread.ofPlatform().daemon().name("overseer").start(this::watch);
    }

    private void watch() {
        long start = System.nanoTime();
        try {
            while (!over.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
                System.err.println("after " + (System.nanoTime() - start) / 1_000_000_000 + " s");
                Thread.getAllStackTraces().forEach(this::tell);
            }
        } catch (InterruptedException e) {
            // Nobody interrupts it.
        }
    }

    private void tell(Thread thread, StackTraceElement[] stack) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long cpu = threads.getThreadCpuTime(thread.threadId()) / 1_000_000;
        Long before = cpuBefore.put(thread, cpu);
        System.err.println("  " + thread.getName() + ", " + thread.getState() + ", " + cpu + " ms of processor time, "
                + (cpu - (before == null ? 0 : before)) + " of them since the last look");
        for (int i = 0; i < Math.min(stack.length, FRAMES); i++) {
            System.err.println("    " + stack[i]);
        }
    }

    @Override
    public void close() {
        over.countDown();
    }
}

package dev.doorbell.bench;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.SendBatch;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What Doorbell adds to a library's driver: an 8-byte inline WRITE posted and polled through libibverbs' table of operations, by
 * this API and by a loop in C, in turn. The driver is the stub of the provider's tests: it copies and completes at once, so what is
 * measured is the way there and back.
 */
final class LibraryCost implements AutoCloseable {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");
    private static final int ROUNDS = 9;
    private static final int WRITES = 1_000_000;
    private static final int INLINE = 64;

    private final MethodHandle loop;
    private final Context context;
    private final CompletionQueue completions;
    private final MemoryRegion region;
    private final MemorySegment source = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final QueuePair queuePair;

    private LibraryCost(Path library) {
        this.loop = Linker.nativeLinker()
                .downcallHandle(
                        SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow("stub_loop"),
                        FunctionDescriptor.of(ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_INT));
        System.setProperty("doorbell.libibverbs", library.toString());
        this.context = Device.named("stub0").open();
        ProtectionDomain domain = context.allocateProtectionDomain();
        this.completions = context.completionQueue(32).singleThreaded().build();
        this.region =
                domain.register(Arena.ofAuto().allocate(4096, 8), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        this.queuePair = domain.queuePair(completions)
                .depth(16, 1)
                .inline(INLINE)
                .singleThreaded()
                .build();
        Activation.towardsItself(queuePair);
    }

    static void main(String[] arguments) throws Exception {
        Path target = Path.of(System.getProperty("doorbell.bench.target", "target"));
        Path source = Path.of(System.getProperty("doorbell.bench.stub", "stub.c"));
        Optional<Path> library = Files.exists(HEADER)
                ? CCompiler.compile(source, target.resolve("libibverbs-stub.so"), "-shared", "-fPIC")
                : Optional.empty();
        if (library.isEmpty()) {
            OUT.println("bench: SKIPPED: needs a C compiler and the headers of libibverbs (libibverbs-dev)");
            System.exit(77);
        }
        try (LibraryCost cost = new LibraryCost(library.orElseThrow())) {
            cost.measure();
        }
    }

    private void measure() throws Exception {
        OUT.println("bench: " + Machine.describe());
        double[] java = new double[ROUNDS];
        double[] c = new double[ROUNDS];
        double[] extra = new double[ROUNDS];
        for (int i = 0; i < 5; i++) {
            java();
            c();
        }
        for (int i = 0; i < ROUNDS; i++) {
            c[i] = c();
            java[i] = java();
            extra[i] = java[i] - c[i];
        }
        OUT.println(
                "post and poll an 8-byte inline WRITE over the stub, %d rounds of %,d in turn; median (lowest..highest)"
                        .formatted(ROUNDS, WRITES));
        print("C, ibv_post_send and ibv_poll_cq", c);
        print("Doorbell", java);
        print("difference", extra);
    }

    private static void print(String name, double[] values) {
        double[] sorted = values.clone();
        java.util.Arrays.sort(sorted);
        OUT.println("  %-34s %7.1f ns (%.1f..%.1f)"
                .formatted(name, sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]));
    }

    private double c() {
        try {
            return (double) loop.invokeExact(WRITES);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    private double java() {
        long start = System.nanoTime();
        for (int i = 0; i < WRITES; i++) {
            write(i);
            poll(i);
        }
        return (double) (System.nanoTime() - start) / WRITES;
    }

    private void write(long id) {
        try (SendBatch batch = queuePair.batch()) {
            batch.write(id, region.address(), region.rkey())
                    .inline(source, 0, Long.BYTES)
                    .signaled();
            batch.submit();
        }
    }

    private void poll(long id) {
        try (CompletionCursor cursor = completions.poll()) {
            while (!cursor.next()) {
                Thread.onSpinWait();
            }
            if (cursor.id() != id || !cursor.isSuccess()) {
                throw new IllegalStateException("completion " + cursor.id());
            }
        }
    }

    @Override
    public void close() {
        context.close();
    }
}

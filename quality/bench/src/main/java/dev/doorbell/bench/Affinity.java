package dev.doorbell.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Which processors a thread may run on. Only Linux has it; elsewhere threads stay where the system puts them. */
public final class Affinity {
    private static final int SET_BYTES = 128;

    private final MethodHandle set;
    private final List<Integer> cpus;

    private Affinity(MethodHandle set, List<Integer> cpus) {
        this.set = set;
        this.cpus = cpus;
    }

    /** The processors that this process may use, if the system tells and there are two at least. */
    public static Optional<Affinity> ofThisProcess() {
        Linker linker = Linker.nativeLinker();
        SymbolLookup symbols = linker.defaultLookup();
        FunctionDescriptor type = FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
        Optional<MethodHandle> get =
                symbols.find("sched_getaffinity").map(address -> linker.downcallHandle(address, type));
        Optional<MethodHandle> set =
                symbols.find("sched_setaffinity").map(address -> linker.downcallHandle(address, type));
        if (get.isEmpty() || set.isEmpty()) {
            return Optional.empty();
        }
        List<Integer> cpus = allowed(get.get());
        return cpus.size() < 2 ? Optional.empty() : Optional.of(new Affinity(set.get(), cpus));
    }

    private static List<Integer> allowed(MethodHandle get) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(SET_BYTES, 8);
            if (call(get, mask) != 0) {
                return List.of();
            }
            return IntStream.range(0, SET_BYTES * Byte.SIZE)
                    .filter(cpu -> (mask.get(ValueLayout.JAVA_BYTE, cpu >> 3) >> (cpu & 7) & 1) != 0)
                    .boxed()
                    .toList();
        }
    }

    /** The number of the processor for the thread that measures (0) or its partner (1). */
    public int cpu(int index) {
        return cpus.get(index);
    }

    /** Binds the calling thread to {@link #cpu} of this index. */
    public void bind(int index) {
        int cpu = cpus.get(index);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(SET_BYTES, 8);
            mask.set(ValueLayout.JAVA_BYTE, cpu >> 3, (byte) (1 << (cpu & 7)));
            if (call(set, mask) != 0) {
                throw new IllegalStateException("processor " + cpu + " was offered, but then refused");
            }
        }
    }

    private static int call(MethodHandle function, MemorySegment mask) {
        try {
            return (int) function.invokeExact(0, (long) SET_BYTES, mask);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}

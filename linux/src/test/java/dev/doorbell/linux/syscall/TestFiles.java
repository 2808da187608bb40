package dev.doorbell.linux.syscall;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Descriptors for tests: what stands in for a device, and what looks at it from the other side. */
public final class TestFiles {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final int AF_UNIX = 1;
    private static final int SOCK_SEQPACKET = 5;
    private static final int O_NONBLOCK = 0x800;
    private static final MethodHandle PIPE = link("pipe2", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT));
    private static final MethodHandle SOCKET_PAIR =
            link("socketpair", FunctionDescriptor.of(INT, INT, INT, INT, ValueLayout.ADDRESS));
    private static final MethodHandle MEMFD =
            link("memfd_create", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT));
    private static final MethodHandle FTRUNCATE =
            link("ftruncate", FunctionDescriptor.of(INT, INT, ValueLayout.JAVA_LONG));

    private TestFiles() {}

    /** Two ends that keep messages apart; what is written to [0] is read from [1], and the other way round. */
    public static int[] socketPair() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(2 * INT.byteSize());
            assertThat((int) SOCKET_PAIR.invokeExact(AF_UNIX, SOCK_SEQPACKET, 0, ends))
                    .isZero();
            return new int[] {ends.get(INT, 0), ends.get(INT, INT.byteSize())};
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** A pipe: [0] is read from, [1] is written to; neither blocks. */
    public static int[] pipe() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(2 * INT.byteSize());
            assertThat((int) PIPE.invokeExact(ends, O_NONBLOCK)).isZero();
            return new int[] {ends.get(INT, 0), ends.get(INT, INT.byteSize())};
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** A file of {@code size} zero bytes that can be mapped. */
    public static int memory(long size) {
        try (Arena arena = Arena.ofConfined()) {
            int fd = (int) MEMFD.invokeExact(arena.allocateFrom("test"), 0);
            assertThat((int) FTRUNCATE.invokeExact(fd, size)).isZero();
            return fd;
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** Writes bytes with one call; what {@link Libc#write} returned. */
    public static long write(int fd, byte... bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            return Libc.write(fd, memory.address(), bytes.length);
        }
    }

    /** Reads what one call gives, up to 4096 bytes. */
    public static byte[] read(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(4096);
            long size = Libc.read(fd, memory.address(), memory.byteSize());
            assertThat(size).isNotNegative();
            return memory.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static MethodHandle link(String name, FunctionDescriptor descriptor) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
    }
}

package dev.doorbell.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.linux.LinuxSettings.CarrierChoice;
import dev.doorbell.linux.syscall.Libc;
import dev.doorbell.linux.syscall.TestFiles;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The channel over one end of a socket pair, which stands in for the device and keeps commands apart. */
@Timeout(30)
class UverbsChannelTest {
    private static final MemorySegment NONE = MemorySegment.NULL;

    private final int[] ends = TestFiles.socketPair();
    private final CommandChannel channel =
            new UverbsChannel("/dev/infiniband/uverbs9", ends[0], DriverId.RXE, CarrierChoice.AUTOMATIC);

    @AfterEach
    void close() {
        channel.close();
        Libc.close(ends[1]);
    }

    @Test
    void saysWhatWasOpened() {
        assertThat(channel.description()).isEqualTo("/dev/infiniband/uverbs9 fd " + ends[0] + " by write");
        assertThat(channel.progress().poll()).isFalse();
    }

    @Test
    void oneCommandIsOneWrite() {
        MemorySegment request = MemorySegment.ofArray(new byte[] {5, 0, 0, 0});
        assertThat(channel.invoke(UverbsCommand.DEALLOC_PD, request, NONE, NONE, NONE))
                .isZero();
        assertThat(channel.invoke(UverbsCommand.DEREG_MR, request, NONE, NONE, NONE))
                .isZero();
        assertThat(hex(TestFiles.read(ends[1]))).isEqualTo("04000000" + "03000000" + "05000000");
        assertThat(hex(TestFiles.read(ends[1]))).isEqualTo("0d000000" + "03000000" + "05000000");
    }

    @Test
    void aDoorbellIsThirtyTwoBytes() {
        Doorbell doorbell = channel.doorbell(0x1234);
        assertThat(doorbell.isSystemCall()).isTrue();
        assertThat(doorbell.ring()).isZero();
        assertThat(doorbell.ring()).isZero();
        byte[] first = TestFiles.read(ends[1]);
        assertThat(TestFiles.read(ends[1])).isEqualTo(first);
        long answer = Host.getLong(MemorySegment.ofArray(first), 8);
        assertThat(answer).as("the answer has an address, aligned").isPositive().matches(address -> address % 4 == 0);
        Host.setLong(MemorySegment.ofArray(first), 8, 0);
        assertThat(hex(first))
                .isEqualTo("1c000000" + "0800" + "0100" + "0000000000000000" + "34120000" + "00000000" + "00000000"
                        + "80000000");
    }

    @Test
    void aDoorbellAnswersErrnos() {
        Doorbell doorbell = channel.doorbell(1);
        assertThat(Libc.setNonBlocking(ends[0])).isZero();
        int errno = 0;
        while (errno == 0) {
            errno = doorbell.ring();
        }
        assertThat(errno).isEqualTo(Errno.EAGAIN);
        channel.close();
        assertThat(doorbell.ring()).isEqualTo(Errno.EBADF);
    }

    @Test
    void aDoorbellAllocatesNothing() {
        int fd = Libc.open("/dev/null", Libc.O_RDWR_CLOEXEC);
        try (CommandChannel sink = new UverbsChannel("/dev/null", fd, DriverId.RXE, CarrierChoice.WRITE)) {
            Doorbell doorbell = sink.doorbell(1);
            var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            // The JVM's own code for native calls allocates until it is compiled for good, which a busy machine delays.
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            long least = Long.MAX_VALUE;
            while (least != 0 && System.nanoTime() < deadline) {
                long before = threads.getCurrentThreadAllocatedBytes();
                ring(doorbell, 10_000);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).as("bytes allocated by 10,000 rings").isZero();
        }
    }

    private static void ring(Doorbell doorbell, int times) {
        for (int i = 0; i < times; i++) {
            if (doorbell.ring() != 0) {
                throw new AssertionError("ring failed");
            }
        }
    }

    @Test
    void afterCloseEverythingIsEbadf() {
        channel.close();
        channel.close();
        assertThat(channel.invoke(UverbsCommand.DEALLOC_PD, MemorySegment.ofArray(new byte[4]), NONE, NONE, NONE))
                .isEqualTo(Errno.EBADF);
        assertClosed(() -> channel.map(0, 4096));
        assertClosed(() -> channel.pin(Arena.ofAuto().allocate(8)));
        assertClosed(() -> channel.doorbell(1));
        assertClosed(() -> channel.eventFile(ends[1]));
    }

    private static void assertClosed(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        KernelException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF))
                .hasMessageContaining("closed");
    }

    @Test
    void interruptsCloseNothing() {
        Thread.currentThread().interrupt();
        MemorySegment request = MemorySegment.ofArray(new byte[4]);
        assertThat(channel.invoke(UverbsCommand.DEALLOC_PD, request, NONE, NONE, NONE))
                .isZero();
        assertThat(channel.doorbell(1).ring()).isZero();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(channel.invoke(UverbsCommand.DEALLOC_PD, request, NONE, NONE, NONE))
                .isZero();
    }

    @Test
    void closingEndsMappingsAndEventFiles() {
        int[] pipe = TestFiles.pipe();
        EventFile events = channel.eventFile(pipe[0]);
        assertThat(channel.eventFile(pipe[0])).isSameAs(events);
        CommandChannel device =
                new UverbsChannel("memory", TestFiles.memory(8192), DriverId.RXE, CarrierChoice.AUTOMATIC);
        MemorySegment ring = device.map(4096, 100);
        Host.setInt(ring, 96, 7);
        device.close();
        assertThat(ring.scope().isAlive()).isFalse();
        channel.close();
        assertThat(TestFiles.write(pipe[1], (byte) 1))
                .as("nobody reads any more")
                .isNegative();
        Libc.close(pipe[1]);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}

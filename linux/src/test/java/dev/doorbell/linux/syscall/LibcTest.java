package dev.doorbell.linux.syscall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LibcTest {
    private static final int ENOTTY_REQUEST = 0x1234;
    private static final int EBADF_FD = -1;

    @Test
    void opensReadsAndCloses() {
        int fd = Libc.open("/dev/zero", Libc.O_RDWR_CLOEXEC);
        assertThat(fd).isPositive();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(64).fill((byte) 7);
            assertThat(Libc.read(fd, bytes.address(), 64)).isEqualTo(64);
            assertThat(bytes.mismatch(arena.allocate(64))).isEqualTo(-1);
        }
        assertThat(Libc.close(fd)).isZero();
        assertThat(Libc.close(fd)).isEqualTo(-Errno.EBADF);
    }

    @Test
    void failuresAreNegativeErrnos() {
        assertThat(Libc.open("/nowhere/at/all", Libc.O_RDWR_CLOEXEC)).isEqualTo(-Errno.ENOENT);
        assertThat(Libc.read(EBADF_FD, 0, 0)).isEqualTo(-Errno.EBADF);
        assertThat(Libc.write(EBADF_FD, 0, 0)).isEqualTo(-Errno.EBADF);
        assertThat(Libc.mapShared(EBADF_FD, 0, 4096)).isEqualTo(-Errno.EBADF);
        assertThat(Libc.setNonBlocking(EBADF_FD)).isEqualTo(-Errno.EBADF);
        assertThat(Libc.unmap(1, 1)).isEqualTo(-Errno.EINVAL);
        assertThat(Libc.epollWait(EBADF_FD, 0, 1)).isEqualTo(-Errno.EBADF);
        assertThat(Libc.epollControl(EBADF_FD, 1, 0, 0)).isNegative();
    }

    @Test
    void badAddressesAreEfault() {
        int[] pipe = TestFiles.pipe();
        assertThat(Libc.write(pipe[1], 1, 32)).isEqualTo(-Errno.EFAULT);
        Libc.close(pipe[0]);
        Libc.close(pipe[1]);
    }

    @Test
    void ioctlOfAnotherDeviceIsEnotty() {
        int fd = Libc.open("/dev/zero", Libc.O_RDWR_CLOEXEC);
        assertThat(Libc.ioctl(fd, ENOTTY_REQUEST, 0)).isEqualTo(-Errno.ENOTTY);
        Libc.close(fd);
    }

    @Test
    void nonBlockingReadsSayEagain() {
        int[] ends = TestFiles.socketPair();
        assertThat(Libc.setNonBlocking(ends[0])).isZero();
        try (Arena arena = Arena.ofConfined()) {
            assertThat(Libc.read(ends[0], arena.allocate(8).address(), 8)).isEqualTo(-Errno.EAGAIN);
        }
        Libc.close(ends[0]);
        Libc.close(ends[1]);
    }
}

package dev.doorbell.linux.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.spec.Guid;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Questions and answers against what two kernels were recorded to say. */
@Timeout(60)
class NldevTest {
    private static final RdmaDevice RXE0 = new RdmaDevice(0, "rxe0", 1, new Guid(1), 1, "roce");

    @ParameterizedTest
    @CsvSource({"6.1, a8d71aff:fe0f9766", "6.12, d878ccff:fee12fa9"})
    void listsDevices(String release, String guid) {
        long expected = Long.parseUnsignedLong(guid.replace(":", ""), 16);
        try (Nldev nldev = RecordedKernel.of(release, "get2").open()) {
            assertThat(nldev.devices())
                    .extracting(RdmaDevice::index, RdmaDevice::name, RdmaDevice::ports, RdmaDevice::protocol)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple(0, "rxe0", 1, "roce"),
                            org.assertj.core.groups.Tuple.tuple(1, "rxe9", 1, "roce"));
            assertThat(nldev.devices().getFirst().nodeGuid()).isEqualTo(new Guid(expected));
            assertThat(nldev.devices().getFirst().nodeType()).isEqualTo(1);
            assertThat(nldev.device("rxe9")).get().extracting(RdmaDevice::index).isEqualTo(1);
            assertThat(nldev.device("rxe1")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1", "6.12"})
    void knowsTheCharacterDeviceAndItsDriver(String release) {
        try (Nldev nldev = RecordedKernel.of(release, "chardev", "chardev-bad").open()) {
            assertThat(nldev.characterDevice(RXE0))
                    .contains(new CharacterDevice("uverbs0", 2, "231:192", DriverId.RXE));
            RdmaDevice gone = new RdmaDevice(9, "gone", 1, new Guid(1), 1, "");
            assertErrno(Errno.EINVAL, () -> nldev.characterDevice(gone));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1", "6.12"})
    void listsPorts(String release) {
        try (Nldev nldev = RecordedKernel.of(release, "port").open()) {
            assertThat(nldev.ports(RXE0)).containsExactly(new RdmaPort(1, 4, 5, "lab0"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1", "6.12"})
    void countsWhatIsOpenAndByWhom(String release) {
        try (Nldev closed = RecordedKernel.of(release, "res").open();
                Nldev open = RecordedKernel.of(release, "res2", "ctx").open()) {
            assertThat(closed.resources(RXE0)).containsEntry("ctx", 0L).containsEntry("qp", 1L);
            assertThat(open.resources(RXE0)).containsEntry("ctx", 1L);
            assertThat(open.openers(RXE0)).hasSize(1).allMatch(process -> process > 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1", "6.12"})
    void ordersAreDoneOrRefusedByNumber(String release) {
        RecordedKernel kernel =
                RecordedKernel.of(release, "new-lo", "new-type", "new-dev", "new-dup", "del", "del-bad");
        try (Nldev nldev = kernel.open()) {
            nldev.newLink("rxe9", "rxe", "lo");
            assertErrno(Errno.EINVAL, () -> nldev.newLink("rxe9", "nope", "lab0"));
            assertErrno(Errno.ENODEV, () -> nldev.newLink("rxe9", "rxe", "nix0"));
            assertErrno(Errno.EEXIST, () -> nldev.newLink("rxe9", "rxe", "lab0"));
            nldev.deleteLink(new RdmaDevice(1, "rxe9", 1, new Guid(1), 1, "roce"));
            assertErrno(Errno.EINVAL, () -> nldev.deleteLink(new RdmaDevice(77, "x", 1, new Guid(1), 1, "roce")));
        }
        assertThat(kernel.asked()).containsExactly("new-lo", "new-type", "new-dev", "new-dup", "del", "del-bad");
        assertThatThrownBy(() -> RecordedKernel.of(release, "perm").open().newLink("rxe9", "rxe", "lo"))
                .hasMessageEndingWith("(EPERM)");
    }

    @Test
    void aSilentKernelIsNotWaitedForForever() {
        try (Nldev nldev = RecordedKernel.of("6.12", "get").open()) {
            assertErrno(Errno.ETIMEDOUT, () -> nldev.ports(RXE0));
        }
    }

    /** Whatever the bytes: an answer, or an error with a number; no other exception, and an end. */
    @Test
    void damagedAnswersDoNoHarm() {
        Random random = new Random(20261129);
        int refused = 0;
        for (int round = 0; round < 4000; round++) {
            UnaryOperator<byte[]> damage = bytes -> damage(bytes, random);
            RecordedKernel kernel = RecordedKernel.of("6.12", "get2", "chardev", "port", "res2", "ctx")
                    .damaged(damage);
            try (Nldev nldev = kernel.open()) {
                ask(nldev, round % 5);
            } catch (KernelException e) {
                assertThat(e.errno()).isPositive();
                refused++;
            }
        }
        assertThat(refused).isBetween(400, 3600);
    }

    private static void ask(Nldev nldev, int question) {
        switch (question) {
            case 0 ->
                nldev.devices().forEach(device -> assertThat(device.ports()).isBetween(0, 255));
            case 1 ->
                nldev.characterDevice(RXE0)
                        .ifPresent(file -> assertThat(file.name()).doesNotContain("/"));
            case 2 -> nldev.ports(RXE0);
            case 3 -> nldev.resources(RXE0);
            default -> nldev.openers(RXE0);
        }
    }

    private static byte[] damage(byte[] bytes, Random random) {
        byte[] damaged =
                random.nextInt(4) == 0 ? java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length + 40)) : bytes;
        for (int flips = random.nextInt(3); flips > 0 && damaged.length > 0; flips--) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
        }
        return damaged;
    }

    private static void assertErrno(int errno, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        KernelException.class,
                        e -> assertThat(Errno.name(e.errno())).isEqualTo(Errno.name(errno)));
    }
}

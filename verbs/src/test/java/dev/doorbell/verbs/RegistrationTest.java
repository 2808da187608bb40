package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.AccessFlag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RegistrationTest {
    private final Fixture fixture = new Fixture();
    private final ProtectionDomain domain = fixture.domain;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aRegionKnowsItsMemoryAndKeys() {
        MemorySegment memory = Arena.ofAuto().allocate(100);
        try (MemoryRegion region = domain.register(memory, Set.of(AccessFlag.LOCAL_WRITE))) {
            assertThat(region.address()).isEqualTo(memory.address());
            assertThat(region.length()).isEqualTo(100);
            assertThat(region.segment()).isEqualTo(memory);
            assertThat(region.rkey()).isEqualTo(region.lkey() << 8);
            assertThat(region.access()).isEqualTo(1);
            assertThat(region.accessFlags()).containsExactly(AccessFlag.LOCAL_WRITE);
            assertThat(region.protectionDomain()).isSameAs(domain);
            assertThat(region.isOpen()).isTrue();
            assertThat(region.remote()).isEqualTo(new RemoteMemory(memory.address(), 100, region.rkey(), 1));
            assertThat(region.toString()).contains("100 bytes");
        }
        assertThat(fixture.device.channel.log).endsWith("pin", "REG_MR", "DEREG_MR", "unpin");
    }

    /** The VM does not free memory with which a system call works. */
    @Test
    @Timeout(20)
    void anArenaThatASystemCallWorksWithIsInUse() throws IOException, InterruptedException {
        RegisteredArena arena = domain.arena(AccessFlag.LOCAL_WRITE);
        MemorySegment inbox = arena.allocate(8);
        Pipe pipe = Pipe.open();
        try (Pipe.SinkChannel sink = pipe.sink();
                Pipe.SourceChannel source = pipe.source()) {
            AtomicInteger read = new AtomicInteger();
            Thread reader = Thread.ofPlatform().start(() -> read.set(read(source, inbox)));
            while (!isInSystemCall(reader)) {
                Thread.onSpinWait();
            }
            assertThat(Refused.with(Errno.EBUSY, arena::close)).hasMessageContaining("system call");
            sink.write(ByteBuffer.allocate(8));
            reader.join();
            assertThat(read).hasValue(8);
        }
        arena.close();
        assertThat(inbox.scope().isAlive()).isFalse();
    }

    private static boolean isInSystemCall(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return stack.length > 0
                && stack[0].isNativeMethod()
                && stack[0].getMethodName().startsWith("read");
    }

    private static int read(Pipe.SourceChannel source, MemorySegment into) {
        try {
            return source.read(into.asByteBuffer());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void slicesAreNamedByRegionAndOffset() {
        MemorySlice slice = fixture.region.slice(16, 32);

        assertThat(slice.address()).isEqualTo(fixture.region.address() + 16);
        assertThat(slice.lkey()).isEqualTo(fixture.region.lkey());
        assertThat(slice.rkey()).isEqualTo(fixture.region.rkey());
        assertThat(slice.segment().byteSize()).isEqualTo(32);
        assertThat(slice.segment().address()).isEqualTo(slice.address());
        assertThat(slice.remote()).isEqualTo(fixture.region.remote().slice(16, 32));
        assertThat(slice.slice(8, 24)).isEqualTo(fixture.region.slice(24, 24));
        assertThatThrownBy(() -> slice.slice(8, 25)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> slice.slice(-1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> fixture.region.slice(4090, 7))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("memory region");
        assertThatThrownBy(() -> fixture.region.slice(1, Long.MAX_VALUE)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aDirectBufferIsRegisteredFromPositionToLimit() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(100).position(10).limit(50);
        try (MemoryRegion region = domain.register(buffer, AccessFlag.LOCAL_WRITE)) {
            assertThat(region.length()).isEqualTo(40);
            region.segment().set(java.lang.foreign.ValueLayout.JAVA_BYTE, 0, (byte) 7);
            assertThat(buffer.get(10)).isEqualTo((byte) 7);
        }
    }

    @Test
    void regionsAreLongerThanFourGibibytes(@TempDir Path folder) throws IOException {
        long length = (5L << 30) + 24;
        try (FileChannel file = FileChannel.open(
                        folder.resolve("sparse"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.SPARSE);
                Arena shared = Arena.ofShared();
                MemoryRegion region = domain.register(
                        file.map(FileChannel.MapMode.READ_WRITE, 0, length, shared),
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_WRITE);
                QueuePair queuePair = fixture.connected()) {
            assertThat(region.length()).isEqualTo(length);
            MemorySlice tail = region.slice(5L << 30, 24);
            assertThat(tail.address() - region.address()).isEqualTo(5L << 30);
            assertThat(region.remote().slice(5L << 30).length()).isEqualTo(24);
            queuePair.postSend(1, tail);
            assertThat(fixture.fake().sends.posted(0).lastAddress).isEqualTo(tail.address());
            Refused.with(Errno.EINVAL, length + " bytes", "4294967295", () -> queuePair.postSend(2, region.slice()));
            try (SendBatch batch = queuePair.batch()) {
                batch.write(3, region.remote(), 5L << 30).sge(tail);
                assertThat(batch.submit()).isEqualTo(1);
            }
        }
    }

    @Test
    void memoryOnTheHeapIsRefused() {
        Refused.with(Errno.EFAULT, () -> domain.register(MemorySegment.ofArray(new byte[8])));
        VerbsException refusal = Refused.with(Errno.EFAULT, () -> domain.register(ByteBuffer.allocate(8)));
        assertThat(refusal.remedy()).contains("RegisteredArena");
    }

    @Test
    void memoryOfAConfinedArenaIsRefused() {
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment memory = confined.allocate(8);
            VerbsException refusal = Refused.with(Errno.EFAULT, () -> domain.register(memory));
            assertThat(refusal).hasMessageContaining("confined").hasMessageContaining("Arena.ofShared()");
        }
        try (Arena shared = Arena.ofShared();
                MemoryRegion region = domain.register(shared.allocate(8))) {
            assertThat(region.isOpen()).isTrue();
        }
        assertThat(domain.register(Arena.global().allocate(8)).isOpen()).isTrue();
    }

    @Test
    void memoryOfAClosedArenaIsRefused() {
        MemorySegment memory;
        try (Arena shared = Arena.ofShared()) {
            memory = shared.allocate(8);
        }
        Refused.with(Errno.EFAULT, () -> domain.register(memory));
    }

    @Test
    void readOnlyMemoryIsTakenWhereNobodyWrites() {
        MemorySegment memory = Arena.ofAuto().allocate(8).asReadOnly();
        try (MemoryRegion region = domain.register(memory, AccessFlag.REMOTE_READ)) {
            assertThat(region.isOpen()).isTrue();
        }
        Refused.with(Errno.EACCES, () -> domain.register(memory, AccessFlag.LOCAL_WRITE));
        Refused.with(Errno.EACCES, () -> domain.register(memory, AccessFlag.REMOTE_WRITE));
        Refused.with(Errno.EACCES, () -> domain.register(memory, AccessFlag.REMOTE_ATOMIC));
    }

    @Test
    void aRefusalOfTheKernelIsExplained() {
        MemorySegment memory = Arena.ofAuto().allocate(8);
        fixture.device.channel.refusals.put(UverbsCommand.REG_MR, Errno.EINVAL);
        Refused.with(
                Errno.EINVAL,
                "[REMOTE_WRITE]",
                "the same with LOCAL_WRITE",
                () -> domain.register(memory, AccessFlag.REMOTE_WRITE));
        Refused.with(Errno.EINVAL, () -> domain.register(memory, AccessFlag.LOCAL_WRITE));
        fixture.device.channel.refusals.put(UverbsCommand.REG_MR, Errno.ENOMEM);
        VerbsException noMemory = Refused.with(Errno.ENOMEM, () -> domain.register(memory));
        assertThat(noMemory.remedy()).contains("locked memory");
        assertThat(noMemory.asked()).startsWith("8 bytes at 0x");
        fixture.device.channel.refusals.put(UverbsCommand.REG_MR, Errno.EFAULT);
        Refused.with(Errno.EFAULT, () -> domain.register(memory));
        fixture.device.channel.refusals.put(UverbsCommand.REG_MR, Errno.EOPNOTSUPP);
        assertThatThrownBy(() -> domain.register(memory, AccessFlag.HUGETLB))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("HUGETLB");
        fixture.device.channel.refusals.put(UverbsCommand.REG_MR, Errno.EIO);
        assertThatThrownBy(() -> domain.register(memory)).isInstanceOf(DeviceUnavailableException.class);
    }

    @Test
    void theMemlockRemedyReadsThePresentLimit() {
        List<String> limits = List.of(
                "Limit                     Soft Limit           Hard Limit           Units     ",
                "Max processes             63432                63432                processes ",
                "Max locked memory         65536                unlimited            bytes     ");

        assertThat(LockedMemory.remedy(limits)).contains("65536 bytes").contains("ulimit -l");
        assertThat(LockedMemory.remedy(
                        List.of("Max locked memory         unlimited            unlimited            b")))
                .contains("this process has none");
        assertThat(LockedMemory.remedy(List.of())).contains("ulimit -l");
        assertThat(LockedMemory.remedy()).contains("locked memory");
    }

    @Test
    void anArenaPacksSmallAllocationsIntoRegisteredSlabs() {
        try (RegisteredArena arena = domain.arena(8192, AccessFlag.LOCAL_WRITE)) {
            MemorySlice one = arena.allocateSlice(100);
            MemorySlice two = arena.allocateSlice(100, 64);
            MemorySegment three = arena.allocate(8, 8);

            assertThat(two.region()).isSameAs(one.region());
            assertThat(two.address() % 64).isZero();
            assertThat(two.offset()).isGreaterThanOrEqualTo(100);
            assertThat(arena.slice(three).region()).isSameAs(one.region());
            assertThat(arena.slice(three.asSlice(4)).address()).isEqualTo(three.address() + 4);
            assertThat(arena.slice(three).length()).isEqualTo(8);
            assertThat(three.scope()).isEqualTo(arena.scope());
            assertThat(arena.regions()).hasSize(1);
            assertThat(one.region().access()).isEqualTo(AccessFlag.LOCAL_WRITE.bit());
        }
    }

    @Test
    void aBigOrWidelyAlignedAllocationGetsItsOwnRegion() {
        try (RegisteredArena arena = domain.arena(8192, AccessFlag.LOCAL_WRITE)) {
            MemorySlice big = arena.allocateSlice(2049);
            MemorySlice wide = arena.allocateSlice(8, 8192);

            assertThat(big.region().length()).isEqualTo(2049);
            assertThat(big.address() % 4096).isZero();
            assertThat(wide.address() % 8192).isZero();
            assertThat(wide.region()).isNotSameAs(big.region());
            for (int i = 0; i < 5; i++) {
                arena.allocate(2000);
            }
            assertThat(arena.regions()).hasSize(4);
        }
    }

    @Test
    void emptyAllocationsHaveAddressesOfTheirOwn() {
        try (RegisteredArena arena = domain.arena(AccessFlag.LOCAL_WRITE)) {
            MemorySlice one = arena.allocateSlice(0);
            MemorySlice two = arena.allocateSlice(0);

            assertThat(one.length()).isZero();
            assertThat(one.address()).isNotEqualTo(two.address());
        }
    }

    @Test
    void closingAnArenaTakesRegistrationsDownBeforeTheMemoryGoes() {
        RegisteredArena arena = domain.arena(8192, AccessFlag.LOCAL_WRITE);
        MemorySegment memory = arena.allocate(8);
        arena.allocate(8000);
        arena.close();
        arena.close();

        assertThat(memory.scope().isAlive()).isFalse();
        assertThat(fixture.device.channel.log).endsWith("DEREG_MR", "unpin", "DEREG_MR", "unpin");
        assertThatThrownBy(() -> arena.allocate(8)).isInstanceOf(ClosedException.class);
    }

    @Test
    void memoryStaysWhereARegistrationCannotBeTakenDown() {
        RegisteredArena arena = domain.arena(AccessFlag.LOCAL_WRITE);
        MemorySegment memory = arena.allocate(8);
        fixture.device.channel.refusals.put(UverbsCommand.DEREG_MR, Errno.EBUSY);
        Refused.with(Errno.EBUSY, arena::close);

        assertThat(memory.scope().isAlive()).isTrue();
        fixture.device.channel.refusals.clear();
        arena.close();
        assertThat(memory.scope().isAlive()).isFalse();
    }

    @Test
    void anArenaRefusesWhatIsNotItsOwnAndWhatMakesNoSense() {
        try (RegisteredArena arena = domain.arena(AccessFlag.LOCAL_WRITE)) {
            Refused.with(Errno.EFAULT, () -> arena.slice(Arena.ofAuto().allocate(8)));
            Refused.with(Errno.EFAULT, () -> arena.slice(MemorySegment.ofArray(new byte[8])));
            assertThatThrownBy(() -> arena.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> arena.allocate(8, 3)).isInstanceOf(IllegalArgumentException.class);
            Refused.with(Errno.EINVAL, () -> domain.arena(0, AccessFlag.LOCAL_WRITE));
        }
    }
}

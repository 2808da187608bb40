package dev.doorbell.rxe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.verbs.spi.ProviderMemoryRegion;
import dev.doorbell.verbs.spi.ProviderMemoryWindow;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Memory regions and windows. */
class RxeMemoryTest {
    private final Fixtures fixtures = new Fixtures();
    private final FakeChannel channel = fixtures.channel;
    private final MemorySegment memory = Arena.ofAuto().allocate(8192, 4096);

    private ProviderMemoryRegion register() {
        channel.answer(
                UverbsCommand.REG_MR, Bytes.of(12).u32(0, 21).u32(4, 0x501).u32(8, 0x502), Bytes.of(0));
        channel.log.clear();
        return fixtures.context.registerMemory(5, memory, 0x7000, 15);
    }

    @Test
    void registerPinsThenTellsTheKernel() {
        ProviderMemoryRegion region = register();
        assertThat(channel.log).containsExactly("pin", "REG_MR");
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.REG_MR,
                        Bytes.of(40)
                                .u64(8, memory.address())
                                .u64(16, 8192)
                                .u64(24, 0x7000)
                                .u32(32, 5)
                                .u32(36, 15),
                        12,
                        0));
        assertThat(region.lkey()).isEqualTo(0x501);
        assertThat(region.rkey()).isEqualTo(0x502);
    }

    @Test
    void deregisterBeforeLettingGoOfTheMemory() {
        ProviderMemoryRegion region = register();
        channel.answer(UverbsCommand.DEREG_MR, 0);
        channel.log.clear();
        region.close();
        region.close();
        assertThat(channel.log).containsExactly("DEREG_MR", "unpin");
        assertThat(channel.last())
                .isEqualTo(
                        new FakeChannel.Call(UverbsCommand.DEREG_MR, Bytes.of(4).u32(0, 21), 0, 0));
    }

    @Test
    void aRegionUnderAWindowStaysPinned() {
        ProviderMemoryRegion region = register();
        channel.log.clear();
        for (int errno : new int[] {Errno.EBUSY, Errno.EINVAL}) {
            channel.answer(UverbsCommand.DEREG_MR, errno);
            assertThatThrownBy(region::close)
                    .isInstanceOf(VerbsFault.class)
                    .hasMessage("DEREG_MR: " + Errno.name(errno));
        }
        assertThat(channel.log).doesNotContain("unpin");
    }

    @Test
    void aLostDeviceLetsGoOfTheMemory() {
        ProviderMemoryRegion region = register();
        channel.answer(UverbsCommand.DEREG_MR, Errno.EIO);
        assertThatThrownBy(region::close).isInstanceOf(VerbsFault.class);
        assertThat(channel.log).endsWith("unpin");
    }

    @Test
    void aRefusedRegistrationLetsGoOfTheMemory() {
        channel.answer(UverbsCommand.REG_MR, Errno.ENOMEM);
        channel.log.clear();
        assertThatThrownBy(() -> fixtures.context.registerMemory(5, memory, 0, 1))
                .isInstanceOf(VerbsFault.class)
                .hasMessage("REG_MR: ENOMEM");
        assertThat(channel.log).containsExactly("pin", "REG_MR", "unpin");
    }

    @Test
    void memoryThatCannotBePinnedIsNotRegistered() {
        channel.refusePins = true;
        channel.log.clear();
        assertThatThrownBy(() -> fixtures.context.registerMemory(5, memory, 0, 1))
                .isInstanceOf(VerbsFault.class)
                .hasMessage("REG_MR: EFAULT");
        assertThat(channel.log).isEmpty();
    }

    @Test
    void windows() {
        channel.answer(UverbsCommand.ALLOC_MW, Bytes.of(8).u32(0, 4).u32(4, 0x601), Bytes.of(0));
        ProviderMemoryWindow window = fixtures.context.allocateMemoryWindow(5, 2);
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.ALLOC_MW, Bytes.of(16).u32(8, 5).u8(12, 2), 8, 0));
        assertThat(window.rkey()).isEqualTo(0x601);
        channel.answer(UverbsCommand.DEALLOC_MW, 0);
        window.close();
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.DEALLOC_MW, Bytes.of(4).u32(0, 4), 0, 0));
        channel.calls.clear();
        window.close();
        assertThat(channel.calls).isEmpty();
    }
}

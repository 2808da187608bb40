package dev.doorbell.rxe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.Guid;
import dev.doorbell.spec.LinkLayer;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.PortState;
import dev.doorbell.verbs.DeviceAttributes;
import dev.doorbell.verbs.PortAttributes;
import dev.doorbell.verbs.spi.AbiRange;
import dev.doorbell.verbs.spi.Operation;
import dev.doorbell.verbs.spi.Provider;
import dev.doorbell.verbs.spi.VerbsFault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The provider, and the commands of a context that make no object with a ring. */
class RxeContextTest {
    private final Fixtures fixtures = new Fixtures();
    private final FakeChannel channel = fixtures.channel;

    @Test
    void theProviderMatchesRxe() {
        Provider provider = new RxeProvider();
        assertThat(provider.name()).isEqualTo("rxe");
        assertThat(provider.matches().driverIds()).containsExactly(DriverId.RXE);
        assertThat(provider.matches().namePrefixes()).containsExactly("rxe");
        assertThat(provider.abi()).isEqualTo(new AbiRange(1, 2));
    }

    @Test
    void theProviderIsOfferedOnBothPaths() throws IOException {
        assertThat(RxeProvider.class.getModule().getDescriptor().provides()).anySatisfy(provides -> {
            assertThat(provides.service()).isEqualTo(Provider.class.getName());
            assertThat(provides.providers()).containsExactly(RxeProvider.class.getName());
        });
        try (InputStream services =
                RxeProvider.class.getResourceAsStream("/META-INF/services/" + Provider.class.getName())) {
            assertThat(services).isNotNull().asString(StandardCharsets.US_ASCII).contains(RxeProvider.class.getName());
        }
    }

    @Test
    void openingSendsGetContextAlone() {
        assertThat(channel.calls).containsExactly(new FakeChannel.Call(UverbsCommand.GET_CONTEXT, Bytes.of(8), 8, 0));
        assertThat(fixtures.context.completionVectors()).isEqualTo(2);
        assertThat(fixtures.context.asyncEvents().descriptor()).isEqualTo(42);
    }

    @Test
    void aRefusedOpening() {
        FakeChannel refusing = new FakeChannel().answer(UverbsCommand.GET_CONTEXT, Errno.EACCES);
        assertThatThrownBy(() -> RxeContext.open(refusing))
                .isInstanceOf(VerbsFault.class)
                .hasMessage("GET_CONTEXT: EACCES");
        FakeChannel empty = new FakeChannel().answer(UverbsCommand.GET_CONTEXT, 0);
        assertThatThrownBy(() -> RxeContext.open(empty))
                .isInstanceOf(VerbsFault.class)
                .hasMessage("GET_CONTEXT: 0 vectors: EIO");
    }

    @Test
    void protectionDomains() {
        channel.answer(UverbsCommand.ALLOC_PD, Bytes.of(4).u32(0, 33), Bytes.of(0));
        assertThat(fixtures.context.allocateProtectionDomain()).isEqualTo(33);
        assertThat(channel.last()).isEqualTo(new FakeChannel.Call(UverbsCommand.ALLOC_PD, Bytes.of(8), 4, 0));
        channel.answer(UverbsCommand.DEALLOC_PD, 0);
        fixtures.context.deallocateProtectionDomain(33);
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.DEALLOC_PD, Bytes.of(4).u32(0, 33), 0, 0));
        channel.answer(UverbsCommand.DEALLOC_PD, Errno.EBUSY);
        assertThatThrownBy(() -> fixtures.context.deallocateProtectionDomain(33))
                .isInstanceOf(VerbsFault.class)
                .hasMessage("DEALLOC_PD: EBUSY");
    }

    @Test
    void completionChannel() {
        channel.answer(UverbsCommand.CREATE_COMP_CHANNEL, Bytes.of(4).u32(0, 17), Bytes.of(0));
        assertThat(fixtures.context.createCompletionChannel().descriptor()).isEqualTo(17);
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(UverbsCommand.CREATE_COMP_CHANNEL, Bytes.of(8), 4, 0));
    }

    @Test
    void aRefusedEventFile() {
        channel.answer(UverbsCommand.CREATE_COMP_CHANNEL, Bytes.of(4).u32(0, 17), Bytes.of(0));
        channel.refuseFiles = true;
        assertThatThrownBy(fixtures.context::createCompletionChannel)
                .isInstanceOf(VerbsFault.class)
                .hasMessage("CREATE_COMP_CHANNEL: EBADF");
    }

    private static Bytes device(int size) {
        Bytes bytes = Bytes.of(size)
                .u64(0, 0x0001_0002_0003L)
                .be64(8, 0x1122334455667788L)
                .be64(16, 0x8877665544332211L)
                .u64(24, -1)
                .u64(32, 0xfffff000L);
        for (int field = 0; field < 32; field++) {
            bytes.u32(40 + 4 * field, 100 + field);
        }
        return bytes.u16(168, 64).u8(170, 15).u8(171, 1).u32(60, 0x00201c76);
    }

    @Test
    void queryDevicePrefersTheExtendedCommand() {
        channel.answer(
                UverbsCommand.EX_QUERY_DEVICE,
                device(304).u32(180, 304).u64(224, 0x1_c000_0000_00L | 0x00201c76),
                Bytes.of(0));
        DeviceAttributes attributes = fixtures.context.queryDevice();
        assertThat(channel.last()).isEqualTo(new FakeChannel.Call(UverbsCommand.EX_QUERY_DEVICE, Bytes.of(8), 304, 0));
        assertThat(attributes.capabilities()).isEqualTo(0x1_c000_0000_00L | 0x00201c76);
        assertDevice(attributes);
    }

    @Test
    void queryDeviceFallsBackToThePlainCommand() {
        channel.answer(UverbsCommand.QUERY_DEVICE, device(176), Bytes.of(0));
        DeviceAttributes attributes = fixtures.context.queryDevice();
        assertThat(channel.last()).isEqualTo(new FakeChannel.Call(UverbsCommand.QUERY_DEVICE, Bytes.of(8), 176, 0));
        assertThat(attributes.capabilities()).isEqualTo(0x00201c76);
        assertDevice(attributes);
    }

    private static void assertDevice(DeviceAttributes attributes) {
        assertThat(attributes.firmwareVersion()).isEqualTo("1.2.3");
        assertThat(attributes.nodeGuid()).isEqualTo(new Guid(0x1122334455667788L));
        assertThat(attributes.systemImageGuid()).isEqualTo(new Guid(0x8877665544332211L));
        assertThat(attributes.maxRegionSize()).isEqualTo(-1);
        assertThat(attributes.pageSizes()).isEqualTo(0xfffff000L);
        assertThat(attributes.vendorId()).isEqualTo(100);
        assertThat(attributes.vendorPartId()).isEqualTo(101);
        assertThat(attributes.hardwareVersion()).isEqualTo(102);
        assertThat(attributes.maxQueuePairs()).isEqualTo(103);
        assertThat(attributes.maxWorkRequests()).isEqualTo(104);
        assertThat(attributes.maxSge()).isEqualTo(106);
        assertThat(attributes.maxReadSge()).isEqualTo(107);
        assertThat(attributes.maxCompletionQueues()).isEqualTo(108);
        assertThat(attributes.maxCompletions()).isEqualTo(109);
        assertThat(attributes.maxRegions()).isEqualTo(110);
        assertThat(attributes.maxProtectionDomains()).isEqualTo(111);
        assertThat(attributes.maxReadAtomicPerQueuePair()).isEqualTo(112);
        assertThat(attributes.maxReadAtomicResources()).isEqualTo(114);
        assertThat(attributes.maxInitiatedReadAtomicPerQueuePair()).isEqualTo(115);
        assertThat(attributes.atomicCapability()).isEqualTo(117);
        assertThat(attributes.maxWindows()).isEqualTo(120);
        assertThat(attributes.maxMulticastGroups()).isEqualTo(123);
        assertThat(attributes.maxMulticastQueuePairs()).isEqualTo(124);
        assertThat(attributes.maxTotalMulticastAttaches()).isEqualTo(125);
        assertThat(attributes.maxAddressHandles()).isEqualTo(126);
        assertThat(attributes.maxSharedReceiveQueues()).isEqualTo(129);
        assertThat(attributes.maxSharedReceiveRequests()).isEqualTo(130);
        assertThat(attributes.maxSharedReceiveSge()).isEqualTo(131);
        assertThat(attributes.maxPkeys()).isEqualTo(64);
        assertThat(attributes.localAckDelay()).isEqualTo(15);
        assertThat(attributes.ports()).isEqualTo(1);
    }

    @Test
    void aLostDeviceIsNotAskedTwice() {
        channel.answer(UverbsCommand.EX_QUERY_DEVICE, Errno.EIO).answer(UverbsCommand.QUERY_DEVICE, 0);
        assertThatThrownBy(fixtures.context::queryDevice)
                .isInstanceOf(VerbsFault.class)
                .hasMessage("EX_QUERY_DEVICE: EIO");
    }

    private static Bytes port() {
        return Bytes.of(40)
                .u32(0, 0x00010000)
                .u32(4, 0x80000000)
                .u32(8, 3)
                .u32(12, 4)
                .u32(16, 1024)
                .u16(20, 1)
                .u16(22, 5)
                .u16(24, 6)
                .u8(26, 4)
                .u8(27, 5)
                .u8(28, 3)
                .u8(29, 2)
                .u8(34, 2)
                .u8(35, 32)
                .u8(36, 5)
                .u8(37, 2);
    }

    @Test
    void queryPort() {
        channel.answer(UverbsCommand.QUERY_PORT, port(), Bytes.of(0));
        assertThat(fixtures.context.queryPort(1))
                .isEqualTo(new PortAttributes(
                        PortState.ACTIVE,
                        Mtu.MTU_4096,
                        Mtu.MTU_1024,
                        1024,
                        0x00010000,
                        0x80000000L,
                        3,
                        4,
                        1,
                        5,
                        6,
                        2,
                        2,
                        32,
                        5,
                        LinkLayer.ETHERNET));
        assertThat(channel.last())
                .isEqualTo(new FakeChannel.Call(
                        UverbsCommand.QUERY_PORT, Bytes.of(16).u8(8, 1), 40, 0));
    }

    @Test
    void aPortThatTheDeviceLacksAndAPortThatMakesNoSense() {
        channel.answer(UverbsCommand.QUERY_PORT, Errno.EINVAL);
        assertThatThrownBy(() -> fixtures.context.queryPort(2))
                .isInstanceOf(VerbsFault.class)
                .hasMessage("QUERY_PORT: EINVAL");
        channel.answer(UverbsCommand.QUERY_PORT, port().u8(27, 9), Bytes.of(0));
        assertThatThrownBy(() -> fixtures.context.queryPort(1))
                .isInstanceOf(VerbsFault.class)
                .hasMessageContaining("9")
                .hasMessageEndingWith("EIO");
    }

    @Test
    void operationsNameTheirClasses() {
        assertThat(fixtures.context.operations())
                .containsEntry(Operation.POST_SEND, RxeSendQueue.class)
                .containsEntry(Operation.POLL_CQ, RxeCompletionQueue.class)
                .doesNotContainKeys(Operation.ALLOC_DM);
    }
}

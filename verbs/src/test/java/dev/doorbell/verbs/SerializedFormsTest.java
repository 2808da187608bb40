package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The forms in which values travel; the bytes written here must stay readable for ever. */
class SerializedFormsTest {
    private static final RemoteMemory MEMORY = new RemoteMemory(
            0x7f2a_1c00_0010L,
            6L << 30,
            0x8000_1a2b,
            AccessFlag.REMOTE_READ.bit() | AccessFlag.REMOTE_WRITE.bit() | AccessFlag.LOCAL_WRITE.bit());
    private static final String MEMORY_BYTES =
            "4442524d" + "0001" + "0000" + "00007f2a1c000010" + "0000000180000000" + "80001a2b" + "00000007";
    private static final String MEMORY_TEXT = "remote/1:address=0x7f2a1c000010,length=6442450944,rkey=0x80001a2b,"
            + "access=LOCAL_WRITE+REMOTE_WRITE+REMOTE_READ";
    private static final Endpoint ENDPOINT = new Endpoint(
            QueuePairType.RC,
            0x11,
            0x1f2e3d,
            Gid.parseHex("00000000000000000000ffffc0000207"),
            3,
            1,
            Mtu.MTU_1024,
            16,
            8,
            0x1111_1111);
    private static final String ENDPOINT_BYTES = "44424550" + "0001" + "02" + "03" + "00000011" + "001f2e3d"
            + "11111111" + "0003" + "01" + "10" + "08" + "000000" + "00000000000000000000ffffc0000207";
    private static final String ENDPOINT_TEXT = "endpoint/1:type=RC,qpn=0x11,psn=0x1f2e3d,"
            + "gid=00000000000000000000ffffc0000207,lid=3,port=1,mtu=1024,responder=16,initiator=8,qkey=0x11111111";

    @Test
    void whatIsPrintedHasTheNumbersThatMessagesAndCapturesHave() {
        assertThat(MEMORY).hasToString(MEMORY_TEXT);
        assertThat(ENDPOINT)
                .hasToString(
                        "RC queue pair 0x11 at ::ffff:192.0.2.7, LID 3, port 1, PSN 0x1f2e3d, MTU 1024, depths 16 and 8,"
                                + " Q_Key 0x11111111");
        assertThat(QueuePairAttributes.builder()
                        .state(QueuePairState.INIT)
                        .access(AccessFlag.REMOTE_READ.bit())
                        .destinationQueuePair(0x1f)
                        .build())
                .hasToString("QueuePairAttributes[state=INIT, access_flags=[REMOTE_READ], destination_qp=0x1f]");
    }

    @Test
    void remoteMemoryTravelsAsBytesAndText() {
        assertThat(HexFormat.of().formatHex(MEMORY.toBytes())).isEqualTo(MEMORY_BYTES);
        assertThat(RemoteMemory.fromBytes(HexFormat.of().parseHex(MEMORY_BYTES)))
                .isEqualTo(MEMORY);
        assertThat(MEMORY.toText()).isEqualTo(MEMORY_TEXT);
        assertThat(RemoteMemory.fromText(MEMORY_TEXT + "\n")).isEqualTo(MEMORY);
        RemoteMemory bare = new RemoteMemory(-8L, 0, 0, 0);
        assertThat(RemoteMemory.fromText(bare.toText())).isEqualTo(bare);
    }

    @Test
    void endpointsTravelAsBytesAndText() {
        assertThat(HexFormat.of().formatHex(ENDPOINT.toBytes())).isEqualTo(ENDPOINT_BYTES);
        assertThat(ENDPOINT.toBytes()).hasSize(Endpoint.BYTES);
        assertThat(Endpoint.fromBytes(HexFormat.of().parseHex(ENDPOINT_BYTES))).isEqualTo(ENDPOINT);
        assertThat(ENDPOINT.toText()).isEqualTo(ENDPOINT_TEXT);
        assertThat(Endpoint.fromText(ENDPOINT_TEXT)).isEqualTo(ENDPOINT);
    }

    @Test
    void whatIsNoSerialisedValueIsRefusedWithTheReason() {
        assertThatThrownBy(() -> RemoteMemory.fromBytes(new byte[3]))
                .hasMessageContaining("no serialised RemoteMemory");
        assertThatThrownBy(() -> RemoteMemory.fromBytes(ENDPOINT.toBytes()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no serialised RemoteMemory");
        byte[] newer = MEMORY.toBytes();
        newer[5] = 2;
        assertThatThrownBy(() -> RemoteMemory.fromBytes(newer))
                .hasMessageContaining("version 2")
                .hasMessageContaining("the reader is too old");
        byte[] older = ENDPOINT.toBytes();
        older[5] = 0;
        assertThatThrownBy(() -> Endpoint.fromBytes(older)).hasMessageContaining("the writer is too old");
        byte[] longer = java.util.Arrays.copyOf(ENDPOINT.toBytes(), 45);
        assertThatThrownBy(() -> Endpoint.fromBytes(longer)).hasMessageContaining("44 bytes, not 45");
        byte[] negative = MEMORY.toBytes();
        negative[16] = -1;
        assertThatThrownBy(() -> RemoteMemory.fromBytes(negative)).isInstanceOf(IllegalArgumentException.class);
        byte[] wide = ENDPOINT.toBytes();
        wide[8] = 1;
        assertThatThrownBy(() -> Endpoint.fromBytes(wide))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("queue pair number");
        byte[] type = ENDPOINT.toBytes();
        type[6] = 99;
        assertThatThrownBy(() -> Endpoint.fromBytes(type)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsNoTextFormIsRefusedWithTheReason() {
        assertThatThrownBy(() -> RemoteMemory.fromText("remote/2:x"))
                .hasMessageContaining("would start with remote/1:");
        assertThatThrownBy(() -> RemoteMemory.fromText("remote/1:address=0x1,length=2,rkey=3"))
                .hasMessageContaining("lacks access");
        assertThatThrownBy(() -> RemoteMemory.fromText("remote/1:address=zz,length=2,rkey=3,access="))
                .hasMessageContaining("no number");
        assertThatThrownBy(() -> RemoteMemory.fromText("remote/1:address=1,address=1,length=2,rkey=3,access="))
                .hasMessageContaining("no new name=value pair");
        assertThatThrownBy(() -> RemoteMemory.fromText("remote/1:address=1,length=2,rkey=3,access=FLY"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Endpoint.fromText(ENDPOINT_TEXT.replace("qpn=0x11", "qpn=0x1100000011")))
                .hasMessageContaining("too large");
    }

    @Test
    void slicesOfRemoteMemoryStayInside() {
        RemoteMemory memory = new RemoteMemory(0x1000, 100, 7, 4);

        assertThat(memory.slice(10, 90)).isEqualTo(new RemoteMemory(0x100a, 90, 7, 4));
        assertThat(memory.slice(100)).isEqualTo(new RemoteMemory(0x1064, 0, 7, 4));
        assertThat(memory.allows(AccessFlag.REMOTE_READ)).isTrue();
        assertThat(memory.allows(AccessFlag.REMOTE_WRITE)).isFalse();
        for (long[] wrong : new long[][] {{-1, 1}, {0, 101}, {101, 0}, {1, -1}, {50, Long.MAX_VALUE}, {1, 100}}) {
            assertThatThrownBy(() -> memory.slice(wrong[0], wrong[1])).isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThatThrownBy(() -> memory.slice(101)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new RemoteMemory(0, -1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}

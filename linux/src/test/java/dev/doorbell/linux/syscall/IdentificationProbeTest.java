package dev.doorbell.linux.syscall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doorbell.kernel.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How this machine's kernel numbers what a connected socket sends. */
@Timeout(30)
class IdentificationProbeTest {
    private static final InetAddress OWN = InetAddress.ofLiteral("127.0.0.1");

    private final MemorySegment bytes = Arena.ofAuto().allocate(1024);

    @Test
    void sendsAreCountedAndTheProbeSaysHow() {
        try (UdpSocket peer = UdpSocket.bind(OWN, 0);
                UdpSocket socket = UdpSocket.bind(OWN, 0)) {
            socket.connect(OWN, peer.port());
            try (IdentificationProbe probe = new IdentificationProbe(socket)) {
                int next = probe.learn(true);
                assumeTrue(next != IdentificationProbe.UNKNOWN, "NOT TESTED: this kernel does not show what it sends");
                OutgoingMessage message = OutgoingMessage.toPeerOf(socket);
                assertThat(socket.send(0, message, bytes, 0, 64, 0)).isEqualTo(64);
                assertThat(socket.send(0, message, bytes, 0, 640, 64)).isEqualTo(640);
                message.mark(4, 0, 3);
                assertThat(socket.send(0, message, bytes, 0, 64, 0)).isEqualTo(64);
                // Those three, and the probe itself.
                assertThat(probe.next()).isEqualTo(next + 4 & 0xffff);
            }
        }
    }

    @Test
    void whatNobodyHearsIsRefusedAndNotCounted() {
        int nobody;
        try (UdpSocket gone = UdpSocket.bind(OWN, 0)) {
            nobody = gone.port();
        }
        try (UdpSocket socket = UdpSocket.bind(OWN, 0)) {
            socket.connect(OWN, nobody);
            OutgoingMessage message = OutgoingMessage.toPeerOf(socket);
            assertThat(socket.send(0, message, bytes, 0, 64, 0)).isEqualTo(64);
            assertThat(socket.send(0, message, bytes, 0, 64, 0)).isEqualTo(-Errno.ECONNREFUSED);
        }
    }

    @Test
    void aClosedSocketSaysNothing() {
        UdpSocket socket = UdpSocket.bind(OWN, 0);
        try (IdentificationProbe probe = new IdentificationProbe(socket)) {
            socket.close();
            assertThat(probe.learn(false)).isEqualTo(IdentificationProbe.UNKNOWN);
        }
    }

    @Test
    void ipv6HasNone() {
        try (UdpSocket socket = UdpSocket.bind(InetAddress.ofLiteral("::1"), 0)) {
            assertThatThrownBy(() -> new IdentificationProbe(socket)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}

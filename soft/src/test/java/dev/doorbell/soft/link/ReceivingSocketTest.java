package dev.doorbell.soft.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.linux.syscall.IncomingMessages;
import dev.doorbell.linux.syscall.OutgoingMessage;
import dev.doorbell.linux.syscall.UdpSocket;
import dev.doorbell.soft.Loopback;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the system is asked to hand over datagrams together. The sockets are this machine's. */
@Timeout(60)
class ReceivingSocketTest {
    private static final int SHORT = 64;
    private static final int LONG = 4096;

    private final MemorySegment memory = Arena.ofAuto().allocate(1 << 16);
    private final InetAddress own = Loopback.next();
    private final InetAddress peer = Loopback.next();
    private final UdpSocket sender = UdpSocket.bind(peer, Icrc.PORT);
    private final UdpSocket socket = UdpSocket.bind(own, Icrc.PORT);
    private final ReceivingSocket receiving = new ReceivingSocket(socket, Gid.of(own), true);
    private final OutgoingMessage message = new OutgoingMessage(own, Icrc.PORT);
    private final IncomingMessages messages = new IncomingMessages(8);
    private boolean fields;

    @BeforeEach
    void requireSegmentation() {
        assumeThat(sender.canSegment())
                .as("this system cuts sends into datagrams")
                .isTrue();
    }

    @AfterEach
    void close() {
        sender.close();
        socket.close();
    }

    private void send(int datagrams, int bytes) {
        int length = datagrams * bytes;
        assertThat(sender.send(0, message, memory, 0, length, datagrams > 1 ? bytes : 0))
                .isEqualTo(length);
    }

    private int receive(int most) {
        messages.recycle(8);
        return receiving.receive(messages, most, fields);
    }

    /** Short messages that come alone, each taken before the next one. */
    private void converse(int count) {
        for (int index = 0; index < count; index++) {
            send(1, SHORT);
            assertThat(receive(1)).isEqualTo(1);
            assertThat(messages.length(0)).isEqualTo(SHORT);
            assertThat(messages.segmentSize(0)).isZero();
            assertThat(messages.sourcePort(0)).isEqualTo(Icrc.PORT);
            assertThat(messages.sourceLow(0)).isEqualTo(Gid.of(peer).low());
            assertThat(receive(1)).isEqualTo(-Errno.EAGAIN);
        }
    }

    /** Whether one send of two datagrams arrives as one message. So few do not change how things are done. */
    private boolean comesTogether() {
        send(2, SHORT);
        int length = receive(1) == 1 ? messages.length(0) : 0;
        while (receive(1) != -Errno.EAGAIN) {}
        return length == 2 * SHORT;
    }

    @Test
    void aConversationIsReceivedSinglyUntilAStreamBegins() {
        assertThat(comesTogether()).isTrue();
        converse(ReceivingSocket.CONVERSATION);
        assertThat(comesTogether()).isFalse();
        send(3, LONG);
        assertThat(receive(1)).isEqualTo(1);
        assertThat(messages.length(0)).as("the first of them comes alone").isEqualTo(LONG);
        while (receive(1) != -Errno.EAGAIN) {}
        assertThat(comesTogether()).isTrue();
    }

    @Test
    void severalAtOnceAreAStreamToo() {
        converse(ReceivingSocket.CONVERSATION + 2);
        assertThat(comesTogether()).isFalse();
        send(3, SHORT);
        assertThat(receive(8)).isEqualTo(3);
        assertThat(comesTogether()).isTrue();
    }

    @Test
    void messagesWithAnAcknowledgementBehindThemGoOnComingTogether() {
        for (int round = 0; round < 2 * ReceivingSocket.CONVERSATION / 10; round++) {
            converse(10);
            assertThat(comesTogether()).isTrue();
        }
    }

    @Test
    void whetherThereAreSuchMessagesIsTriedAgainNowAndThen() {
        converse(ReceivingSocket.CONVERSATION + 2);
        assertThat(comesTogether()).isFalse();
        converse(ReceivingSocket.TRIAL_EVERY - ReceivingSocket.CONVERSATION);
        assertThat(comesTogether()).isTrue();
    }

    @Test
    void whoMustSayWhatHeadersSayGoesOnSayingIt() {
        fields = true;
        socket.receiveHeaderFields();
        converse(2 * ReceivingSocket.CONVERSATION);
        assertThat(messages.length(0)).isEqualTo(SHORT);
        assertThat(comesTogether()).isTrue();
        send(1, SHORT);
        assertThat(receive(1)).isEqualTo(1);
        assertThat(messages.headerFields(0)).isNotEqualTo(IncomingMessages.NO_FIELDS);
    }

    @Test
    void fieldsThatAreAskedForLaterAreSaidToo() {
        converse(ReceivingSocket.CONVERSATION + 2);
        socket.receiveHeaderFields();
        fields = true;
        send(1, SHORT);
        assertThat(receive(1)).isEqualTo(1);
        assertThat(messages.headerFields(0)).isNotEqualTo(IncomingMessages.NO_FIELDS);
    }
}

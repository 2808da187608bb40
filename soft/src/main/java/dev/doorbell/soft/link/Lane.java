package dev.doorbell.soft.link;

import dev.doorbell.linux.syscall.IdentificationProbe;
import dev.doorbell.linux.syscall.OutgoingMessage;
import dev.doorbell.linux.syscall.UdpSocket;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A socket that is connected to one destination. The system looks the way there up once and not with every send, which is
 * a sixth of what a send of a short packet takes.
 *
 * <p>Over IPv4 the system numbers what is sent through it, and the ICRC covers the number: it is followed by counting, and
 * looked at from time to time.
 *
 * <p>Thread rules: one route owns it, and sends by one thread at a time; {@link #close} may come from any thread.
 */
final class Lane {
    /** A power of two. */
    private static final int LOOK_EVERY = 1 << 14;

    /** Of the socket that the lane was opened beside. */
    final UdpSocket beside;

    final SentHeaders headers;
    private final Lanes lanes;
    private final UdpSocket socket;
    private final OutgoingMessage message;
    private final @Nullable IdentificationProbe probe;
    private final int stripe;

    /** How many sends there were; read by others, who want to know whether it grows. */
    private int sends;

    Lane(Lanes lanes, UdpSocket beside, UdpSocket socket, SentHeaders headers, @Nullable IdentificationProbe probe) {
        this.lanes = lanes;
        this.beside = beside;
        this.socket = socket;
        this.headers = headers;
        this.probe = probe;
        this.message = OutgoingMessage.toPeerOf(socket);
        this.stripe = socket.nextStripe();
    }

    /** See {@link DatagramPort.Route#mark}. */
    void mark(long fields) {
        LinuxRoute.mark(message, fields);
    }

    /** See {@link DatagramPort.Route#send}. */
    long send(MemorySegment memory, long at, int length, int segmentBytes) {
        long result = socket.send(stripe, message, memory, at, length, segmentBytes);
        if (result >= 0) {
            headers.sent();
            sends++;
        }
        return result;
    }

    /** False if the system turns out not to count as it used to, or does not say. It is asked now and then, by a send. */
    boolean isInStep() {
        if (probe == null || (sends & LOOK_EVERY - 1) != LOOK_EVERY - 1) {
            return true;
        }
        // The probe is a send too.
        headers.sent();
        sends++;
        int asked = probe.next();
        if (asked != headers.next() && asked != IdentificationProbe.UNKNOWN) {
            lanes.distrust();
        }
        return asked == headers.next();
    }

    /** How many sends there were, roughly. */
    int sends() {
        return sends;
    }

    /** Idempotent. */
    void close() {
        socket.close();
        if (probe != null) {
            probe.close();
        }
    }
}

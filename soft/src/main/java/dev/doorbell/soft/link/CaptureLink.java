package dev.doorbell.soft.link;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.spec.Gid;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * A link whose packets are written down: those that it sends, and those that arrive. Put it below
 * {@link dev.doorbell.soft.fault.FaultInjector} to see the network, above it to see the device.
 */
public final class CaptureLink extends ForwardingLink {
    private final CaptureFile file;

    /** Writes a link's packets into a file, which stays open. */
    public CaptureLink(PacketLink link, CaptureFile file) {
        super(link);
        this.file = file;
    }

    /**
     * Begins a file that waits for a device.
     *
     * @throws KernelException EIO if it cannot be written: who asked for a capture is not left without one in silence
     */
    @Override
    public Optional<List<Gid>> attach() {
        try {
            file.begin();
        } catch (UncheckedIOException e) {
            throw new KernelException(Errno.EIO, e.getMessage() + ": " + reason(e));
        }
        return super.attach();
    }

    private static String reason(UncheckedIOException e) {
        return String.valueOf(e.getCause() == null ? null : e.getCause().getMessage());
    }

    @Override
    public Transmitter newTransmitter() {
        return new Writer(link().newTransmitter());
    }

    @Override
    public int receive(PacketSink sink, long nowNs, int limit) {
        return link().receive(new Reader(sink), nowNs, limit);
    }

    /** Writes packets down as they arrive. */
    private final class Reader implements PacketSink {
        private final PacketSink sink;

        Reader(PacketSink sink) {
            this.sink = sink;
        }

        @Override
        public void header(long arrived) {
            sink.header(arrived);
        }

        @Override
        public void onPacket(MemorySegment memory, long at, int length, Gid source, Gid destination) {
            file.write(memory, at, length, source, destination);
            sink.onPacket(memory, at, length, source, destination);
        }
    }

    /** Writes packets down as they are sent. */
    private final class Writer implements Transmitter {
        private final Transmitter transmitter;
        private long claimed;

        Writer(Transmitter transmitter) {
            this.transmitter = transmitter;
        }

        @Override
        public MemorySegment memory() {
            return transmitter.memory();
        }

        @Override
        public long claim() {
            claimed = transmitter.claim();
            return claimed;
        }

        @Override
        public void send(int length, Gid source, Gid destination) {
            file.write(memory(), claimed, length, source, destination);
            transmitter.send(length, source, destination);
        }

        @Override
        public void mark(long marks) {
            transmitter.mark(marks);
        }

        @Override
        public boolean hasRoom(Gid destination) {
            return transmitter.hasRoom(destination);
        }

        @Override
        public void flush() {
            transmitter.flush();
        }
    }
}

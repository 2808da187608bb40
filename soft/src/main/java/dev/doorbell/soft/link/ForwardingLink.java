package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A link on top of another, which does everything until a subclass does it: the start of a decorator. */
public abstract class ForwardingLink implements PacketLink {
    private final PacketLink link;

    /** Puts a link on top of another. */
    protected ForwardingLink(PacketLink link) {
        this.link = link;
    }

    /** What is below. */
    protected final PacketLink link() {
        return link;
    }

    @Override
    public List<Gid> addresses() {
        return link.addresses();
    }

    @Override
    public int maxPacketBytes() {
        return link.maxPacketBytes();
    }

    @Override
    public Transmitter newTransmitter() {
        return link.newTransmitter();
    }

    @Override
    public boolean isUsed() {
        return link.isUsed();
    }

    @Override
    public boolean hasPackets() {
        return link.hasPackets();
    }

    @Override
    public int receive(PacketSink sink, long nowNs, int limit) {
        return link.receive(sink, nowNs, limit);
    }

    @Override
    public long nextDeadlineNs() {
        return link.nextDeadlineNs();
    }

    @Override
    public @Nullable Gid route(Gid destination, int scope) {
        return link.route(destination, scope);
    }

    @Override
    public void onArrival(Runnable wakeUp) {
        link.onArrival(wakeUp);
    }

    @Override
    public void listen() {
        link.listen();
    }

    @Override
    public void join(Gid group) {
        link.join(group);
    }

    @Override
    public void leave(Gid group) {
        link.leave(group);
    }

    @Override
    public boolean isUp() {
        return link.isUp();
    }

    @Override
    public boolean has(Gid address) {
        return link.has(address);
    }

    @Override
    public void onStateChange(Runnable action) {
        link.onStateChange(action);
    }

    @Override
    public @Nullable PacketWatch watch() {
        return link.watch();
    }

    @Override
    public Optional<List<Gid>> attach() {
        return link.attach();
    }

    @Override
    public void detach() {
        link.detach();
    }

    @Override
    public Mtu activeMtu() {
        return link.activeMtu();
    }

    @Override
    public String state() {
        return link.state();
    }

    @Override
    public Map<String, Long> counters() {
        return link.counters();
    }

    @Override
    public void close() {
        link.close();
    }
}

package dev.doorbell.conformance.fabric;

import dev.doorbell.conformance.LinkFaults;
import dev.doorbell.spec.Opcode;
import dev.doorbell.wire.PacketView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Faults that a case asked for. Thread rules: any thread. */
final class ScriptedFaults implements LinkFaults {
    // Guarded by this.
    private final List<Order> orders = new ArrayList<>();
    private final PacketView view = new PacketView();
    private @Nullable Packets counting;
    private int counted;
    private volatile boolean any;

    /** What becomes of a packet. */
    enum Fate {
        PASS,
        DROP,
        TWICE
    }

    private static final class Order {
        private final Packets kind;
        private final Fate fate;
        private int pass;
        private int count;

        Order(Packets kind, Fate fate, int pass, int count) {
            this.kind = kind;
            this.fate = fate;
            this.pass = pass;
            this.count = count;
        }
    }

    @Override
    public void drop(Packets kind, int pass, int count) {
        order(new Order(kind, Fate.DROP, pass, count));
    }

    @Override
    public void duplicate(Packets kind, int pass, int count) {
        order(new Order(kind, Fate.TWICE, pass, count));
    }

    @Override
    public synchronized void count(Packets kind) {
        counting = kind;
        counted = 0;
        any = true;
    }

    @Override
    public synchronized int counted() {
        return counted;
    }

    private synchronized void order(Order order) {
        orders.add(order);
        any = true;
    }

    /** Whether a packet has to be looked at. */
    boolean any() {
        return any;
    }

    synchronized Fate decide(MemorySegment packet, long at, int length) {
        view.parse(packet, at, length);
        if (counting != null && is(counting, view.opcode())) {
            counted++;
        }
        for (Order order : orders) {
            if (is(order.kind, view.opcode()) && order.count > 0) {
                if (order.pass > 0) {
                    order.pass--;
                } else {
                    order.count--;
                    return order.fate;
                }
            }
        }
        return Fate.PASS;
    }

    private static boolean is(Packets kind, int opcode) {
        return switch (kind) {
            case REQUEST -> !Opcode.isResponse(opcode);
            case READ_REQUEST -> opcode == Opcode.RC_READ_REQUEST;
            case ATOMIC_REQUEST -> opcode == Opcode.RC_COMPARE_SWAP || opcode == Opcode.RC_FETCH_ADD;
            case READ_RESPONSE -> opcode >= Opcode.RC_READ_RESPONSE_FIRST && opcode <= Opcode.RC_READ_RESPONSE_ONLY;
            case ACKNOWLEDGE -> opcode == Opcode.RC_ACKNOWLEDGE;
            case ATOMIC_ACKNOWLEDGE -> opcode == Opcode.RC_ATOMIC_ACKNOWLEDGE;
        };
    }
}

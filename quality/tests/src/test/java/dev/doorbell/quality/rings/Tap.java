package dev.doorbell.quality.rings;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.abi.RxeQueueHeader;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.quality.stack.TappedChannel;
import dev.doorbell.quality.stack.TappedKernel;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a {@link TappedKernel} has seen: the rings that were mapped; and what it shall do before it rings a doorbell. */
final class Tap {
    private static final long PATIENCE_NS = 10_000_000_000L;

    private final List<MemorySegment> mappings = new CopyOnWriteArrayList<>();
    private volatile Runnable beforeDoorbell = () -> {};

    /** Kinds of rings, told apart by the size of their elements where sends take 4 elements and receives take 8. */
    enum Kind {
        COMPLETION,
        RECEIVE,
        SEND;

        private static Kind of(SharedRing ring) {
            return switch (ring.elementSize()) {
                case 128 -> COMPLETION;
                case 256 -> RECEIVE;
                default -> SEND;
            };
        }
    }

    private final Map<MemorySegment, MemorySegment> offers = new ConcurrentHashMap<>();
    private volatile UnaryOperator<MemorySegment> offer = UnaryOperator.identity();
    private volatile int refusal;

    /** Gives programs something else for each of the following mappings. */
    void offer(UnaryOperator<MemorySegment> instead) {
        offer = instead;
    }

    /** Refuses doorbells with this errno; 0 to let them ring again. */
    void refuseDoorbells(int errno) {
        refusal = errno;
    }

    /** Puts this tap on a channel. */
    CommandChannel on(CommandChannel channel) {
        return new TappedChannel(channel) {
            @Override
            protected void mapped(MemorySegment mapping) {
                mappings.add(mapping);
            }

            @Override
            protected MemorySegment offered(MemorySegment mapping) {
                MemorySegment offered = offer.apply(mapping);
                offers.put(offered, mapping);
                return offered;
            }

            @Override
            protected MemorySegment original(MemorySegment offered) {
                return Objects.requireNonNull(offers.get(offered));
            }

            @Override
            protected int refusal() {
                return refusal;
            }

            @Override
            protected void ringing() {
                beforeDoorbell.run();
            }
        };
    }

    /** Holds the next doorbells back until this has run. */
    void beforeDoorbell(Runnable action) {
        beforeDoorbell = action;
    }

    /** The newest element of a ring of this kind whose first eight bytes, the identifier in all of them, are these. */
    Element await(Kind kind, long id) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < PATIENCE_NS) {
            Element element = find(kind, id);
            if (element != null) {
                return element;
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("no " + kind + " ring has got an element with the identifier " + id);
    }

    private @Nullable Element find(Kind kind, long id) {
        for (MemorySegment mapping : mappings) {
            SharedRing ring = RxeQueueHeader.open(mapping);
            for (int index = 0; Kind.of(ring) == kind && index <= ring.capacity(); index++) {
                Element element = new Element(ring, index);
                if (element.isProduced() && element.id() == id) {
                    return element;
                }
            }
        }
        return null;
    }
}

package dev.doorbell.soft.hca;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a requester has under way takes as much memory as it ever needed, and stays in its order when it gets more. */
final class FlightTest {
    private static final int CAPACITY = 128;

    private final Flight flight = new Flight(CAPACITY, 1);
    private final Deque<Long> expected = new ArrayDeque<>();
    private long added;

    @Test
    void takesMemoryForOneWhileThereIsOneAtATime() {
        flight.start(0);
        for (int i = 0; i < 1000; i++) {
            add();
            flight.sent(1);
            remove();
        }
        assertThat(flight.slots()).isOne();
    }

    @Test
    void takesMemoryForAsManyAsThereWereAtATime() {
        flight.start(0);
        for (int i = 0; i < 20; i++) {
            add();
        }
        assertThat(flight.slots()).isEqualTo(32);
        while (!flight.isFull()) {
            add();
        }
        assertThat(expected).hasSize(CAPACITY);
        assertThat(flight.slots()).isEqualTo(CAPACITY);
    }

    @Test
    void growsInAnyPlaceWithoutMixingUpTheOrder() {
        for (int seed = 0; seed < 200; seed++) {
            Flight fresh = new Flight(CAPACITY, 1);
            play(fresh, new Random(seed));
        }
    }

    /** Adds, sends and removes at random, more of the first as time goes on, until it is full. */
    private static void play(Flight flight, Random random) {
        Deque<Long> order = new ArrayDeque<>();
        Deque<Long> unsent = new ArrayDeque<>();
        flight.start(7);
        long next = 0;
        while (!flight.isFull()) {
            if (random.nextInt(5) < 3) {
                WorkRequest work = flight.add();
                work.id = next;
                flight.number(work, 1, 1);
                order.add(next);
                unsent.add(next++);
            } else if (flight.hasUnsent() && random.nextBoolean()) {
                assertThat(flight.sending().id).isEqualTo(unsent.remove());
                flight.sent(1);
            } else if (!flight.isEmpty() && unsent.size() < order.size()) {
                assertThat(flight.oldest().id).isEqualTo(order.remove());
                flight.remove();
            }
        }
        while (!flight.isEmpty()) {
            assertThat(flight.oldest().id).isEqualTo(order.remove());
            flight.remove();
        }
        assertThat(order).isEmpty();
    }

    private void add() {
        WorkRequest work = flight.add();
        work.id = added;
        flight.number(work, 1, 1);
        expected.add(added++);
    }

    private void remove() {
        assertThat(flight.oldest().id).isEqualTo(expected.remove());
        flight.remove();
    }
}

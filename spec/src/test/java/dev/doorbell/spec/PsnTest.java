package dev.doorbell.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PsnTest {
    private static final long SEED = 0x5eed_0001L;
    private static final int HALF = 1 << 23;

    @Test
    void nextGoesOnceAroundTheWholeCircle() {
        int psn = 0xabcdef;
        for (int steps = 0; steps < Psn.COUNT; steps++) {
            int next = Psn.next(psn);
            if (next != (psn == 0xffffff ? 0 : psn + 1) || Psn.diff(next, psn) != 1 || Psn.diff(psn, next) != -1) {
                throw new AssertionError("after %06x comes %06x".formatted(psn, next));
            }
            psn = next;
        }
        assertThat(psn).isEqualTo(0xabcdef);
    }

    @Test
    void everyDistanceComesBackFromEveryKindOfStart() {
        for (int base : new int[] {0, 1, 0x7fffff, 0x800000, 0xfffffe, 0xffffff, 0x123456}) {
            for (int distance = -HALF; distance < HALF; distance++) {
                if (Psn.diff(Psn.add(base, distance), base) != distance) {
                    throw new AssertionError("%06x + %d".formatted(base, distance));
                }
            }
        }
    }

    @Test
    void orderIsThatOfDistancesLessThanHalfTheCircle() {
        Random random = new Random(SEED);
        for (int i = 0; i < 1_000_000; i++) {
            int left = random.nextInt(Psn.COUNT);
            int distance = random.nextInt(1 - HALF, HALF);
            int right = Psn.add(left, distance);
            assertSign(left, right, -distance);
            assertSign(right, left, distance);
        }
        assertThat(Psn.compare(0x000000, 0xffffff)).isPositive();
        assertThat(Psn.compare(0xffffff, 0x000000)).isNegative();
        assertThat(Psn.compare(0x7fffff, 0x000000)).isPositive();
    }

    private static void assertSign(int left, int right, int expected) {
        if (Integer.signum(Psn.compare(left, right)) != Integer.signum(expected)) {
            throw new AssertionError("compare(%06x, %06x) = %d".formatted(left, right, Psn.compare(left, right)));
        }
    }

    @Test
    void aRangeHoldsItsNumbersAndNoOther() {
        Random random = new Random(SEED);
        for (int i = 0; i < 1_000_000; i++) {
            int first = random.nextInt(Psn.COUNT);
            int packets = 1 + random.nextInt(HALF);
            int inside = Psn.add(first, random.nextInt(packets));
            int outside = Psn.add(first, packets + random.nextInt(Psn.COUNT - packets));
            if (!Psn.inRange(inside, first, packets) || Psn.inRange(outside, first, packets)) {
                throw new AssertionError("range of %d from %06x".formatted(packets, first));
            }
        }
        assertThat(Psn.inRange(0x000001, 0xfffffe, 4)).isTrue();
        assertThat(Psn.inRange(0x000002, 0xfffffe, 4)).isFalse();
        assertThat(Psn.inRange(0x000002, 0x000002, 0)).isFalse();
        assertThat(Psn.inRange(0x000002, 0x000003, Psn.COUNT)).isTrue();
    }

    @Test
    void additionWrapsBothWays() {
        assertThat(Psn.add(0xffffff, 1)).isZero();
        assertThat(Psn.add(0, -1)).isEqualTo(0xffffff);
        assertThat(Psn.add(0x800000, 0x800000)).isZero();
        assertThat(Psn.add(0xffffff, Integer.MAX_VALUE)).isBetween(0, Psn.MASK);
    }

    @Test
    void printsSixDigits() {
        assertThat(Psn.toString(0xabc)).isEqualTo("000abc");
        assertThat(Psn.toString(-1)).isEqualTo("ffffff");
    }
}

package dev.doorbell.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/** What one run of a {@link Property} draws. The same seed draws the same. Not for several threads. */
public final class Draw {
    private static final int REMEMBERED = 40;

    private final long seed;
    private final SplittableRandom random;
    private final List<String> drawn = new ArrayList<>();
    private int count;

    /** Draws from a seed. */
    public Draw(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    /** The seed of this run. */
    public long seed() {
        return seed;
    }

    /** A number from {@code least} to {@code most}, both included. Edges come more often than their share. */
    public int intIn(int least, int most) {
        return (int) longIn(least, most);
    }

    /** A number from {@code least} to {@code most}, both included. Edges come more often than their share. */
    public long longIn(long least, long most) {
        if (least > most) {
            throw new IllegalArgumentException("nothing lies from " + least + " to " + most);
        }
        return remember(
                switch (random.nextInt(8)) {
                    case 0 -> least;
                    case 1 -> most;
                    default -> between(least, most);
                });
    }

    private long between(long least, long most) {
        return most == Long.MAX_VALUE
                ? (least == Long.MIN_VALUE ? random.nextLong() : random.nextLong(least - 1, most) + 1)
                : random.nextLong(least, most + 1);
    }

    /** Any number. */
    public long anyLong() {
        return remember(random.nextLong());
    }

    /** True so often: 0 is never, 1 is always. */
    public boolean chance(double probability) {
        return remember(random.nextDouble() < probability);
    }

    /** One of these. */
    public <T> T oneOf(List<T> choices) {
        return remember(choices.get(random.nextInt(choices.size())));
    }

    /** Random bytes. */
    public byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        remember(length + " bytes");
        return bytes;
    }

    /** A list of {@code least} to {@code most} things. */
    public <T> List<T> list(int least, int most, Function<Draw, T> element) {
        int size = intIn(least, most);
        List<T> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            list.add(element.apply(this));
        }
        return list;
    }

    private <T> T remember(T value) {
        count++;
        if (drawn.size() == REMEMBERED) {
            drawn.removeFirst();
        }
        drawn.add(String.valueOf(value));
        return value;
    }

    /** The last things that were drawn. */
    @Override
    public String toString() {
        String before = count > drawn.size() ? "… (" + (count - drawn.size()) + " before), " : "";
        return "seed " + seed + ": " + before + String.join(", ", drawn);
    }
}

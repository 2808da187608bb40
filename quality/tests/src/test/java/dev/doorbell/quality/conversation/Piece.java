package dev.doorbell.quality.conversation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A part of a {@link Mirror}: a scatter/gather element. */
record Piece(long at, long bytes) {
    /** Room that {@link #split} may need beside the bytes themselves. */
    static final long SLACK = 64;

    /** Cuts so many bytes into up to four elements with gaps between them, from {@code at} on. */
    static List<Piece> split(long at, long bytes, SplittableRandom random) {
        int parts = random.nextInt(8) < 5 ? 1 : random.nextInt(2, 5);
        List<Piece> pieces = new ArrayList<>(parts);
        long next = at + random.nextInt(16);
        long left = bytes;
        for (int part = 1; part < parts; part++) {
            long here = random.nextLong(left + 1);
            pieces.add(new Piece(next, here));
            next += here + random.nextInt(16);
            left -= here;
        }
        pieces.add(new Piece(next, left));
        return pieces;
    }

    static long bytes(List<Piece> pieces) {
        return pieces.stream().mapToLong(Piece::bytes).sum();
    }
}

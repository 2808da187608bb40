package dev.doorbell.quality.misuse;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.memory.Host;
import dev.doorbell.quality.stack.TappedChannel;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** A channel on which a word of an answer is now and then another one, or a command that was carried out is said to have failed. */
final class LyingChannel extends TappedChannel {
    private static final int[] WORDS = {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x7f, 0x8000, 1 << 20};
    private static final int[] ERRNOS = {1, 4, 11, 12, 22, 95, 9999};

    private final SplittableRandom chance;
    private final int truths;

    /**
     * @param truths how many answers are true for one that is not
     */
    LyingChannel(CommandChannel channel, SplittableRandom chance, int truths) {
        super(channel);
        this.chance = chance;
        this.truths = truths;
    }

    @Override
    protected void mapped(MemorySegment mapping) {}

    @Override
    protected void ringing() {}

    @Override
    public synchronized int invoke(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        int errno = super.invoke(command, coreIn, coreOut, driverIn, driverOut);
        if (errno != 0 || chance.nextInt(truths) != 0) {
            return errno;
        }
        if (chance.nextInt(8) == 0) {
            return ERRNOS[chance.nextInt(ERRNOS.length)];
        }
        change(coreOut);
        change(driverOut);
        return 0;
    }

    private void change(MemorySegment answer) {
        long words = answer.byteSize() / Integer.BYTES;
        if (words > 0 && !answer.isReadOnly()) {
            int word = chance.nextInt(3) == 0 ? chance.nextInt() : WORDS[chance.nextInt(WORDS.length)];
            Host.setInt(answer, chance.nextLong(words) * Integer.BYTES, word);
        }
    }
}

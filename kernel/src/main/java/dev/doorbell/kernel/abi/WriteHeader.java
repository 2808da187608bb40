package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The header of every command that travels by write(). Lengths are counted in words of 4 bytes, header and driver
 * data included; for an extended command they count words of 8 bytes of core data only.
 *
 * <pre>
 *   struct ib_uverbs_cmd_hdr
 *      0  u32    command    the command word, see {@link UverbsCommand#word}
 *      4  u16    in_words   words of the request
 *      6  u16    out_words  words of the response buffer
 *      8  bytes in all
 * </pre>
 */
public final class WriteHeader {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int COMMAND = 0;
    private static final int IN_WORDS = 4;
    private static final int OUT_WORDS = 6;

    private WriteHeader() {}

    /** The command word, see {@link UverbsCommand#word}. */
    public static int command(MemorySegment segment, long at) {
        return Host.getInt(segment, at + COMMAND);
    }

    /** Stores {@link #command}. */
    public static void setCommand(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + COMMAND, value);
    }

    /** Words of the request. */
    public static int inWords(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + IN_WORDS);
    }

    /** Stores {@link #inWords}. */
    public static void setInWords(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + IN_WORDS, value);
    }

    /** Words of the response buffer. */
    public static int outWords(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + OUT_WORDS);
    }

    /** Stores {@link #outWords}. */
    public static void setOutWords(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + OUT_WORDS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_cmd_hdr", SIZE)
                .u32("command", COMMAND)
                .u16("in_words", IN_WORDS)
                .u16("out_words", OUT_WORDS);
    }
}

package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * What follows {@link WriteHeader} in an extended command. Lengths are counted in words of 8 bytes.
 *
 * <pre>
 *   struct ib_uverbs_ex_cmd_hdr
 *      0  u64    response            address of the response buffer
 *      8  u16    provider_in_words   words of driver data in the request
 *     10  u16    provider_out_words  words of driver data in the response buffer
 *     12  u32    cmd_hdr_reserved    0
 *     16  bytes in all
 * </pre>
 */
public final class ExtendedWriteHeader {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    private static final int RESPONSE = 0;
    private static final int PROVIDER_IN_WORDS = 8;
    private static final int PROVIDER_OUT_WORDS = 10;

    private ExtendedWriteHeader() {}

    /** Address of the response buffer. */
    public static long response(MemorySegment segment, long at) {
        return Host.getLong(segment, at + RESPONSE);
    }

    /** Stores {@link #response}. */
    public static void setResponse(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + RESPONSE, value);
    }

    /** Words of driver data in the request. */
    public static int providerInWords(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + PROVIDER_IN_WORDS);
    }

    /** Stores {@link #providerInWords}. */
    public static void setProviderInWords(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + PROVIDER_IN_WORDS, value);
    }

    /** Words of driver data in the response buffer. */
    public static int providerOutWords(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + PROVIDER_OUT_WORDS);
    }

    /** Stores {@link #providerOutWords}. */
    public static void setProviderOutWords(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + PROVIDER_OUT_WORDS, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_ex_cmd_hdr", SIZE)
                .u64("response", RESPONSE)
                .u16("provider_in_words", PROVIDER_IN_WORDS)
                .u16("provider_out_words", PROVIDER_OUT_WORDS)
                .reserved("cmd_hdr_reserved", 12, 4);
    }
}

package dev.doorbell.verbs;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/** The head that serialised values share: u32 magic, u16 version. */
final class Serialized {
    private Serialized() {}

    static void check(String type, MemorySegment bytes, int size, int magic, int version) {
        if (bytes.byteSize() < 6 || Be.getInt(bytes, 0) != magic) {
            throw new IllegalArgumentException("these " + bytes.byteSize() + " bytes are no serialised " + type);
        }
        int found = Be.getUnsignedShort(bytes, 4);
        if (found != version) {
            throw new IllegalArgumentException("this " + type + " has version " + found + ", and only version "
                    + version + " is known here: the " + (found > version ? "reader" : "writer") + " is too old");
        }
        if (bytes.byteSize() != size) {
            throw new IllegalArgumentException(
                    "a serialised " + type + " has " + size + " bytes, not " + bytes.byteSize());
        }
    }
}

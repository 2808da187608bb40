package dev.doorbell.quality.documents;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names that a 64-bit little-endian shared object defines for others (System V ABI, dynamic symbol table).
 *
 * <pre>
 *   ELF header ─ e_shoff ─→ section headers ─ type DYNSYM ─→ symbols ─ st_name ─→ the string table that sh_link names
 * </pre>
 */
final class ElfSymbols {
    private static final int MAGIC = 0x464c457f;
    private static final int DYNSYM = 11;
    private static final int SYMBOL_BYTES = 24;

    private final ByteBuffer file;

    private ElfSymbols(ByteBuffer file) {
        this.file = file;
    }

    static Set<String> definedIn(Path library) throws IOException {
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(library)).order(ByteOrder.LITTLE_ENDIAN);
        if (file.getInt(0) != MAGIC || file.get(4) != 2 || file.get(5) != 1) {
            throw new IOException(library + " is not a 64-bit little-endian ELF file");
        }
        return new ElfSymbols(file).defined();
    }

    private Set<String> defined() {
        int sections = (int) file.getLong(0x28);
        int sectionBytes = file.getShort(0x3a);
        int count = file.getShort(0x3c);
        Set<String> names = new TreeSet<>();
        for (int index = 0; index < count; index++) {
            int section = sections + index * sectionBytes;
            if (file.getInt(section + 0x04) == DYNSYM) {
                int strings = sections + file.getInt(section + 0x28) * sectionBytes;
                collect(offset(section), (int) file.getLong(section + 0x20), offset(strings), names);
            }
        }
        return names;
    }

    private int offset(int section) {
        return (int) file.getLong(section + 0x18);
    }

    private void collect(int symbols, int bytes, int strings, Set<String> into) {
        for (int symbol = symbols; symbol < symbols + bytes; symbol += SYMBOL_BYTES) {
            boolean defined = file.getShort(symbol + 6) != 0;
            if (defined) {
                into.add(string(strings + file.getInt(symbol)));
            }
        }
    }

    private String string(int at) {
        int end = at;
        while (file.get(end) != 0) {
            end++;
        }
        byte[] name = new byte[end - at];
        file.get(at, name);
        return new String(name, StandardCharsets.US_ASCII);
    }
}

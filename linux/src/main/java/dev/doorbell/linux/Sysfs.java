package dev.doorbell.linux;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Attributes of devices as small text files. What is absent, or cannot be read, reads as an empty text or an empty
 * list: a device may vanish at any moment, and the kernel answers EINVAL for the attributes of an empty slot.
 *
 * @param root where sysfs is mounted
 */
record Sysfs(Path root) {
    /** The kernel gives an attribute one page. */
    private static final int MAX_BYTES = 4096;

    /** The text of an attribute without surrounding white space; empty if there is none. */
    String text(String attribute) {
        // A plain stream: a table of a thousand attributes takes half as long as with Files.readString.
        try (FileInputStream file = new FileInputStream(root.resolve(attribute).toFile())) {
            return new String(file.readNBytes(MAX_BYTES), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** An attribute that is a number, decimal or 0x hexadecimal; {@code absent} if there is none. */
    int number(String attribute, int absent) {
        String text = text(attribute);
        try {
            return text.isEmpty() ? absent : Integer.decode(text);
        } catch (NumberFormatException e) {
            return absent;
        }
    }

    /** The names in a folder, in no order; empty if there is none. */
    List<String> names(String folder) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(folder))) {
            entries.forEach(entry -> names.add(fileName(entry)));
            return names;
        } catch (IOException | DirectoryIteratorException e) {
            return List.of();
        }
    }

    /** The last name of what a symbolic link points to; empty if there is none. */
    String linkTarget(String link) {
        try {
            return fileName(Files.readSymbolicLink(root.resolve(link)));
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    private static String fileName(Path path) {
        Path name = path.getFileName();
        return name == null ? "" : name.toString();
    }
}

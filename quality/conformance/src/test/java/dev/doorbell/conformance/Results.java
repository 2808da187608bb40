package dev.doorbell.conformance;

import dev.doorbell.conformance.cases.AllCases;
import dev.doorbell.conformance.report.Column;
import dev.doorbell.conformance.report.ConformanceDocument;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The checked-in results and the document that is made of them. */
final class Results {
    /** System property: write the files instead of comparing. */
    static final String WRITE = "doorbell.conformance.write";

    /** How to do so. */
    static final String COMMAND = "mvn -q -pl quality/conformance -am test -Dtest=ConformanceTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -D" + WRITE + "=true";

    private static final Path MODULE =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Path FOLDER = MODULE.resolve("results");
    private static final Path DOCUMENT =
            MODULE.resolve("../../docs/conformance.md").normalize();

    private Results() {}

    static boolean areToBeWritten() {
        return Boolean.getBoolean(WRITE);
    }

    /** The checked-in results of a fabric; empty if there are none. */
    static String checkedIn(String fabric) {
        Path file = FOLDER.resolve(fabric + ".txt");
        return Files.exists(file) ? read(file) : "";
    }

    static void write(Column column) {
        write(FOLDER.resolve(column.name() + ".txt"), column.toText());
    }

    /** The document, from what is checked in. */
    static String document(List<String> appendices) {
        List<Column> columns = new ArrayList<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            files.sorted().forEach(file -> {
                String name = file.getFileName().toString().replace(".txt", "");
                columns.add(Column.parse(name, read(file)));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ConformanceDocument(AllCases.list(), columns, appendices).text();
    }

    static String checkedInDocument() {
        return Files.exists(DOCUMENT) ? read(DOCUMENT) : "";
    }

    static void writeDocument(String text) {
        write(DOCUMENT, text);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.doorbell.conformance.saboteurs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A deliberate mistake.
 *
 * @param name its file's name
 * @param mistake what is wrong
 * @param catchers the cases that must catch it
 * @param notOverSockets why it need not be caught over sockets too; empty if it must
 * @param notByMlx5 why it need not be caught through the mlx5 driver too; empty if it must
 * @param edits what is changed
 */
record Saboteur(
        String name,
        String mistake,
        List<Catcher> catchers,
        String notOverSockets,
        String notByMlx5,
        List<Edit> edits) {
    private static final String NOT_OVER_SOCKETS = "not over sockets: ";
    private static final String NOT_BY_MLX5 = "not by mlx5: ";

    /** A case on a fabric. */
    record Catcher(String test, String fabric) {
        /** For {@link SabotagedRun}. */
        String argument() {
            return test + " " + fabric;
        }

        /** The same case somewhere else. */
        Catcher on(String another) {
            return new Catcher(test, another);
        }

        @Override
        public String toString() {
            return test + " on " + fabric;
        }
    }

    /** A text that is replaced. It stands in one place of a folder's classes, wherever that is. */
    record Edit(String folder, String find, String with) {
        private Pattern pattern() {
            return Pattern.compile(
                    Stream.of(find.strip().split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s+")));
        }

        /** Changes the one class that has the text. */
        void apply(Map<String, String> sources) {
            Pattern pattern = pattern();
            List<String> places = new ArrayList<>();
            sources.forEach((file, source) -> {
                if (file.startsWith(folder)) {
                    pattern.matcher(source).results().forEach(match -> places.add(file));
                }
            });
            if (places.size() != 1) {
                throw new AssertionError(folder + " has the text to change in "
                        + (places.isEmpty() ? "no place any more" : places) + ":\n" + find);
            }
            sources.computeIfPresent(
                    places.getFirst(),
                    (file, source) -> pattern.matcher(source).replaceFirst(Matcher.quoteReplacement(with)));
        }
    }

    static Saboteur parse(String name, String text) {
        List<String> mistake = new ArrayList<>();
        List<Catcher> catchers = new ArrayList<>();
        List<Edit> edits = new ArrayList<>();
        String notOverSockets = "";
        String notByMlx5 = "";
        String file = "";
        StringBuilder find = new StringBuilder();
        StringBuilder with = new StringBuilder();
        StringBuilder into = null;
        for (String line : text.lines().toList()) {
            if (line.equals("find")) {
                find.setLength(0);
                with.setLength(0);
                into = find;
            } else if (line.equals("with")) {
                into = with;
            } else if (line.equals("end")) {
                edits.add(new Edit(file, find.toString(), with.toString()));
                into = null;
            } else if (into != null) {
                into.append(line).append('\n');
            } else if (line.startsWith("edit ")) {
                file = line.substring("edit ".length());
            } else if (line.startsWith("catch ")) {
                String[] words = line.split(" ", -1);
                catchers.add(new Catcher(words[1], words[3]));
            } else if (line.startsWith(NOT_OVER_SOCKETS)) {
                notOverSockets = line.substring(NOT_OVER_SOCKETS.length());
            } else if (line.startsWith(NOT_BY_MLX5)) {
                notByMlx5 = line.substring(NOT_BY_MLX5.length());
            } else if (!line.isBlank()) {
                mistake.add(line);
            }
        }
        if (mistake.isEmpty() || catchers.isEmpty() || edits.isEmpty() || into != null) {
            throw new AssertionError(name + " lacks a sentence, a case or an edit");
        }
        return new Saboteur(name, String.join(" ", mistake), catchers, notOverSockets, notByMlx5, edits);
    }

    /** The changed sources, by the name of their class. */
    Map<String, String> sources(Path root) {
        Map<String, String> before = new LinkedHashMap<>();
        edits.forEach(edit -> before.putAll(read(root, edit.folder())));
        Map<String, String> after = new LinkedHashMap<>(before);
        edits.forEach(edit -> edit.apply(after));
        after.entrySet().removeIf(entry -> entry.getValue().equals(before.get(entry.getKey())));
        Map<String, String> sources = new LinkedHashMap<>();
        after.forEach((file, source) -> sources.put(className(file), source));
        return sources;
    }

    private static Map<String, String> read(Path root, String folder) {
        Map<String, String> files = new LinkedHashMap<>();
        try (Stream<Path> found = Files.walk(root.resolve(folder))) {
            for (Path file :
                    found.filter(path -> path.toString().endsWith(".java")).toList()) {
                files.put(root.relativize(file).toString(), Files.readString(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    private static String className(String file) {
        String path = file.substring(file.indexOf("src/main/java/") + "src/main/java/".length());
        return path.substring(0, path.length() - ".java".length()).replace('/', '.');
    }

    @Override
    public String toString() {
        return name;
    }
}

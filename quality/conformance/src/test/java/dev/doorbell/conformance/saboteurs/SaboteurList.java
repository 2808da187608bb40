package dev.doorbell.conformance.saboteurs;

import dev.doorbell.conformance.ProjectTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The saboteurs that there are. */
public final class SaboteurList {
    private static final String FOLDER = "quality/conformance/src/test/resources/saboteurs";
    private static final String ENDING = ".txt";

    private SaboteurList() {}

    static List<Saboteur> all() {
        try (Stream<Path> files = Files.list(ProjectTree.root().resolve(FOLDER))) {
            return files.sorted().map(SaboteurList::read).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Saboteur read(Path file) {
        try {
            String name = file.getFileName().toString().replace(ENDING, "");
            return Saboteur.parse(name, Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The list for the document. */
    public static String section() {
        List<Saboteur> all = all();
        long sockets = all.stream()
                .filter(saboteur -> saboteur.notOverSockets().isEmpty())
                .count();
        long drivers =
                all.stream().filter(saboteur -> saboteur.notByMlx5().isEmpty()).count();
        StringBuilder text = new StringBuilder("## Saboteurs\n\n");
        text.append("""
                Who tests the cases? %d deliberately wrong engines, each made of the product by changing a few words, and each caught by the
                cases beside it, on the fastest fabric that can show it (`SaboteursTest`; how to write one stands in the `package-info` there).
                %d of them are caught by one of these cases over UDP sockets (`embedded-udp`) as well, and %d by one of them through the other
                driver (`embedded-mlx5`), where the same mistake is made in what that driver and its devices have for themselves; beside the
                others stands why not.

                | saboteur | what is wrong | caught by | over UDP | through mlx5 |
                | --- | --- | --- | --- | --- |
                """.formatted(all.size(), sockets, drivers));
        for (Saboteur saboteur : all) {
            String cases = saboteur.catchers().stream()
                    .map(catcher -> "`" + catcher.test() + "`")
                    .distinct()
                    .collect(Collectors.joining(", "));
            text.append("| ")
                    .append(saboteur.name())
                    .append(" | ")
                    .append(saboteur.mistake())
                    .append(" | ")
                    .append(cases)
                    .append(" | ")
                    .append(saboteur.notOverSockets().isEmpty() ? "too" : saboteur.notOverSockets())
                    .append(" | ")
                    .append(saboteur.notByMlx5().isEmpty() ? "too" : saboteur.notByMlx5())
                    .append(" |\n");
        }
        return text.toString();
    }
}

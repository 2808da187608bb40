package dev.doorbell.quality.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.ProjectTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links between documents lead somewhere. */
final class LinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)(#[^)]*)?\\)");

    @Test
    void linksInsideTheProjectLeadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : documents()) {
            Matcher links = LINK.matcher(Files.readString(document));
            while (links.find()) {
                String target = links.group(1);
                if (!target.contains("://") && !Files.exists(document.resolveSibling(target))) {
                    broken.add(ProjectTree.root().relativize(document) + " -> " + target);
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    private static List<Path> documents() throws IOException {
        Path root = ProjectTree.root();
        try (Stream<Path> top = Files.list(root);
                Stream<Path> below = Files.walk(root.resolve("docs"))) {
            return Stream.concat(top, below)
                    .filter(path -> path.toString().endsWith(".md"))
                    .toList();
        }
    }
}

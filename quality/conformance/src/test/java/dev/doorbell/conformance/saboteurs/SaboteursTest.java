package dev.doorbell.conformance.saboteurs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.doorbell.conformance.ProjectTree;
import dev.doorbell.conformance.saboteurs.Saboteur.Catcher;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Every saboteur is caught by the cases that it names, each of which passes where nothing is wrong. */
@Timeout(300)
final class SaboteursTest {
    /** System property: the part of a saboteur's name that those to run have in common. */
    private static final String ONLY = "doorbell.saboteurs.only";

    private static final int LEAST = 30;

    private final Map<Catcher, String> honest = new HashMap<>();

    @TestFactory
    Stream<DynamicTest> saboteurs() {
        String only = System.getProperty(ONLY, "");
        return SaboteurList.all().stream()
                .filter(saboteur -> saboteur.name().contains(only))
                .map(saboteur -> dynamicTest(saboteur.name(), () -> isCaught(saboteur)));
    }

    private void isCaught(Saboteur saboteur) throws IOException {
        Map<String, byte[]> classes = SabotagedClasses.compile(saboteur.sources(ProjectTree.root()), classPath());
        try (SabotagedLoader loader = new SabotagedLoader(classPath(), classes)) {
            BinaryOperator<String> sabotaged = load(loader);
            for (Catcher catcher : saboteur.catchers()) {
                assertThat(honest.computeIfAbsent(
                                catcher, that -> new SabotagedRun().apply(that.test(), that.fabric())))
                        .as("%s where nothing is wrong", catcher)
                        .startsWith("PASS");
                assertThat(sabotaged.apply(catcher.test(), catcher.fabric()))
                        .as("%s must notice: %s", catcher, saboteur.mistake())
                        .startsWith("FAIL");
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static BinaryOperator<String> load(ClassLoader loader) {
        try {
            return (BinaryOperator<String>) loader.loadClass(SabotagedRun.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the sabotaged copy of the suite", e);
        }
    }

    private static List<Path> classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .toList();
    }

    @Test
    void thereAreEnough() {
        assertThat(SaboteurList.all()).hasSizeGreaterThanOrEqualTo(LEAST);
    }
}

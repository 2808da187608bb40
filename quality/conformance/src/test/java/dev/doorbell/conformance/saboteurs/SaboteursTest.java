package dev.doorbell.conformance.saboteurs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.doorbell.conformance.ProjectTree;
import dev.doorbell.conformance.Sockets;
import dev.doorbell.conformance.fabric.EmbeddedFabric;
import dev.doorbell.conformance.saboteurs.Saboteur.Catcher;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Every saboteur is caught by the cases that it names, each of which passes where nothing is wrong; and by one of them over
 * sockets too, and by one of them through the mlx5 driver.
 */
@Timeout(300)
final class SaboteursTest {
    /** System property: the part of a saboteur's name that those to run have in common. */
    private static final String ONLY = "doorbell.saboteurs.only";

    private static final int LEAST = 30;

    /** Most of the time is spent waiting for what does not come, so several share it. */
    private static final int AT_A_TIME = 4;

    private static final int ATTEMPTS = 3;

    /** What is right may be slow on a busy machine. */
    private static final Duration HONEST = Duration.ofSeconds(60);

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Map<Catcher, String> honest = new ConcurrentHashMap<>();
    private final Optional<String> noSockets = Sockets.obstacle(EmbeddedFabric.udp());
    private final ExecutorService workers = Executors.newFixedThreadPool(
            AT_A_TIME, Thread.ofPlatform().daemon().name("saboteurs-", 0).factory());

    @TestFactory
    Stream<DynamicTest> saboteurs() {
        String only = System.getProperty(ONLY, "");
        List<Saboteur> chosen = SaboteurList.all().stream()
                .filter(saboteur -> saboteur.name().contains(only))
                .toList();
        assertThat(chosen).hasSizeLessThanOrEqualTo(EmbeddedFabric.RUNS);
        List<DynamicTest> tests = new ArrayList<>();
        for (int i = 0; i < chosen.size(); i++) {
            Saboteur saboteur = chosen.get(i);
            String run = String.valueOf(i);
            Future<Optional<String>> verdict = workers.submit(() -> isCaught(saboteur, run));
            tests.add(dynamicTest(saboteur.name(), () -> await(verdict)));
        }
        workers.shutdown();
        return tests.stream();
    }

    private static void await(Future<Optional<String>> verdict) throws Throwable {
        try {
            verdict.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).ifPresent(Assumptions::abort);
        } catch (ExecutionException notCaught) {
            throw notCaught.getCause();
        }
    }

    /** Answers with what kept it from being tried over sockets. */
    private Optional<String> isCaught(Saboteur saboteur, String run) throws IOException {
        Map<String, byte[]> classes = SabotagedClasses.compile(saboteur.sources(ProjectTree.root()), classPath());
        try (SabotagedLoader loader = new SabotagedLoader(classPath(), classes)) {
            BinaryOperator<String> sabotaged = load(loader);
            for (Catcher catcher : saboteur.catchers()) {
                passes(catcher, run);
                assertThat(attempt(sabotaged, catcher, run))
                        .as("%s must notice: %s", catcher, saboteur.mistake())
                        .startsWith("FAIL");
            }
            if (saboteur.notByMlx5().isEmpty()) {
                isCaughtOn(EmbeddedFabric.MLX5, saboteur, sabotaged, run);
            }
            if (!saboteur.notOverSockets().isEmpty() || noSockets.isPresent()) {
                return saboteur.notOverSockets().isEmpty() ? noSockets : Optional.empty();
            }
            isCaughtOn(EmbeddedFabric.UDP, saboteur, sabotaged, run);
            return Optional.empty();
        }
    }

    /** One of its cases is enough. */
    private void isCaughtOn(String fabric, Saboteur saboteur, BinaryOperator<String> sabotaged, String run) {
        List<String> verdicts = new ArrayList<>();
        for (Catcher catcher : saboteur.catchers()) {
            Catcher there = catcher.on(fabric);
            if (saboteur.catchers().contains(there)) {
                return;
            }
            String right = honest(there, run);
            if (right.startsWith("SKIP")) {
                verdicts.add(right);
                continue;
            }
            assertThat(right).as("%s where nothing is wrong", there).startsWith("PASS");
            verdicts.add(attempt(sabotaged, there, run));
            if (verdicts.getLast().startsWith("FAIL")) {
                return;
            }
        }
        throw new AssertionError("on %s none of its cases notices: %s%n%s%s"
                .formatted(fabric, saboteur.mistake(), saboteur.catchers(), verdicts));
    }

    /** What is too early does not show while the machine is too slow for it: several attempts. */
    private static String attempt(BinaryOperator<String> sabotaged, Catcher catcher, String run) {
        String verdict = "";
        for (int attempt = 0; attempt < ATTEMPTS && !verdict.startsWith("FAIL"); attempt++) {
            verdict = sabotaged.apply(catcher.argument(), run);
        }
        return verdict;
    }

    private void passes(Catcher catcher, String run) {
        assertThat(honest(catcher, run))
                .as("%s where nothing is wrong", catcher)
                .startsWith("PASS");
    }

    private String honest(Catcher catcher, String run) {
        return honest.computeIfAbsent(catcher, that -> SabotagedRun.run(that.argument(), run, HONEST));
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

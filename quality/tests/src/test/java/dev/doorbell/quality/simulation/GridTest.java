package dev.doorbell.quality.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.ProjectTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every cell of the {@link Grid} ends with every byte right and every completion once and in order, in the time and with the packets that
 * the snapshot says. Simulations are the same in every run, so a difference comes from a change of the transport. Whoever makes one
 * looks at it, writes the snapshot anew with {@code -Ddoorbell.simulation.write=true}, and says in the commit why the figures
 * changed.
 */
@Timeout(300)
final class GridTest {
    private static final boolean WRITE = Boolean.getBoolean("doorbell.simulation.write");
    private static final Path SNAPSHOT =
            ProjectTree.root().resolve("quality/tests/src/test/resources/simulation/grid.txt");
    private static final String REMEDY =
            "look at the differences; where they are meant, run GridTest with -Ddoorbell.simulation.write=true and say why in the commit";
    private static final int MOST_SHOWN = 12;

    private static final Map<String, String> EXPECTED = new LinkedHashMap<>();
    private static final Map<String, String> FOUND = new ConcurrentHashMap<>();

    @BeforeAll
    static void read() throws IOException {
        EXPECTED.clear();
        FOUND.clear();
        if (!WRITE) {
            Files.readAllLines(SNAPSHOT).forEach(GridTest::read);
        }
    }

    private static void read(String line) {
        int colon = line.indexOf(": ");
        if (colon > 0 && !line.startsWith("#")) {
            EXPECTED.put(line.substring(0, colon), line.substring(colon + 2));
        }
    }

    static Stream<Arguments> parts() {
        return Stream.of(Workload.values())
                .flatMap(workload -> Grid.RATES.stream().map(rate -> Arguments.of(workload, rate)));
    }

    @ParameterizedTest(name = "{0}, {1} of the packets lost, doubled, late and damaged, each")
    @MethodSource("parts")
    void everythingArrivesAsTheSnapshotSays(Workload workload, double rate) {
        List<String> differences = new ArrayList<>();
        for (Scenario cell : Grid.cells(workload, rate)) {
            String found;
            try (Simulation simulation = new Simulation(cell)) {
                found = simulation.run().toString();
            }
            FOUND.put(cell.label(), found);
            String expected = EXPECTED.getOrDefault(cell.label(), "nothing");
            if (!WRITE && !expected.equals(found)) {
                differences.add("%s%n    snapshot %s%n    found    %s".formatted(cell, expected, found));
            }
        }
        assertThat(differences.stream().limit(MOST_SHOWN))
                .as("%d cells differ from the snapshot; %s", differences.size(), REMEDY)
                .isEmpty();
    }

    @AfterAll
    static void write() throws IOException {
        if (!WRITE) {
            return;
        }
        List<String> lines = new ArrayList<>();
        lines.add("# What the simulations of GridTest came to; written by -Ddoorbell.simulation.write=true.");
        lines.add(
                "# workload, bytes of a message, path MTU, how many packets suffer each kind of fault: messages that arrived,");
        lines.add("# virtual time, goodput, packets of both sides, request packets sent again, probes");
        for (Workload workload : Workload.values()) {
            for (double rate : Grid.RATES) {
                for (Scenario cell : Grid.cells(workload, rate)) {
                    String found = FOUND.get(cell.label());
                    if (found != null) {
                        lines.add(cell.label() + ": " + found);
                    }
                }
            }
        }
        Files.createDirectories(SNAPSHOT.getParent());
        Files.write(SNAPSHOT, lines);
    }
}

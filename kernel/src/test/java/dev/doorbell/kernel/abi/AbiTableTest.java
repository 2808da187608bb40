package dev.doorbell.kernel.abi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Holds the accessor classes against the kernel's headers. */
@Timeout(60)
class AbiTableTest {
    /** Fields of the headers that have no accessor of their own, each with its reason. */
    private static final Map<String, String> NOT_COVERED = Map.of("ib_uverbs_attr.data_s64", "the same bytes as data");

    /** Fields of the classes that the table does not list, each with its reason. */
    private static final Map<String, String> NOT_COMPARED =
            Map.of("ib_uverbs_query_port_resp_ex.reserved", "newer headers made a field out of a part of it");

    /** What is newer than the headers from which the checked-in table was made (Linux 6.1). */
    private static final Set<String> NEWER = Set.of(
            "ib_uverbs_query_port_resp_ex.active_speed_ex",
            "rxe_send_wqe.wr.wr.flush.remote_addr",
            "rxe_send_wqe.wr.wr.flush.length",
            "rxe_send_wqe.wr.wr.flush.rkey",
            "rxe_send_wqe.wr.wr.flush.type",
            "rxe_send_wqe.wr.wr.flush.level",
            "RDMA_DRIVER_MANA",
            "RDMA_DRIVER_IONIC",
            "IB_UVERBS_WR_FLUSH",
            "IB_UVERBS_WR_ATOMIC_WRITE",
            "IB_UVERBS_WC_FLUSH",
            "IB_UVERBS_WC_ATOMIC_WRITE",
            "IB_UVERBS_ACCESS_FLUSH_GLOBAL",
            "IB_UVERBS_ACCESS_FLUSH_PERSISTENT");

    /** The structs with unions, and one in which the compiler leaves a byte free. */
    private static final Set<String> NOT_TILED =
            Set.of("rxe_send_wqe", "ib_uverbs_wc", "rxe_av", "rdma_ucm_event_resp");

    private final AbiTable classes = AbiTable.of(Layouts.all().values(), Constants.all());

    @Test
    void classesAgreeWithTheCheckedInTable() throws IOException {
        AbiTable table = checkedIn("/abi-table.csv");
        assertThat(table.source()).as("headers of the checked-in table").startsWith("linux-libc-dev ");
        assertThat(table.missing()).as("lacking in %s", table.source()).isEqualTo(new TreeSet<>(NEWER));
        compare(table);
    }

    @Test
    void classesAgreeWithTheHeadersOfThisMachine() throws IOException, InterruptedException {
        if (!hasProgram("cc")) {
            abort("no C compiler (cc) on the PATH");
        }
        if (!Files.exists(Path.of("/usr/include/rdma/rdma_user_rxe.h"))) {
            abort("no C compiler's headers of the kernel in /usr/include/rdma");
        }
        AbiTable table = ofHeaders("");
        if (!table.missing().isEmpty()) {
            System.out.println("not compared, since " + table.source() + " lacks it: " + table.missing());
        }
        compare(table);
    }

    @Test
    void everyLayoutIsListed() throws IOException {
        assertThat(Layouts.all().keySet()).isEqualTo(withLayout(Path.of("src/main/java/dev/doorbell/kernel/abi")));
    }

    /** The classes in a folder that have one. */
    static Set<String> withLayout(Path sources) throws IOException {
        Set<String> withLayout = new TreeSet<>();
        try (Stream<Path> files = Files.list(sources)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (Files.readString(file).contains("static Layout layout()")) {
                    withLayout.add(file.getFileName().toString().replace(".java", ""));
                }
            }
        }
        return withLayout;
    }

    @Test
    void fieldsFillTheirStructWithoutGapOrOverlap() {
        fill(Layouts.all().values(), NOT_TILED);
    }

    static void fill(Collection<Layout> layouts, Set<String> notTiled) {
        for (Layout layout : layouts) {
            if (!notTiled.contains(layout.struct())) {
                long end = 0;
                for (Layout.Field field : layout.fields()) {
                    assertThat(field.offset())
                            .as("%s.%s", layout.struct(), field.name())
                            .isEqualTo(end);
                    end = field.offset() + field.size();
                }
                assertThat(end).as("end of %s", layout.struct()).isEqualTo(layout.size());
            }
        }
    }

    private void compare(AbiTable table) {
        assertThat(table.structs()).as("bytes of structs").isEqualTo(classes.structs());

        Map<String, AbiTable.Place> expected = new TreeMap<>(table.fields());
        Map<String, AbiTable.Place> actual = new TreeMap<>(classes.fields());
        expected.keySet().removeAll(NOT_COVERED.keySet());
        actual.keySet().removeAll(NOT_COMPARED.keySet());
        actual.keySet().removeAll(table.missing());
        assertThat(actual).as("fields").isEqualTo(expected);

        Map<String, Long> constants = new TreeMap<>(classes.constants());
        constants.keySet().removeAll(table.missing());
        assertThat(constants).as("constants").isEqualTo(table.constants());
    }

    static AbiTable checkedIn(String name) throws IOException {
        try (InputStream in = AbiTableTest.class.getResourceAsStream(name)) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return AbiTable.parse(text.lines().toList());
        }
    }

    /** The table as this machine's headers make it; an empty name for those of the kernel. */
    static AbiTable ofHeaders(String abi) throws IOException, InterruptedException {
        Path script = Path.of("src/test/c/abi-table.sh").toAbsolutePath();
        return AbiTable.parse(run(abi, "sh", script.toString()));
    }

    static boolean hasProgram(String name) {
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        return Stream.of(path.split(":", -1)).anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    private static List<String> run(String abi, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("abi-table", ".csv");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(output.toFile());
            builder.environment().put("ABI", abi);
            Process process = builder.start();
            String errors;
            try (InputStream stream = process.getErrorStream()) {
                errors = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            }
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("script ended").isTrue();
            assertThat(process.exitValue()).as(errors).isZero();
            return Files.readAllLines(output);
        } finally {
            Files.delete(output);
        }
    }
}

package dev.doorbell.kernel.abi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.doorbell.kernel.abi.mlx5.Mlx5Constants;
import dev.doorbell.kernel.abi.mlx5.Mlx5Layouts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Holds what the mlx5 driver adds against its headers: those of the kernel, and of the library for what is in its queues. */
@Timeout(60)
class Mlx5AbiTableTest {
    private final Collection<Layout> layouts = Mlx5Layouts.all().values();
    private final AbiTable classes = AbiTable.of(layouts, Mlx5Constants.all());

    @Test
    void classesAgreeWithTheCheckedInTable() throws IOException {
        AbiTable table = AbiTableTest.checkedIn("/abi-mlx5-table.csv");
        assertThat(table.source())
                .as("headers of the checked-in table")
                .startsWith("linux-libc-dev ")
                .contains("libibverbs-dev ");
        assertThat(table.missing()).as("lacking in %s", table.source()).isEmpty();
        compare(table);
    }

    @Test
    void classesAgreeWithTheHeadersOfThisMachine() throws IOException, InterruptedException {
        if (!AbiTableTest.hasProgram("cc")) {
            abort("no C compiler (cc) on the PATH");
        }
        if (!Files.exists(Path.of("/usr/include/infiniband/mlx5dv.h"))
                || !Files.exists(Path.of("/usr/include/rdma/mlx5-abi.h"))) {
            abort("no C compiler's headers of the mlx5 driver (libibverbs-dev)");
        }
        AbiTable table = AbiTableTest.ofHeaders("mlx5");
        if (!table.missing().isEmpty()) {
            System.out.println("not compared, since " + table.source() + " lacks it: " + table.missing());
        }
        compare(table);
    }

    private void compare(AbiTable table) {
        classes.structs().keySet().removeAll(table.missing());
        classes.fields().keySet().removeAll(table.missing());
        classes.constants().keySet().removeAll(table.missing());
        assertThat(classes.structs()).as("bytes of structs").isEqualTo(table.structs());
        assertThat(classes.fields()).as("fields").isEqualTo(table.fields());
        assertThat(classes.constants()).as("constants").isEqualTo(table.constants());
    }

    @Test
    void everyLayoutIsListed() throws IOException {
        assertThat(Mlx5Layouts.all().keySet())
                .isEqualTo(AbiTableTest.withLayout(Path.of("src/main/java/dev/doorbell/kernel/abi/mlx5")));
    }

    @Test
    void fieldsFillTheirStructWithoutGapOrOverlap() {
        AbiTableTest.fill(layouts, Set.of());
    }

    @Test
    void eachAccessorTouchesItsFieldAndNothingElse() {
        AccessorsTest.check(Accessors.mlx5(), layouts);
    }

    @Test
    void everyFieldHasAPairOrAReason() {
        assertThat(AccessorsTest.withoutPair(Accessors.mlx5(), layouts))
                .as("where an ordinary entry has the same field, and its accessors serve for both")
                .containsExactlyInAnyOrder(
                        "mlx5_err_cqe.op_own",
                        "mlx5_err_cqe.s_wqe_opcode_qpn",
                        "mlx5_err_cqe.signature",
                        "mlx5_err_cqe.srqn",
                        "mlx5_err_cqe.wqe_counter");
    }
}

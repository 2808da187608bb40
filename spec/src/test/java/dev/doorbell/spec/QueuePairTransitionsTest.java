package dev.doorbell.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class QueuePairTransitionsTest {
    /** Type, step, required, optional: the table of the specification and of the Linux core. */
    private static final String TABLE = """
            RC RESET INIT | PKEY_INDEX PORT ACCESS_FLAGS |
            UC RESET INIT | PKEY_INDEX PORT ACCESS_FLAGS |
            UD RESET INIT | PKEY_INDEX PORT QKEY |
            RC INIT INIT | | PKEY_INDEX PORT ACCESS_FLAGS
            UC INIT INIT | | PKEY_INDEX PORT ACCESS_FLAGS
            UD INIT INIT | | PKEY_INDEX PORT QKEY
            RC INIT RTR | ADDRESS_VECTOR PATH_MTU DESTINATION_QP RECEIVE_PSN MAX_DEST_READ_ATOMIC MIN_RNR_TIMER \
            | ALTERNATE_PATH ACCESS_FLAGS PKEY_INDEX
            UC INIT RTR | ADDRESS_VECTOR PATH_MTU DESTINATION_QP RECEIVE_PSN | ALTERNATE_PATH ACCESS_FLAGS PKEY_INDEX
            UD INIT RTR | | PKEY_INDEX QKEY
            RC RTR RTS | TIMEOUT RETRY_COUNT RNR_RETRY SEND_PSN MAX_READ_ATOMIC \
            | CURRENT_STATE ALTERNATE_PATH ACCESS_FLAGS MIN_RNR_TIMER PATH_MIGRATION_STATE
            UC RTR RTS | SEND_PSN | CURRENT_STATE ALTERNATE_PATH ACCESS_FLAGS PATH_MIGRATION_STATE
            UD RTR RTS | SEND_PSN | CURRENT_STATE QKEY
            RC RTS RTS | | CURRENT_STATE ACCESS_FLAGS ALTERNATE_PATH PATH_MIGRATION_STATE MIN_RNR_TIMER
            UC RTS RTS | | CURRENT_STATE ACCESS_FLAGS ALTERNATE_PATH PATH_MIGRATION_STATE
            UD RTS RTS | | CURRENT_STATE QKEY
            RC RTS SQD | | SQD_ASYNC_NOTIFY
            UC RTS SQD | | SQD_ASYNC_NOTIFY
            UD RTS SQD | | SQD_ASYNC_NOTIFY
            RC SQD SQD | | PORT ADDRESS_VECTOR TIMEOUT RETRY_COUNT RNR_RETRY MAX_READ_ATOMIC MAX_DEST_READ_ATOMIC \
            ALTERNATE_PATH ACCESS_FLAGS PKEY_INDEX MIN_RNR_TIMER PATH_MIGRATION_STATE
            UC SQD SQD | | ADDRESS_VECTOR ALTERNATE_PATH ACCESS_FLAGS PKEY_INDEX PATH_MIGRATION_STATE
            UD SQD SQD | | PKEY_INDEX QKEY
            RC SQD RTS | | CURRENT_STATE ALTERNATE_PATH ACCESS_FLAGS MIN_RNR_TIMER PATH_MIGRATION_STATE
            UC SQD RTS | | CURRENT_STATE ALTERNATE_PATH ACCESS_FLAGS PATH_MIGRATION_STATE
            UD SQD RTS | | CURRENT_STATE QKEY
            UC SQE RTS | | CURRENT_STATE ACCESS_FLAGS
            UD SQE RTS | | CURRENT_STATE QKEY
            """;

    @Test
    void everyStepIsAsInTheTable() {
        Map<String, String[]> expected = new TreeMap<>();
        TABLE.lines().map(line -> line.split("\\|", -1)).forEach(cells -> expected.put(cells[0].strip(), cells));
        for (QueuePairType type : QueuePairType.values()) {
            for (QueuePairState from : QueuePairState.values()) {
                for (QueuePairState to : QueuePairState.values()) {
                    String step = type + " " + from + " " + to;
                    boolean always =
                            to == QueuePairState.RESET || to == QueuePairState.ERROR && from != QueuePairState.RESET;
                    String[] cells = always ? new String[] {step, "", ""} : expected.get(step);
                    var rule = QueuePairTransitions.rule(type, from, to);
                    assertThat(rule.isPresent()).as(step).isEqualTo(cells != null);
                    assertThat(QueuePairTransitions.next(type, from).contains(to))
                            .isEqualTo(cells != null);
                    if (cells != null) {
                        assertThat(rule.orElseThrow().required()).as(step).isEqualTo(attributes(cells[1]));
                        assertThat(rule.orElseThrow().optional()).as(step).isEqualTo(attributes(cells[2]));
                    }
                }
            }
        }
    }

    private static Set<QueuePairAttribute> attributes(String names) {
        Set<QueuePairAttribute> attributes = EnumSet.noneOf(QueuePairAttribute.class);
        for (String name : names.strip().split(" +", -1)) {
            if (!name.isEmpty()) {
                attributes.add(QueuePairAttribute.valueOf(name));
            }
        }
        return attributes;
    }

    @Test
    void aVerdictNamesWhatIsMissingAndWhatIsTooMuch() {
        int mask = QueuePairAttribute.mask(EnumSet.of(
                QueuePairAttribute.STATE,
                QueuePairAttribute.PKEY_INDEX,
                QueuePairAttribute.QKEY,
                QueuePairAttribute.PORT));
        QueuePairTransition verdict =
                QueuePairTransitions.check(QueuePairType.RC, QueuePairState.RESET, QueuePairState.INIT, mask);
        assertThat(verdict.isAllowed()).isFalse();
        assertThat(verdict.missing()).containsExactly(QueuePairAttribute.ACCESS_FLAGS);
        assertThat(verdict.superfluous()).containsExactly(QueuePairAttribute.QKEY);
        assertThat(verdict.explain())
                .isEqualTo("RC queue pair from RESET to INIT: needs ACCESS_FLAGS; does not take QKEY");
        assertThat(QueuePairTransitions.check(QueuePairType.UD, QueuePairState.RESET, QueuePairState.INIT, mask)
                        .explain())
                .isEqualTo("UD queue pair from RESET to INIT: allowed");
    }

    @Test
    void aVerdictSaysWhereElseTheQueuePairCanGo() {
        QueuePairTransition verdict =
                QueuePairTransitions.check(QueuePairType.RC, QueuePairState.INIT, QueuePairState.RTS, 1);
        assertThat(verdict.isAllowed()).isFalse();
        assertThat(verdict.explain())
                .isEqualTo(
                        "RC queue pair from INIT to RTS: no such step; from INIT it can go to RESET, INIT, RTR, ERROR");
    }

    @Test
    void bitsWithoutAnAttributeAreRefused() {
        QueuePairTransition verdict = QueuePairTransitions.check(
                QueuePairType.RC, QueuePairState.RTS, QueuePairState.ERROR, 1 | 1 << 21 | 1 << 31);
        assertThat(verdict.isAllowed()).isFalse();
        assertThat(verdict.explain()).endsWith("no attribute has the bits 0x80200000");
    }
}

package dev.doorbell.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OpcodeTest {
    /** Code, name, headers, payload, place in the message: the table of the InfiniBand specification. */
    private static final String TABLE = """
            00 | RC SEND FIRST                | -                    | payload | first
            01 | RC SEND MIDDLE               | -                    | payload | middle
            02 | RC SEND LAST                 | -                    | payload | last
            03 | RC SEND LAST IMMEDIATE       | IMM_DT               | payload | last
            04 | RC SEND ONLY                 | -                    | payload | only
            05 | RC SEND ONLY IMMEDIATE       | IMM_DT               | payload | only
            06 | RC RDMA WRITE FIRST          | RETH                 | payload | first
            07 | RC RDMA WRITE MIDDLE         | -                    | payload | middle
            08 | RC RDMA WRITE LAST           | -                    | payload | last
            09 | RC RDMA WRITE LAST IMMEDIATE | IMM_DT               | payload | last
            0a | RC RDMA WRITE ONLY           | RETH                 | payload | only
            0b | RC RDMA WRITE ONLY IMMEDIATE | RETH, IMM_DT         | payload | only
            0c | RC RDMA READ REQUEST         | RETH                 | none    | -
            0d | RC RDMA READ RESPONSE FIRST  | AETH                 | payload | first
            0e | RC RDMA READ RESPONSE MIDDLE | -                    | payload | middle
            0f | RC RDMA READ RESPONSE LAST   | AETH                 | payload | last
            10 | RC RDMA READ RESPONSE ONLY   | AETH                 | payload | only
            11 | RC ACKNOWLEDGE               | AETH                 | none    | -
            12 | RC ATOMIC ACKNOWLEDGE        | AETH, ATOMIC_ACK_ETH | none    | -
            13 | RC COMPARE SWAP              | ATOMIC_ETH           | none    | -
            14 | RC FETCH ADD                 | ATOMIC_ETH           | none    | -
            16 | RC SEND LAST INVALIDATE      | IETH                 | payload | last
            17 | RC SEND ONLY INVALIDATE      | IETH                 | payload | only
            1c | RC FLUSH                     | FETH, RETH           | none    | -
            1d | RC ATOMIC WRITE              | RETH                 | payload | only
            20 | UC SEND FIRST                | -                    | payload | first
            21 | UC SEND MIDDLE               | -                    | payload | middle
            22 | UC SEND LAST                 | -                    | payload | last
            23 | UC SEND LAST IMMEDIATE       | IMM_DT               | payload | last
            24 | UC SEND ONLY                 | -                    | payload | only
            25 | UC SEND ONLY IMMEDIATE       | IMM_DT               | payload | only
            26 | UC RDMA WRITE FIRST          | RETH                 | payload | first
            27 | UC RDMA WRITE MIDDLE         | -                    | payload | middle
            28 | UC RDMA WRITE LAST           | -                    | payload | last
            29 | UC RDMA WRITE LAST IMMEDIATE | IMM_DT               | payload | last
            2a | UC RDMA WRITE ONLY           | RETH                 | payload | only
            2b | UC RDMA WRITE ONLY IMMEDIATE | RETH, IMM_DT         | payload | only
            64 | UD SEND ONLY                 | DETH                 | payload | only
            65 | UD SEND ONLY IMMEDIATE       | DETH, IMM_DT         | payload | only
            81 | CNP                          | -                    | payload | -
            """;

    @Test
    void everyCodeIsAsInTheTable() {
        Map<Integer, String> expected = new TreeMap<>();
        TABLE.lines().forEach(line -> expected.put(Integer.parseInt(line, 0, 2, 16), line.replaceAll(" +", " ")));
        for (int opcode = 0; opcode < 256; opcode++) {
            assertThat(Opcode.isKnown(opcode)).as("0x%02x", opcode).isEqualTo(expected.containsKey(opcode));
            if (Opcode.isKnown(opcode)) {
                assertThat(describe(opcode)).isEqualTo(expected.get(opcode));
            }
        }
    }

    private static String describe(int opcode) {
        String headers = Opcode.headers(opcode).stream().map(Enum::name).collect(Collectors.joining(", "));
        return "%02x | %s | %s | %s | %s"
                .formatted(
                        opcode,
                        Opcode.name(opcode),
                        headers.isEmpty() ? "-" : headers,
                        Opcode.hasPayload(opcode) ? "payload" : "none",
                        place(opcode));
    }

    private static String place(int opcode) {
        String place = (Opcode.isFirst(opcode) ? "first" : "")
                + (Opcode.isMiddle(opcode) ? "middle" : "")
                + (Opcode.isLast(opcode) ? "last" : "")
                + (Opcode.isOnly(opcode) ? "only" : "");
        return place.isEmpty() ? "-" : place;
    }

    @Test
    void groupsFollowFromNames() {
        for (int opcode = 0; opcode < 256; opcode++) {
            String name = Opcode.isKnown(opcode) ? Opcode.name(opcode) : "";
            boolean response = name.contains("RESPONSE") || name.contains("ACKNOWLEDGE");
            assertThat(Opcode.isSend(opcode)).as(name).isEqualTo(name.contains(" SEND "));
            assertThat(Opcode.isWrite(opcode)).as(name).isEqualTo(name.contains("RDMA WRITE"));
            assertThat(Opcode.isReadResponse(opcode)).as(name).isEqualTo(name.contains("READ RESPONSE"));
            assertThat(Opcode.isResponse(opcode)).as(name).isEqualTo(response);
            assertThat(Opcode.isRequest(opcode)).as(name).isEqualTo(name.contains("C ") && !response || isUd(name));
            assertThat(Opcode.hasImmediate(opcode)).as(name).isEqualTo(name.contains("IMMEDIATE"));
            assertThat(Opcode.hasInvalidate(opcode)).as(name).isEqualTo(name.contains("INVALIDATE"));
            for (QueuePairType type : QueuePairType.values()) {
                assertThat(Opcode.serves(opcode, type)).as(name).isEqualTo(name.startsWith(type.name()));
            }
            boolean first = Opcode.isFirst(opcode) || Opcode.isOnly(opcode);
            boolean last = Opcode.isLast(opcode) || Opcode.isOnly(opcode);
            assertThat(Opcode.startsMessage(opcode)).isEqualTo(first);
            assertThat(Opcode.endsMessage(opcode)).isEqualTo(last);
        }
    }

    private static boolean isUd(String name) {
        return name.startsWith("UD");
    }

    @Test
    void unknownNumbersKeepTheirValueAndHaveNoProperty() {
        for (int opcode : List.of(0x15, 0x55, 0xff, 0x100, -1, Integer.MAX_VALUE, Integer.MIN_VALUE)) {
            assertThat(Opcode.isKnown(opcode)).isFalse();
            assertThat(Opcode.isRequest(opcode)).isFalse();
            assertThat(Opcode.hasPayload(opcode)).isFalse();
            assertThat(Opcode.headers(opcode)).isEmpty();
            assertThat(Opcode.name(opcode)).isEqualTo("opcode 0x%02x".formatted(opcode));
        }
    }
}

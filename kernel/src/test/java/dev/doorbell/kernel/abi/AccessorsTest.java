package dev.doorbell.kernel.abi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Holds each accessor against the layout of its class, so that the layout's agreement with C counts for both. */
class AccessorsTest {
    private static final int PREFIX = 24;

    @Test
    void eachAccessorTouchesItsFieldAndNothingElse() {
        check(Accessors.all(), Layouts.all().values());
    }

    /** Holds pairs against layouts. */
    static void check(List<Accessors.Pair> pairs, Collection<Layout> layouts) {
        Map<String, Layout.Field> fields = fields(layouts);
        Map<String, Long> sizes = new TreeMap<>();
        layouts.forEach(layout -> sizes.put(layout.struct(), layout.size()));
        for (Accessors.Pair pair : pairs) {
            String name = pair.struct() + '.' + pair.field();
            Layout.Field field = fields.get(name);
            assertThat(field).as(name).isNotNull();
            long size = PREFIX + sizes.getOrDefault(pair.struct(), 0L);
            MemorySegment segment = Arena.ofAuto().allocate(size);

            pair.store().store(segment, PREFIX);

            for (long i = 0; i < size; i++) {
                long offset = i - PREFIX - field.offset();
                int expected = offset >= 0 && offset < field.size() ? -1 : 0;
                assertThat((int) segment.get(ValueLayout.JAVA_BYTE, i))
                        .as("%s, byte %d", name, i)
                        .isEqualTo(expected);
            }
            assertThat(pair.isAllOnes().check(segment, PREFIX, field.size()))
                    .as("%s reads back", name)
                    .isTrue();
            segment.set(ValueLayout.JAVA_BYTE, PREFIX + field.offset(), (byte) 0);
            assertThat(pair.isAllOnes().check(segment, PREFIX, field.size()))
                    .as("%s reads its first byte", name)
                    .isFalse();
            segment.set(ValueLayout.JAVA_BYTE, PREFIX + field.offset(), (byte) -1);
            segment.set(ValueLayout.JAVA_BYTE, PREFIX + field.offset() + field.size() - 1, (byte) 0);
            assertThat(pair.isAllOnes().check(segment, PREFIX, field.size()))
                    .as("%s reads its last byte", name)
                    .isFalse();
        }
    }

    @Test
    void everyFieldHasAPairOrAReason() {
        Set<String> without = withoutPair(Accessors.all(), Layouts.all().values());
        assertThat(without)
                .as("historic limits that can only be printed, and the ring's head, which has its own test")
                .containsExactlyInAnyOrder(
                        "ib_uverbs_query_device_resp.max_ee",
                        "ib_uverbs_query_device_resp.max_ee_init_rd_atom",
                        "ib_uverbs_query_device_resp.max_ee_rd_atom",
                        "ib_uverbs_query_device_resp.max_fmr",
                        "ib_uverbs_query_device_resp.max_map_per_fmr",
                        "ib_uverbs_query_device_resp.max_raw_ethy_qp",
                        "ib_uverbs_query_device_resp.max_raw_ipv6_qp",
                        "ib_uverbs_query_device_resp.max_rdd",
                        "rxe_queue_buf.consumer_index",
                        "rxe_queue_buf.index_mask",
                        "rxe_queue_buf.log2_elem_size",
                        "rxe_queue_buf.producer_index");
    }

    /** The fields of numbers that no pair is for. */
    static Set<String> withoutPair(List<Accessors.Pair> pairs, Collection<Layout> layouts) {
        Set<String> without = new TreeSet<>();
        fields(layouts).forEach((name, field) -> {
            switch (field.kind()) {
                case U8, U16, U32, S32, U64, BE16, BE32, BE64, GID -> without.add(name);
                case BYTES, STRUCT, RESERVED -> {}
            }
        });
        pairs.forEach(pair -> without.remove(pair.struct() + '.' + pair.field()));
        return without;
    }

    private static Map<String, Layout.Field> fields(Collection<Layout> layouts) {
        Map<String, Layout.Field> fields = new TreeMap<>();
        for (Layout layout : layouts) {
            layout.fields().forEach(field -> fields.put(layout.struct() + '.' + field.name(), field));
        }
        return fields;
    }
}

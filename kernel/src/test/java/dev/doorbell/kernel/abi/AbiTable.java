package dev.doorbell.kernel.abi;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The table that {@code abi-table.sh} makes from the kernel's headers.
 *
 * @param source which headers it was made from
 * @param structs bytes of each struct
 * @param fields where each field lies, by {@code struct.field}
 * @param constants values by name
 * @param missing what the headers lack: structs, fields and constants
 */
record AbiTable(
        String source,
        Map<String, Long> structs,
        Map<String, Place> fields,
        Map<String, Long> constants,
        Set<String> missing) {

    record Place(long offset, long size) {}

    static AbiTable parse(List<String> lines) {
        AbiTable table = new AbiTable(
                lines.getFirst().substring("# ".length()),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeSet<>());
        lines.stream().skip(1).map(line -> line.split(",", -1)).forEach(table::add);
        return table;
    }

    private void add(String[] cells) {
        switch (cells[0]) {
            case "struct" -> structs.put(cells[1], Long.valueOf(cells[2]));
            case "field" ->
                fields.put(cells[1] + '.' + cells[2], new Place(Long.parseLong(cells[3]), Long.parseLong(cells[4])));
            case "constant" -> constants.put(cells[1], Long.valueOf(cells[2]));
            case "missing" -> missing.add(cells.length == 3 ? cells[2] : cells[2] + '.' + cells[3]);
            default -> throw new IllegalArgumentException("line " + String.join(",", cells));
        }
    }

    /** What classes say about the same things. */
    static AbiTable of(Collection<Layout> layouts, Map<String, Long> constants) {
        AbiTable table = new AbiTable("accessor classes", new TreeMap<>(), new TreeMap<>(), constants, new TreeSet<>());
        for (Layout layout : layouts) {
            table.structs.put(layout.struct(), layout.size());
            for (Layout.Field field : layout.fields()) {
                table.fields.put(layout.struct() + '.' + field.name(), new Place(field.offset(), field.size()));
            }
        }
        return table;
    }
}

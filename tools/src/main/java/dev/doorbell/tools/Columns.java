package dev.doorbell.tools;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A table for a terminal: a head, rows, no lines around them. Columns are aligned to the left unless told otherwise. */
final class Columns {
    private static final String INDENT = "  ";

    private final List<Column> head = new ArrayList<>();
    private final List<String[]> rows = new ArrayList<>();

    /** Adds a column that is aligned to the left. */
    Columns text(String title) {
        return column(title, HorizontalAlign.LEFT);
    }

    /** Adds a column that is aligned to the right. */
    Columns number(String title) {
        return column(title, HorizontalAlign.RIGHT);
    }

    private Columns column(String title, HorizontalAlign align) {
        head.add(new Column().header(title).headerAlign(align).dataAlign(align).maxWidth(200));
        return this;
    }

    /** Adds a row, one cell a column. */
    Columns row(Object... cells) {
        String[] texts = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            texts[i] = cells[i].toString();
        }
        rows.add(texts);
        return this;
    }

    /** Whether it has no rows. */
    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Prints it, indented. */
    void print(PrintStream out) {
        String table =
                AsciiTable.getTable(AsciiTable.NO_BORDERS, head.toArray(new Column[0]), rows.toArray(new String[0][]));
        table.lines()
                .map(String::stripTrailing)
                .filter(line -> !line.isEmpty())
                .forEach(line -> out.println(INDENT + line.strip().indent(0).stripTrailing()));
    }
}

package dev.doorbell.bench;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One of the shapes of {@code src/main/c/floor.c}: a process a round. */
public record CFloor(String name, Path program, String shape, int chunks, Optional<Affinity> affinity)
        implements Measurement {
    @Override
    public double round() {
        List<String> command = new ArrayList<>(List.of(program.toString(), shape, Integer.toString(chunks)));
        affinity.ifPresent(known -> {
            command.add(Integer.toString(known.cpu(0)));
            command.add(Integer.toString(known.cpu(1)));
        });
        try {
            return Double.parseDouble(CCompiler.run(command));
        } catch (CCompiler.NoProgram e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {}
}

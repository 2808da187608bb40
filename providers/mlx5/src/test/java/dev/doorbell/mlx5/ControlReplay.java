package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Requests to the kernel: each step of the recording program again, and each request byte by byte as the system call gets it. */
final class ControlReplay {
    private static final String KIND = "control";

    private final String profile;
    private final Tally tally;
    private final RecordedKernel kernel;
    private final ControlScript script;
    private final List<RecordedKernel.Expected> late = new ArrayList<>();

    ControlReplay(String profile, Tally tally) {
        this.profile = profile;
        this.tally = tally;
        this.kernel = new RecordedKernel(profile);
        this.script = new ControlScript(profile, kernel);
    }

    void run() {
        List<JsonNode> step = new ArrayList<>();
        for (JsonNode vector : Vectors.read(profile, KIND)) {
            if (!step.isEmpty() && !name(vector).equals(name(step.getFirst()))) {
                play(step);
                step.clear();
            }
            step.add(vector);
        }
        play(step);
        late.forEach(this::count);
        kernel.strangers.forEach(stranger -> tally.failed(KIND, profile + ": not recorded: " + stranger));
    }

    private static String name(JsonNode vector) {
        return vector.path("step").asText();
    }

    private void play(List<JsonNode> vectors) {
        List<RecordedKernel.Expected> step = kernel.expect(vectors);
        try {
            script.play(name(vectors.getFirst()));
        } catch (RuntimeException e) {
            tally.failed(KIND, profile + ' ' + name(vectors.getFirst()) + ": " + e);
        }
        for (RecordedKernel.Expected expected : step) {
            if (expected.came || !kernel.mayComeLater(expected)) {
                count(expected);
            } else {
                late.add(expected);
            }
        }
    }

    private void count(RecordedKernel.Expected expected) {
        String excuse = ControlExcuses.of(profile, expected.vector);
        if (!excuse.isEmpty()) {
            tally.notApplicable(KIND, excuse);
        } else if (expected.came && expected.difference.isEmpty()) {
            tally.replayed(KIND);
        } else {
            String why = expected.came ? expected.difference : "did not come";
            tally.failed(
                    KIND,
                    profile + ' ' + expected.vector.path("seq") + ' ' + name(expected.vector) + ' '
                            + ControlExcuses.operation(expected.vector) + ": " + why);
        }
    }
}

package dev.doorbell.linux;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Who has a device open.
 *
 * @param contexts how many contexts have begun, in all processes
 * @param processes the processes that have its node open, as far as this process may see them
 */
public record LinkUse(long contexts, List<Integer> processes) {
    /** A list that cannot change. */
    public LinkUse {
        processes = List.copyOf(processes);
    }

    /** Whether anybody is known to have it open. */
    public boolean isOpen() {
        return contexts > 0 || !processes.isEmpty();
    }

    @Override
    public String toString() {
        if (!isOpen()) {
            return "nobody has it open";
        }
        String names = processes.isEmpty()
                ? "processes that this one cannot see"
                : processes.stream().map(LinkUse::name).collect(Collectors.joining(", "));
        return "it is open (" + contexts + (contexts == 1 ? " context" : " contexts") + " begun) in " + names;
    }

    private static String name(int process) {
        return ProcessHandle.of(process)
                .flatMap(handle -> handle.info().command())
                .map(command -> process + " (" + command.substring(command.lastIndexOf('/') + 1) + ")")
                .orElse(Integer.toString(process));
    }
}

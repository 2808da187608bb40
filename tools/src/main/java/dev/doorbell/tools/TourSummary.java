package dev.doorbell.tools;

import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.KernelCounters;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

/** The last chapter: what went to the kernel, by name and count, and what did not. */
final class TourSummary {
    private final KernelCounters kernel;
    private final List<TourStop> stops;
    private final Context context;

    TourSummary(KernelCounters kernel, List<TourStop> stops, Context context) {
        this.kernel = kernel;
        this.stops = stops;
        this.context = context;
    }

    void print(PrintStream out) {
        out.println("5. What went to the kernel, and what did not");
        out.println("--------------------------------------------");
        Columns table =
                new Columns().text("to the kernel").number("count").number("us").text("refused");
        kernel.commands()
                .forEach((name, command) -> table.row(
                        name,
                        command.count(),
                        "%.1f".formatted(command.elapsed().toNanos() / 1e3),
                        refusals(command)));
        table.row("ring mapped", kernel.maps(), "", "");
        table.row("memory pinned", kernel.pins(), "", "");
        table.print(out);
        out.println();
        long calls = stops.stream().mapToLong(TourStop::kernelCalls).sum();
        long doorbells = stops.stream().mapToLong(TourStop::doorbells).sum();
        new Columns()
                .text("between post and poll")
                .number("count")
                .row(
                        "work requests posted",
                        stops.stream().mapToInt(TourStop::workRequests).sum())
                .row(
                        "completions polled",
                        stops.stream().mapToInt(TourStop::completions).sum())
                .row("doorbells rung", doorbells)
                .row("calls into the kernel", calls)
                .print(out);
        out.println();
        out.println("  " + why(calls, doorbells));
    }

    private static String refusals(KernelCounters.Command command) {
        return command.refusals().entrySet().stream()
                .map(refusal -> refusal.getKey() + " x" + refusal.getValue())
                .collect(Collectors.joining(", "));
    }

    private String why(long calls, long doorbells) {
        String kernelName = context.device().kernel();
        if (calls == 0) {
            return "No call, because the rings are memory that program and device share, and the doorbell of the "
                    + kernelName + " kernel\n  is a call inside this process.";
        }
        if (calls == doorbells) {
            return "One call for each doorbell, one doorbell for each batch: the " + kernelName
                    + " kernel executes the work requests in software,\n  so it has to be told; receives and completions need no call.";
        }
        return calls + " calls for " + doorbells + " doorbells: more than one for each batch.";
    }
}

package dev.doorbell.tools;

import dev.doorbell.verbs.Connection;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.DeviceAttributes;
import dev.doorbell.verbs.KernelCounters;
import dev.doorbell.verbs.OpenOptions;
import dev.doorbell.verbs.OpenStep;
import dev.doorbell.verbs.PortAttributes;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** The tour: five chapters on one device. Every number in it was counted or measured on the way. */
final class Tour {
    private final Device device;
    private final PrintStream out;
    private final KernelCounters kernel = new KernelCounters();

    Tour(Device device, PrintStream out) {
        this.device = device;
        this.out = out;
    }

    /** Prints it all; returns whether everything worked and every byte was right. */
    boolean run() {
        out.println("""
                RDMA lets a program read and write another program's memory while the network card does the work.
                Setting up goes through the kernel. After that the program writes work requests into a ring that
                it shares with the device, rings a doorbell, and reads completions from another ring.
                """);
        List<OpenStep> steps = new ArrayList<>();
        try (Context context =
                device.open(OpenOptions.plain().listener(steps::add).observer(kernel))) {
            printOpening(context, steps);
            printLimits(context);
            List<TourStop> stops = visit(context);
            new TourSummary(kernel, stops, context).print(out);
            out.println();
            boolean right = stops.stream().allMatch(TourStop::isRight);
            out.println(
                    right ? "Everything worked, and every byte was right." : "NOT everything was right: see above.");
            return right;
        }
    }

    private List<TourStop> visit(Context context) {
        try (TourPair pair = new TourPair(context, kernel)) {
            printObjects(pair);
            List<TourStop> stops = new TourStops(pair).visit();
            printStops(stops);
            return stops;
        }
    }

    private void printOpening(Context context, List<OpenStep> steps) {
        chapter("1. Opening " + device.name());
        Columns table = new Columns().text("step").number("ms").text("what came of it");
        for (OpenStep step : steps) {
            table.row(step.name(), "%.3f".formatted(step.elapsed().toNanos() / 1e6), step.detail());
        }
        table.print(out);
        out.println();
        say("Kernel: " + device.kernel() + ". Driver: " + context.driver() + ", driver ABI " + context.driverAbi()
                + ", command ABI " + context.coreAbi() + ".");
        say("Commands go through " + context.commandFile() + ".");
        out.println();
    }

    private void printLimits(Context context) {
        chapter("2. What it can do");
        DeviceAttributes limits = context.query();
        PortAttributes port = context.queryPort(1);
        say("port 1: " + port.state() + ", " + port.linkLayer() + ", MTU " + port.activeMtu() + " of " + port.maxMtu()
                + ", messages up to " + Integer.toUnsignedString((int) port.maxMessageSize()) + " bytes");
        say("queue pairs: " + limits.maxQueuePairs() + ", each with up to " + limits.maxWorkRequests()
                + " work requests of " + limits.maxSge() + " elements");
        say("completion queues: " + limits.maxCompletionQueues() + " of up to " + limits.maxCompletions() + " entries");
        say("memory regions: " + limits.maxRegions() + "; outstanding READs and atomics of a queue pair: "
                + limits.maxReadAtomicPerQueuePair());
        out.println();
    }

    private void printObjects(TourPair pair) {
        chapter("3. Two queue pairs and their memory");
        Connection connection = pair.connection();
        say("A protection domain is the fence: " + pair.domainName() + ".");
        say("Memory is registered, so that the device may reach it: " + pair.registeredBytes()
                + " bytes, lkey and rkey 0x" + Integer.toHexString(pair.rkey()) + ".");
        say("Queue pair " + hex(connection.local().queuePairNumber()) + " is connected to "
                + hex(connection.remote().queuePairNumber()) + ": path MTU " + connection.mtu() + ",");
        say("ACK timeout " + connection.ackTimeout().toMillis() + " ms, " + connection.retryCount()
                + " retries, RNR timer " + connection.rnrTimer().toNanos() / 1000 + " us.");
        say("GID " + connection.local().gid() + ": " + connection.gidReason());
        out.println();
    }

    private void printStops(List<TourStop> stops) {
        chapter("4. Every operation, on real buffers");
        for (TourStop stop : stops) {
            say(stop.title() + ": " + stop.meaning());
        }
        out.println();
        Columns table = new Columns()
                .text("operation")
                .number("bytes")
                .number("work requests")
                .number("completions")
                .number("us")
                .text("bytes checked");
        for (TourStop stop : stops) {
            table.row(
                    stop.title(),
                    stop.bytes(),
                    stop.workRequests(),
                    stop.completions(),
                    "%.1f".formatted(stop.elapsedNs() / 1e3),
                    stop.isRight() ? "right" : "WRONG: " + stop.complaint());
        }
        table.print(out);
        out.println();
        say("Times are from the first call to the last completion, in a JVM that has just started.");
        out.println();
    }

    private void chapter(String title) {
        out.println(title);
        out.println("-".repeat(title.length()));
    }

    private void say(String sentence) {
        out.println("  " + sentence);
    }

    private static String hex(int number) {
        return "0x%06x".formatted(number);
    }
}

package dev.doorbell.quality.interop;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The other JVM, seen from the first. */
final class PeerProcess implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(3);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Process process;
    private final Line line;
    private boolean ready;
    private boolean playing;
    private @Nullable SoftSetup wanted;

    private PeerProcess(Process process) {
        this.process = process;
        this.line = new Line(process.getInputStream(), process.getOutputStream());
    }

    /** Starts it in the lab's other network namespace; it takes a while. */
    static PeerProcess start() throws IOException {
        return new PeerProcess(new ProcessBuilder(List.of(
                        "ip",
                        "netns",
                        "exec",
                        "peer",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // See docs/kernel-notes.md, "The lab": what the emulator does to tiered compilation.
                        "-XX:-TieredCompilation",
                        "-XX:+UseSerialGC",
                        "-ea",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Peer.class.getName()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    private void order(String text) {
        if (!ready) {
            Check.equal("the other JVM's first word", "ready", line.hear(START));
            ready = true;
        }
        // A row that failed on this side may have left a program running over there.
        while (playing) {
            playing = line.hear(PATIENCE).startsWith("out ");
        }
        line.say(text);
    }

    /** Gives it a new embedded device, when it needs one. */
    void next(SoftSetup setup) {
        wanted = setup;
    }

    /** Sets the device up, unless it is. */
    private void prepare() {
        SoftSetup setup = wanted;
        if (setup == null) {
            return;
        }
        wanted = null;
        order("device " + setup.toText());
        String link = line.hear(PATIENCE);
        System.out.println("  soft0: " + link);
        Check.that(
                link.contains(setup.offload() ? "with segmentation" : "without segmentation"),
                "the embedded device is not as it was asked for: " + link);
    }

    /** What its device counted. */
    String counters() {
        if (wanted != null) {
            return "nothing";
        }
        order("counters");
        return line.hear(PATIENCE);
    }

    /** Plays a bout with it. */
    void play(Bout bout, Desk desk, KnownBytes known) throws Script.Lacking {
        prepare();
        order("bout " + bout.toText());
        new Script(line).play(desk, bout, bout.fromRxe(), known);
    }

    /** Starts our ping-pong program there. */
    void startPingpong(String service, List<String> words) {
        prepare();
        order("pingpong " + service + " " + String.join(" ", words));
        playing = true;
    }

    /** Starts our twin of a program of rdmacm-utils there. */
    void startCm(CmProgram program, List<String> words) {
        prepare();
        order("cm " + program + " " + String.join(" ", words));
        playing = true;
    }

    /** The next line that the program prints; null when it has ended well. */
    @Nullable
    String nextOutput() {
        String said = line.hear(PATIENCE);
        if (said.startsWith("out ")) {
            return said.substring(4);
        }
        playing = false;
        Check.equal("how our program ended", "end", said);
        return null;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

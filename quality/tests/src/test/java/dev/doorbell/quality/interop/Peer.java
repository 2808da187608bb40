package dev.doorbell.quality.interop;

import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.tools.pingpong.Pingpong;
import dev.doorbell.tools.pingpong.PingpongOptions;
import dev.doorbell.tools.pingpong.Service;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.ParseException;
import org.jspecify.annotations.Nullable;

/** The other JVM: sets up an embedded device in its network namespace and does what it is told over standard input. */
final class Peer {
    private static final Duration FOR_EVER = Duration.ofHours(4);

    private final Line line;
    private final KnownBytes known = new KnownBytes(Desk.BYTES);
    private @Nullable SoftNetwork network;
    private @Nullable DeviceCatalog catalog;
    private @Nullable Desk desk;

    private Peer(Line line) {
        this.line = line;
    }

    public static void main(String[] arguments) {
        PrintStream out = System.out;
        System.setOut(System.err);
        Peer peer = new Peer(new Line(System.in, out));
        peer.line.say("ready");
        while (peer.obey(peer.line.hear(FOR_EVER))) {
            // the next one
        }
        System.exit(0);
    }

    private boolean obey(String order) {
        String[] words = order.split(" ", 2);
        switch (words[0]) {
            case "device" -> line.say(setUp(SoftSetup.parse(words[1])));
            case "bout" -> play(Bout.parse(words[1]));
            case "pingpong" -> line.say(pingpong(List.of(words[1].split(" ", -1))));
            case "cm" -> line.say(connect(List.of(words[1].split(" ", -1))));
            case "counters" -> line.say(counters());
            case "quit" -> {
                return false;
            }
            default -> throw new AssertionError("unknown order: " + order);
        }
        return true;
    }

    private String setUp(SoftSetup setup) {
        if (desk != null) {
            desk.close();
        }
        if (network != null) {
            network.close();
        }
        SoftNetwork made = setup.build();
        DeviceCatalog known =
                DeviceCatalog.of(List.of(made), DeviceCatalog.installed().providers());
        network = made;
        catalog = known;
        Desk opened = Desk.at(known.devices().getFirst());
        desk = opened;
        return String.valueOf(opened.context().device().properties().get("link"));
    }

    private void play(Bout bout) {
        Desk mine = desk;
        if (mine == null) {
            throw new AssertionError("a device first");
        }
        try {
            new Script(line).play(mine, bout, !bout.fromRxe(), known);
        } catch (Script.Lacking | AssertionError told) {
            // The other side knows.
        }
    }

    /** Plays our program; what it prints goes to the other JVM as it comes. */
    private String pingpong(List<String> words) {
        DeviceCatalog known = catalog;
        if (known == null) {
            throw new AssertionError("a device first");
        }
        PingpongOptions options = new PingpongOptions(Service.valueOf(words.getFirst()));
        try {
            CommandLine parsed = new DefaultParser()
                    .parse(options.options(), words.subList(1, words.size()).toArray(new String[0]));
            var settings = options.parse(parsed);
            boolean right = known.call(() -> Pingpong.play(settings, new PrintStream(new Told(false), true)));
            return right ? "end" : "end with wrong data";
        } catch (ParseException | RuntimeException e) {
            return "end with " + e;
        }
    }

    /** Plays our twin of a program of rdmacm-utils; what it prints goes to the other JVM as it comes. */
    private String connect(List<String> words) {
        DeviceCatalog known = catalog;
        if (known == null) {
            throw new AssertionError("a device first");
        }
        CmProgram program = CmProgram.valueOf(words.getFirst());
        try (Overseer _ = new Overseer()) {
            return known.call(() -> {
                program.play(words.subList(1, words.size()), new PrintStream(new Told(true), true));
                return "end";
            });
        } catch (RuntimeException | AssertionError e) {
            e.printStackTrace();
            return "end with " + e;
        }
    }

    private String counters() {
        SoftNetwork made = network;
        Map<String, Long> counters = new TreeMap<>();
        if (made != null) {
            made.device("soft0").counters().forEach((name, value) -> {
                if (value != 0) {
                    counters.put(name, value);
                }
            });
        }
        return counters.toString();
    }

    /** Says each line as it is ended. */
    private final class Told extends OutputStream {
        private final StringBuilder text = new StringBuilder();
        private final boolean timed;
        private final long start = System.nanoTime();

        /** @param timed whether the time in milliseconds is to stand in front */
        Told(boolean timed) {
            this.timed = timed;
        }

        @Override
        public void write(int b) {
            if (b == '\n') {
                line.say("out " + (timed ? "%7d ms  ".formatted((System.nanoTime() - start) / 1_000_000) : "") + text);
                text.setLength(0);
            } else {
                text.append((char) (b & 0xff));
            }
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            String more = new String(Arrays.copyOfRange(bytes, offset, offset + length), StandardCharsets.ISO_8859_1);
            more.chars().forEach(this::write);
        }
    }
}

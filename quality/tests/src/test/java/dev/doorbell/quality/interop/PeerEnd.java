package dev.doorbell.quality.interop;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Our program in the other JVM, on its embedded device. */
final class PeerEnd implements CmEnd {
    private final String name;
    private final PeerProcess peer;
    private final StringBuilder printed = new StringBuilder();
    private boolean ended;

    /** Starts it. */
    PeerEnd(PeerProcess peer, CmProgram program, List<String> words) {
        this.name = "doorbell " + program + " " + String.join(" ", words) + ", over there";
        this.peer = peer;
        peer.startCm(program, words);
    }

    @Override
    public void awaitReady() {
        for (String said = next(); said != null; said = next()) {
            if (said.contains("listening at") || said.contains("joined")) {
                return;
            }
        }
        throw new AssertionError(name + " ended early");
    }

    @Override
    public void await() {
        while (next() != null) {
            // the next line
        }
    }

    private @Nullable String next() {
        String said;
        try {
            said = peer.nextOutput();
        } catch (AssertionError e) {
            ended = true;
            printed.append(e.getMessage()).append('\n');
            throw e;
        }
        if (said == null) {
            ended = true;
        } else {
            printed.append(said).append('\n');
        }
        return said;
    }

    /** Waits for its end, which its own patience brings about. */
    @Override
    public String report() {
        try {
            while (!ended) {
                next();
            }
        } catch (AssertionError e) {
            // It is in what was printed.
        }
        return name + "\n" + printed;
    }

    @Override
    public void close() {
        // Its own patience ends it; whoever gives the next order waits for that.
    }
}

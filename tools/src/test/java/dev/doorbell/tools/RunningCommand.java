package dev.doorbell.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The doorbell command in a thread of its own. */
final class RunningCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Transcript out = new Transcript();
    private final Transcript err = new Transcript();
    private final FutureTask<Integer> status;

    private RunningCommand(String... words) {
        this.status = new FutureTask<>(() -> new DoorbellCommand(out.stream(), err.stream()).run(words));
        Thread.ofPlatform().daemon().name("doorbell " + words[0]).start(status);
    }

    static RunningCommand start(String... words) {
        return new RunningCommand(words);
    }

    /** The TCP port that a server with {@code -p 0} chose. */
    int listeningPort() throws InterruptedException {
        return Integer.parseInt(out.await("listening on TCP port (\\d+)\n", PATIENCE));
    }

    /** The first group of a pattern, once it is printed. */
    String awaitOut(String pattern) throws InterruptedException {
        return out.await(pattern, PATIENCE);
    }

    /** Whether it ends in this time. */
    boolean ends(Duration patience) throws Exception {
        try {
            status.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** Its exit code, once it has ended. */
    int status() throws Exception {
        assertThat(ends(PATIENCE))
                .as("it ends; so far it printed%n%s%s", out, err)
                .isTrue();
        return status.get();
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }
}

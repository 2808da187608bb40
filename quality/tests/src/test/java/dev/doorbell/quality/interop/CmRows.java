package dev.doorbell.quality.interop;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Rows of two ends each. A row that fails says what both have printed, and what the devices have counted; so does one that takes
 * so long that something must have been waited for.
 */
final class CmRows {
    private static final Duration SLOW = Duration.ofSeconds(45);

    private final Rows rows;
    private final PeerProcess peer;

    CmRows(Rows rows, PeerProcess peer) {
        this.rows = rows;
        this.peer = peer;
    }

    /** Starts an end. */
    @FunctionalInterface
    interface Start {
        CmEnd start() throws IOException;
    }

    /** Plays a row, if it is wanted: the client starts when the server is ready, and both must end well. */
    void row(String title, Start server, Start client) {
        play(title, server, client, true);
    }

    /** The same, but the sender goes on until the receiver has ended well. */
    void untilReceived(String title, Start receiver, Start sender) {
        play(title, receiver, sender, false);
    }

    private void play(String title, Start first, Start second, boolean awaitSecond) {
        rows.row(title, () -> {
            Map<String, Long> before = LabState.counters();
            long start = System.nanoTime();
            List<CmEnd> ends = new ArrayList<>();
            try {
                CmEnd one = first.start();
                ends.add(one);
                one.awaitReady();
                CmEnd other = second.start();
                ends.add(other);
                if (awaitSecond) {
                    other.await();
                    one.await();
                } else {
                    one.await();
                    other.enough();
                    other.await();
                }
                if (System.nanoTime() - start > SLOW.toNanos()) {
                    System.out.println("    slow: " + report(ends, before));
                }
            } catch (IOException | AssertionError e) {
                throw new AssertionError("the row failed; " + report(ends, before), e);
            } finally {
                Collections.reverse(ends);
                ends.forEach(CmEnd::close);
            }
        });
    }

    private String report(List<CmEnd> ends, Map<String, Long> before) {
        StringBuilder report = new StringBuilder("identifiers of rdma_cm:\n").append(LabState.connections());
        ends.forEach(end -> report.append(end.report()).append('\n'));
        report.append("rxe0 counted ").append(LabState.countedSince(before)).append("\nsoft0 has counted ");
        try {
            return report.append(peer.counters()).toString();
        } catch (AssertionError e) {
            return report.append("nothing that it could tell: ")
                    .append(e.getMessage())
                    .toString();
        }
    }
}

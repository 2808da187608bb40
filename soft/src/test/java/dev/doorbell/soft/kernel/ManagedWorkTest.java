package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What stands before a device's work passes on each question as it was asked. */
final class ManagedWorkTest {
    private final List<String> asked = new ArrayList<>();

    private final Work device = new Work() {
        @Override
        public boolean isReachable() {
            return asked.add("isReachable");
        }

        @Override
        public boolean hasWork() {
            return asked.add("hasWork");
        }

        @Override
        public boolean hasWork(long nowNs) {
            return asked.add("hasWork at " + nowNs);
        }

        @Override
        public boolean doWork(long nowNs) {
            return asked.add("doWork at " + nowNs);
        }

        @Override
        public boolean poll(long nowNs) {
            return asked.add("poll at " + nowNs);
        }

        @Override
        public long nextDeadlineNs() {
            asked.add("nextDeadlineNs");
            return 7;
        }
    };

    private final Work managed = new ManagedWork(
            device,
            () -> {
                throw new AssertionError("nobody needs the time");
            },
            () -> null);

    @Test
    void aDeviceWithoutConnectionsIsAskedAsBefore() {
        assertThat(managed.isReachable()).isTrue();
        assertThat(managed.hasWork()).isTrue();
        assertThat(managed.hasWork(1)).isTrue();
        assertThat(managed.doWork(2)).isTrue();
        assertThat(managed.poll(3)).isTrue();
        assertThat(managed.nextDeadlineNs()).isEqualTo(7);

        assertThat(asked)
                .containsExactly(
                        "isReachable", "hasWork", "hasWork at 1", "doWork at 2", "poll at 3", "nextDeadlineNs");
    }
}

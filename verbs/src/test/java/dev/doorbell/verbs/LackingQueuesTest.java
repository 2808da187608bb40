package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A driver that shares no receives and resizes nothing: the API says so, and everything is as before. */
@Timeout(20)
class LackingQueuesTest {
    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void sharedReceivesAreNotSupported() {
        assertThatThrownBy(() -> fixture.domain.sharedReceiveQueue(8).build())
                .isInstanceOfSatisfying(
                        NotSupportedException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP))
                .hasMessageContaining("CREATE_SRQ");
    }

    @Test
    void anotherSizeIsNotSupportedAndNothingHasChanged() {
        int capacity = fixture.completions.capacity();
        fixture.connected();
        int committed = fixture.completions.committed();
        assertThatThrownBy(() -> fixture.completions.resize(2 * capacity))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("RESIZE_CQ");
        assertThat(fixture.completions.capacity()).isEqualTo(capacity);
        assertThat(fixture.completions.committed()).isEqualTo(committed);
        assertThat(fixture.completions.poll(1, completion -> {})).isZero();
    }
}

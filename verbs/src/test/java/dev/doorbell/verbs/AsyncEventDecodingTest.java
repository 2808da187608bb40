package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.AsyncEventType;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the API makes of the records of a kernel that it does not trust. */
final class AsyncEventDecodingTest {
    private static final long NOBODY = 1L << 40;

    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private void raise(long element, int type) {
        fixture.device.channel.events.add(new long[] {element, type});
    }

    private List<AsyncEvent> taken() {
        AsyncEvents events = fixture.context.events();
        return Stream.generate(events::poll)
                .takeWhile(java.util.Optional::isPresent)
                .flatMap(java.util.Optional::stream)
                .toList();
    }

    @Test
    void unknownNumbersKeepTheirNumber() {
        raise(7, 4711);
        raise(NOBODY, -3);
        raise(1, AsyncEventType.WQ_FATAL.code());
        assertThat(taken())
                .containsExactly(
                        new AsyncEvent.Other(AsyncEventType.UNKNOWN, 4711, 7),
                        new AsyncEvent.Other(AsyncEventType.UNKNOWN, -3, NOBODY),
                        new AsyncEvent.Other(AsyncEventType.WQ_FATAL, 19, 1));
    }

    @Test
    void eventsOfObjectsThatAreNotThereAreDropped() {
        for (AsyncEventType type : AsyncEventType.values()) {
            if (!type.isPortEvent() && type != AsyncEventType.DEVICE_FATAL && type != AsyncEventType.WQ_FATAL) {
                raise(NOBODY, type.code());
            }
        }
        raise(2, AsyncEventType.PORT_ERR.code());
        assertThat(taken())
                .containsExactly(
                        new AsyncEvent.Other(AsyncEventType.UNKNOWN, -1, NOBODY),
                        new AsyncEvent.OfPort(AsyncEventType.PORT_ERR, fixture.context.device(), 2));
    }

    @Test
    void everyTypeIsMapped() {
        for (AsyncEventType type : AsyncEventType.values()) {
            raise(1, type.code());
        }
        assertThat(taken()).extracting(AsyncEvent::code).contains(8, 9, 10, 11, 12, 13, 17, 18, 19, 20, -1);
    }
}

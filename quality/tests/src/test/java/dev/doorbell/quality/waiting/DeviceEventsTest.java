package dev.doorbell.quality.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.PortState;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.testkit.Fabric;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.DeviceUnavailableException;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cable that is pulled and a device that fails, as the test kit provokes them; under virtual time. */
@Timeout(60)
final class DeviceEventsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Fabric fabric = Fabric.pair();
    private final Context left = fabric.device(0).open();
    private final Context right = fabric.device(1).open();
    private final ProtectionDomain domain = left.allocateProtectionDomain();
    private final CompletionQueue completions = left.createCompletionQueue(32);
    private final MemoryRegion region = domain.register(Arena.ofAuto().allocate(64), AccessFlag.LOCAL_WRITE);
    private final QueuePair sender = domain.queuePair(completions).depth(4, 4).build();
    private final QueuePair receiver = right.allocateProtectionDomain()
            .queuePair(right.createCompletionQueue(32))
            .depth(4, 4)
            .build();

    @AfterEach
    void close() {
        left.close();
        right.close();
        fabric.close();
    }

    private void connect() {
        ConnectOptions options =
                ConnectOptions.defaults().ackTimeout(Duration.ofMillis(1)).retryCount(2);
        sender.connect(receiver.endpoint(), options);
        receiver.connect(sender.endpoint(), options);
    }

    private WorkCompletionStatus sendOne() {
        sender.postSend(1, region.slice(0, 0));
        List<WorkCompletionStatus> status = new ArrayList<>();
        assertThat(completions.await(1, PATIENCE, completion -> status.add(completion.status())))
                .isEqualTo(1);
        return status.getFirst();
    }

    @Test
    void aPulledCable() {
        connect();
        fabric.unplug(0);
        fabric.unplug(0);
        assertThat(left.events().poll()).contains(new AsyncEvent.OfPort(AsyncEventType.PORT_ERR, left.device(), 1));
        assertThat(left.events().poll()).as("told once").isEmpty();
        assertThat(right.events().poll()).as("the peer's port is up").isEmpty();
        assertThat(left.queryPort(1).state()).isEqualTo(PortState.DOWN);
        assertThat(sendOne()).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);

        fabric.plug(0);
        assertThat(left.events().poll()).contains(new AsyncEvent.OfPort(AsyncEventType.PORT_ACTIVE, left.device(), 1));
        assertThat(left.queryPort(1).state()).isEqualTo(PortState.ACTIVE);
    }

    @Test
    void everyContextOfTheDeviceIsTold() {
        try (Context second = fabric.device(0).open()) {
            fabric.raise(0, AsyncEventType.GID_CHANGE);
            for (Context context : List.of(left, second)) {
                assertThat(context.events().poll())
                        .contains(new AsyncEvent.OfPort(AsyncEventType.GID_CHANGE, context.device(), 1));
            }
        }
        fabric.raise(0, AsyncEventType.PKEY_CHANGE);
        assertThat(left.events().await(PATIENCE)).map(AsyncEvent::type).contains(AsyncEventType.PKEY_CHANGE);
    }

    @Test
    void aDeviceThatFails() {
        connect();
        sender.postSend(1, region.slice(0, 0));
        fabric.fail(0);
        fabric.fail(0);
        assertThat(left.events().await(PATIENCE))
                .contains(new AsyncEvent.OfDevice(AsyncEventType.DEVICE_FATAL, left.device()));
        assertThat(left.events().poll()).as("told once").isEmpty();

        assertThatThrownBy(() -> sender.postSend(2, region.slice(0, 0)))
                .isInstanceOf(DeviceUnavailableException.class)
                .hasMessageContaining("EIO");
        assertThatThrownBy(left::query)
                .isInstanceOf(DeviceUnavailableException.class)
                .hasMessageContaining("EIO");
        assertThatThrownBy(() -> left.createCompletionQueue(4)).hasMessageContaining("EIO");
        assertThatThrownBy(() -> completions.await(1, PATIENCE, completion -> {}))
                .as("it cannot be armed any more")
                .isInstanceOf(DeviceUnavailableException.class);
        assertThatThrownBy(() -> fabric.device(0).open()).isInstanceOf(DeviceUnavailableException.class);
        assertThat(right.query()).isNotNull();

        sender.close();
        assertThat(completions.poll(
                        9, completion -> assertThat(completion.isSuccess()).isFalse()))
                .as("each comes back once")
                .isEqualTo(2);
        region.close();
        completions.close();
        domain.close();
    }

    @Test
    void waitsTakeVirtualTimeOnly() {
        long start = System.nanoTime();
        assertThat(completions.await(1, Duration.ofDays(1), completion -> {})).isZero();
        assertThat(left.events().await(Duration.ofDays(1))).isEmpty();
        assertThat(left.createCompletionChannel().await(Duration.ofDays(1))).isEmpty();
        assertThat(fabric.clock().elapsed()).isGreaterThanOrEqualTo(Duration.ofDays(3));
        assertThat(System.nanoTime() - start).isLessThan(Duration.ofSeconds(30).toNanos());
    }
}

package dev.doorbell.quality.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.abi.DestroyCqResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.TappedChannel;
import dev.doorbell.quality.stack.TappedKernel;
import dev.doorbell.verbs.CompletionChannel;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The kernel and the library count the same events: what DESTROY_CQ says was reported is what was acknowledged. */
@Timeout(60)
final class AcknowledgementTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<Integer> reported = new ArrayList<>();

    private final class Counting extends TappedChannel {
        Counting(CommandChannel channel) {
            super(channel);
        }

        @Override
        public int invoke(
                UverbsCommand command,
                MemorySegment coreIn,
                MemorySegment coreOut,
                MemorySegment driverIn,
                MemorySegment driverOut) {
            int errno = super.invoke(command, coreIn, coreOut, driverIn, driverOut);
            if (command == UverbsCommand.DESTROY_CQ) {
                reported.add(DestroyCqResponse.compEventsReported(coreOut, 0));
            }
            return errno;
        }

        @Override
        protected void mapped(MemorySegment mapping) {}

        @Override
        protected void ringing() {}
    }

    @Test
    void everyEventThatWasReadIsAcknowledged() {
        try (Pair pair = Pair.builder()
                .kernel(kernel -> new TappedKernel(kernel, Counting::new))
                .build()) {
            End end = pair.right();
            CompletionChannel channel = end.context().createCompletionChannel();
            CompletionQueue received =
                    end.context().completionQueue(32).channel(channel).build();
            QueuePair receiver = end.domain().queuePair(received).depth(8, 8).build();
            QueuePair sender = end.domain()
                    .queuePair(pair.left().completions())
                    .depth(8, 8)
                    .build();
            pair.connect(sender, receiver);
            for (int i = 0; i < 7; i++) {
                receiver.postReceive(i, end.region().slice(0, 64));
                received.arm();
                sender.postSend(i, end.region().slice(0, 64));
                if (i < 5) {
                    assertThat(channel.await(PATIENCE)).containsSame(received);
                }
                received.poll(9, WorkCompletion::requireSuccess);
            }
            receiver.close();
            received.close();
            assertThat(received.acknowledgedEvents()).as("two were not read").isEqualTo(5);
            assertThat(reported).containsExactly(5);
            assertThat(channel.poll()).isEmpty();
        }
    }

    /** Who waits in await() takes the events of its own file. */
    @Test
    void eventsOfAQueueWithoutAChannelToo() {
        try (Pair pair = Pair.builder()
                .kernel(kernel -> new TappedKernel(kernel, Counting::new))
                .build()) {
            CompletionQueue queue = pair.left().context().createCompletionQueue(4);
            assertThat(queue.await(1, Duration.ofMillis(2), completion -> {})).isZero();
            queue.close();
            assertThat(reported).containsExactly((int) queue.acknowledgedEvents());
        }
    }
}

package dev.doorbell.tools.pingpong;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionChannel;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.PortAttributes;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.RegisteredArena;
import dev.doorbell.verbs.WaitPolicy;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What every service needs of the device: memory to play with, and a place where work requests complete. */
final class Setup implements AutoCloseable {
    /** Completions for each queue pair besides those of receives: its one send, and a receive it took from a shared queue. */
    private static final int ROOM = 2;

    private final Settings settings;
    private final Context context;
    private final ProtectionDomain domain;
    private final RegisteredArena arena;
    private final Ball ball;
    private final CompletionQueue completions;
    private final Rally.Wait wait;
    private final @Nullable ReceiveClock clock;

    private Setup(Settings settings, Context context) {
        this.settings = settings;
        this.context = context;
        checkSize(context.queryPort(settings.port()));
        this.domain = context.allocateProtectionDomain();
        this.arena = settings.has(Extra.ON_DEMAND)
                ? domain.arena(AccessFlag.LOCAL_WRITE, AccessFlag.ON_DEMAND)
                : domain.arena(AccessFlag.LOCAL_WRITE);
        this.ball = new Ball(arena, settings.service() == Service.UD ? Ball.HEADROOM : 0, settings.size());
        CompletionQueue.Builder queue = context.completionQueue(settings.receiveDepth() + ROOM * settings.queuePairs());
        if (settings.has(Extra.TIMESTAMPS)) {
            queue.timestamps();
            this.clock = new ReceiveClock(context.queryExtended().timestampMask());
        } else {
            this.clock = null;
        }
        if (settings.has(Extra.EVENTS)) {
            CompletionChannel channel = context.createCompletionChannel();
            this.completions = queue.channel(channel).build();
            this.wait = new EventWait(channel, completions);
        } else {
            this.completions = queue.waitPolicy(WaitPolicy.alwaysSpin()).build();
            this.wait = completions::await;
        }
    }

    /** Opens the device; nothing stays open if that fails. */
    @SuppressWarnings("MustBeClosed") // the context is closed by close()
    static Setup open(Settings settings) {
        FaultsOption.check();
        String name = settings.device();
        Context context = FaultsOption.checked(name == null ? Device.preferred() : Device.named(name))
                .open();
        try {
            Features.require(settings.extras(), context);
            return new Setup(settings, context);
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    private void checkSize(PortAttributes port) {
        if (settings.service().hasPathMtu()) {
            if (settings.mtu().compareTo(port.activeMtu()) > 0) {
                throw new PingpongException("the path MTU of " + settings.mtu() + " is more than port "
                        + settings.port() + " of " + name() + " can: " + port.activeMtu() + "; -m names a smaller one");
            }
            if (Long.compareUnsigned(settings.size(), port.maxMessageSize()) > 0) {
                throw new PingpongException("messages of " + settings.size() + " bytes are larger than those of "
                        + name() + ": " + Long.toUnsignedString(port.maxMessageSize()));
            }
        } else if (settings.size() > port.activeMtu().bytes()) {
            throw new PingpongException("a datagram of " + settings.size() + " bytes does not fit in one packet: port "
                    + settings.port() + " of " + name() + " has an MTU of " + port.activeMtu());
        }
    }

    private String name() {
        return context.device().name();
    }

    Settings settings() {
        return settings;
    }

    Context context() {
        return context;
    }

    ProtectionDomain domain() {
        return domain;
    }

    Ball ball() {
        return ball;
    }

    CompletionQueue completions() {
        return completions;
    }

    /** What keeps the times of receives; null unless they were asked for. */
    @Nullable
    ReceiveClock clock() {
        return clock;
    }

    /** How to wait for completions. */
    Rally.Wait waiting() {
        return wait;
    }

    /** What may explain that a peer is not heard: how the device reaches others, where it says so. */
    String reach() {
        return context.device().properties().entrySet().stream()
                .map(property -> "; " + name() + " has " + property.getKey() + " " + property.getValue())
                .sorted()
                .collect(Collectors.joining());
    }

    /** Closes the device with all that is in it. Idempotent. */
    @Override
    public void close() {
        context.close();
    }
}

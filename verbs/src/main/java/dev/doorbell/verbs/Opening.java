package dev.doorbell.verbs;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.CommandObserver;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.ObservedCommandChannel;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.verbs.spi.Provider;
import dev.doorbell.verbs.spi.ProviderContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/** Opens a device once, step by step, and tells each step to whom it may concern. */
final class Opening {
    private final Device device;
    private final OpenOptions options;

    Opening(Device device, OpenOptions options) {
        this.device = device;
        this.options = options;
    }

    Context run() {
        refuseObstacle();
        KernelDevice kernelDevice = device.entry().device();
        Provider provider = Objects.requireNonNull(device.entry().provider(), "a usable device has a driver");
        tell(
                "enumerate",
                kernelDevice.name() + " of " + device.kernel() + ", " + kernelDevice.ports() + " port(s), node "
                        + kernelDevice.node(),
                device.enumeration());
        long start = System.nanoTime();
        CommandChannel channel = openNode(kernelDevice);
        boolean done = false;
        try {
            tell("open the node", channel.description(), since(start));
            Context context = initialise(kernelDevice, provider, channel);
            done = true;
            return context;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    private Context initialise(KernelDevice kernelDevice, Provider provider, CommandChannel channel) {
        CommandLog log = new CommandLog();
        CommandChannel observed = observe(channel, log);
        long start = System.nanoTime();
        ProviderContext context;
        DeviceAttributes attributes;
        try {
            context = provider.open(kernelDevice, observed);
            attributes = context.queryDevice();
        } catch (RuntimeException e) {
            throw unavailable(Refusal.of(e, "open", "device " + device.name())
                    .remedy("Its driver " + provider.name() + " could not start on " + channel.description()));
        }
        Duration all = since(start);
        log.finished = true;
        tell(
                "query the context and its capabilities",
                "%s: %d completion vectors, up to %d queue pairs, %d completion queues, %d regions"
                        .formatted(
                                String.join(" ", log.names),
                                context.completionVectors(),
                                attributes.maxQueuePairs(),
                                attributes.maxCompletionQueues(),
                                attributes.maxRegions()),
                Duration.ofNanos(log.elapsed.sum()));
        tell(
                "match and initialise the driver",
                "%s by %s, driver ABI %d of %s, core ABI %d, %d operations"
                        .formatted(
                                provider.name(),
                                device.entry().matchedBy(),
                                kernelDevice.driverAbi(),
                                provider.abi(),
                                kernelDevice.coreAbi(),
                                context.operations().size()),
                all.minusNanos(log.elapsed.sum()));
        long handing = System.nanoTime();
        Context opened = new Context(device, context, observed, attributes.capabilities());
        try {
            tell("hand back", opened.toString(), since(handing));
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    private CommandChannel observe(CommandChannel channel, CommandLog log) {
        CommandChannel observed = channel;
        KernelObserver observer = options.observer();
        if (observer != null) {
            observed = new ObservedCommandChannel(observed, new Adapter(observer));
        }
        return options.listener() == null ? observed : new ObservedCommandChannel(observed, log);
    }

    private void refuseObstacle() {
        device.obstacle().ifPresent(obstacle -> {
            throw unavailable(
                    Refusal.of(Errno.ENODEV, "open", "device " + device.name()).rule(obstacle));
        });
    }

    private CommandChannel openNode(KernelDevice kernelDevice) {
        try {
            return kernelDevice.open();
        } catch (RuntimeException e) {
            throw unavailable(Refusal.of(e, "open", "device " + device.name()));
        }
    }

    private static VerbsException unavailable(Refusal refusal) {
        return refusal.errno == Errno.EOPNOTSUPP ? refusal.exception() : new DeviceUnavailableException(refusal);
    }

    private void tell(String name, String detail, Duration elapsed) {
        OpenListener listener = options.listener();
        if (listener != null) {
            listener.onStep(new OpenStep(name, detail, elapsed));
        }
    }

    private static Duration since(long startNs) {
        return Duration.ofNanos(System.nanoTime() - startNs);
    }

    /** The commands of opening. It stays beside the context afterwards, idle. */
    private static final class CommandLog implements CommandObserver {
        private final List<String> names = new CopyOnWriteArrayList<>();
        private final LongAdder elapsed = new LongAdder();
        private volatile boolean finished;

        @Override
        public void onCommand(UverbsCommand command, int errno, long elapsedNs) {
            if (!finished) {
                names.add(command.name());
                elapsed.add(elapsedNs);
            }
        }

        @Override
        public boolean wantsDoorbells() {
            return false;
        }
    }

    /** Gives the kernel's events to an observer of the API. */
    private record Adapter(KernelObserver observer) implements CommandObserver {
        @Override
        public void onCommand(UverbsCommand command, int errno, long elapsedNs) {
            observer.onCommand(command.name(), errno, elapsedNs);
        }

        @Override
        public void onMap(long length, long elapsedNs) {
            observer.onMap(length);
        }

        @Override
        public void onUnmap(long length) {
            observer.onUnmap(length);
        }

        @Override
        public void onPin(long length) {
            observer.onPin(length);
        }

        @Override
        public void onDoorbell(boolean systemCall, int errno) {
            observer.onDoorbell(systemCall, errno);
        }
    }
}

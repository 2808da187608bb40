package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.MethodCall;
import dev.doorbell.kernel.Progress;
import dev.doorbell.kernel.abi.UverbsCommand;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An open device of the embedded kernel.
 *
 * <p>Commands of one context take turns under its lock. None of them waits for a program; what they wait for at most is
 * that the device lets go of an object.
 */
final class SoftContext implements CommandChannel {
    private final SoftDevice device;
    private final String description;
    private final ReentrantLock lock = new ReentrantLock();
    private final CommandTable commands = new CommandTable();
    private final Objects objects;
    private final RingStore rings;
    private final Pins pins;
    private final RegisterPages registers;

    // Guarded by the lock.
    private @Nullable EventQueue asynchronous;
    private volatile boolean closed;

    SoftContext(SoftDevice device, String description, RandomGenerator random) {
        this.device = device;
        this.description = description;
        this.objects = new Objects(random);
        this.rings = new RingStore(device.quotas(), device.limits().ringBytes(), random);
        this.pins = new Pins(device.quotas());
        this.registers = new RegisterPages(device.quotas());
        ContextCommands.register(commands, this);
        DeviceCommands.register(commands, this);
        DomainCommands.register(commands, this);
        RegionCommands.register(commands, this);
        ReregistrationCommand.register(commands, this);
        WindowCommands.register(commands, this);
        switch (device.personality()) {
            case RXE -> {
                RxeCompletionCommands.register(commands, this);
                RxeQueuePairCommands.register(commands, this);
                RxeSharedReceiveCommands.register(commands, this);
                SendCommands.register(commands, this);
            }
            case MLX5 -> {
                Mlx5CompletionCommands.register(commands, this);
                Mlx5QueuePairCommands.register(commands, this);
                Mlx5SharedReceiveCommands.register(commands, this);
            }
        }
        QueuePairAttributeCommands.register(commands, this);
        AddressHandleCommands.register(commands, this);
        MulticastCommands.register(commands, this);
    }

    @Override
    public int invoke(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        Call call = new Call(coreIn, coreOut, driverIn, driverOut);
        if (!call.isUsable()) {
            return Errno.EFAULT;
        }
        lock.lock();
        try {
            if (closed) {
                return Errno.EBADF;
            }
            device.catchUp();
            return device.health().refuses(command) ? Errno.EIO : commands.run(command, call);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int call(MethodCall call) {
        if (closed) {
            return Errno.EBADF;
        }
        return isMlx5() ? registers.call(call) : Errno.EPROTONOSUPPORT;
    }

    private boolean isMlx5() {
        return device.personality() == Personality.MLX5;
    }

    /** A command that is refused until GET_CONTEXT was sent. */
    Command whenStarted(Command command) {
        return call -> asynchronous == null ? Errno.EINVAL : command.run(call);
    }

    /** GET_CONTEXT: once in the life of a context. */
    int start() {
        if (asynchronous != null) {
            return Errno.EINVAL;
        }
        asynchronous = openFile(EventQueue.Kind.ASYNCHRONOUS);
        if (asynchronous == null) {
            return Errno.EMFILE;
        }
        device.health().add(asynchronous);
        return 0;
    }

    /** Opens an event file; null if there are too many. */
    @Nullable
    EventQueue openFile(EventQueue.Kind kind) {
        if (!device.quotas().channels.take()) {
            return null;
        }
        int descriptor = objects.files.reserve();
        EventQueue queue = new EventQueue(kind, descriptor, device.idler(), () -> forgetFile(descriptor));
        objects.files.put(descriptor, queue);
        return queue;
    }

    private void forgetFile(int descriptor) {
        device.quotas().channels.give();
        lock.lock();
        try {
            objects.files.remove(descriptor);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public MemorySegment map(long offset, long length) {
        checkOpen();
        return isMlx5() ? registers.map(offset, length) : rings.map(offset, length);
    }

    @Override
    public MemorySegment mapReadOnly(long offset, long length) {
        checkOpen();
        return isMlx5() ? registers.mapReadOnly(offset, length) : CommandChannel.super.mapReadOnly(offset, length);
    }

    @Override
    public void unmap(MemorySegment mapping) {
        rings.unmap(mapping);
        registers.unmap(mapping);
    }

    @Override
    public Pin pin(MemorySegment memory) {
        checkOpen();
        return pins.pin(memory);
    }

    @Override
    public Doorbell doorbell(int queuePairHandle) {
        lock.lock();
        try {
            checkOpen();
            QueuePair queuePair = objects.queuePairs.find(queuePairHandle);
            if (queuePair == null) {
                return new UselessDoorbell(objects.queuePairs.refusal(queuePairHandle));
            }
            return new SoftDoorbell(this, queuePair.hca());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public EventFile eventFile(int descriptor) {
        lock.lock();
        try {
            checkOpen();
            EventQueue queue = objects.files.find(descriptor);
            if (queue == null) {
                throw new KernelException(Errno.EBADF, "no event file has the descriptor " + descriptor);
            }
            return queue;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Progress progress() {
        return device.progress();
    }

    @Override
    public String description() {
        return description;
    }

    private void checkOpen() {
        if (closed) {
            throw new KernelException(Errno.EBADF, description + " is closed");
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            if (asynchronous != null) {
                device.health().remove(asynchronous);
            }
            objects.destroyAll(this);
            for (EventQueue file : objects.files.drain()) {
                file.close();
            }
            rings.close();
            registers.close();
            pins.close();
            device.contextClosed();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        return closed;
    }

    SoftDevice device() {
        return device;
    }

    Objects objects() {
        return objects;
    }

    RingStore rings() {
        return rings;
    }

    RegisterPages registerPages() {
        return registers;
    }

    Pins pins() {
        return pins;
    }

    int completionVectors() {
        return device.completionVectors();
    }

    /** The file of asynchronous events; only after GET_CONTEXT. */
    EventQueue asynchronous() {
        if (asynchronous == null) {
            throw new IllegalStateException("no GET_CONTEXT yet");
        }
        return asynchronous;
    }
}

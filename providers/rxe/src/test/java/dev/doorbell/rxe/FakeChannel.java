package dev.doorbell.rxe;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.Progress;
import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.kernel.abi.RxeModifySrq;
import dev.doorbell.kernel.abi.UverbsCommand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A kernel by script: each command has an answer that the test gives, every call is written down in order, and rings
 * that were unmapped can be touched no more.
 */
final class FakeChannel implements CommandChannel {
    /** What a command answers: fills the responses and returns the errno. */
    interface Answer {
        int to(MemorySegment in, MemorySegment out, MemorySegment driverOut);
    }

    /** One call of {@link #invoke}, with the request as it came. */
    record Call(UverbsCommand command, Bytes in, int outSize, int driverOutSize) {}

    private final Map<UverbsCommand, Answer> answers = new EnumMap<>(UverbsCommand.class);
    private final Map<Long, Arena> offers = new HashMap<>();
    private final Map<Long, MemorySegment> offered = new HashMap<>();
    private final Map<Long, Arena> mappings = new HashMap<>();

    /** Commands in order, with their requests. */
    final List<Call> calls = new ArrayList<>();
    /** Everything that happened, in order, one word each. */
    final List<String> log = new ArrayList<>();

    /** Whether doorbells are written down. */
    boolean logged = true;

    int doorbellErrno;
    Progress progress = Progress.NONE;
    boolean refusePins;
    boolean refuseDoorbells;
    boolean refuseFiles;

    FakeChannel answer(UverbsCommand command, Answer answer) {
        answers.put(command, answer);
        return this;
    }

    /** A command that answers nothing but an errno. */
    FakeChannel answer(UverbsCommand command, int errno) {
        return answer(command, (in, out, driverOut) -> errno);
    }

    /** A command that answers these bytes. */
    FakeChannel answer(UverbsCommand command, Bytes core, Bytes driver) {
        return answer(command, (in, out, driverOut) -> {
            core.copyTo(out, 0);
            driver.copyTo(driverOut, 0);
            return 0;
        });
    }

    /** Zeroed memory that can be mapped once, under this key. Unmapping closes it. */
    @SuppressWarnings("MustBeClosedChecker")
    MemorySegment offer(long key, long size) {
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(size, 4096);
        offers.put(key, arena);
        offered.put(key, memory);
        return memory;
    }

    /** A ring as the kernel makes it, offered for mapping. */
    FakeRing ring(long key, int log2ElementSize, int slots) {
        return new FakeRing(offer(key, 384 + ((long) slots << log2ElementSize)), log2ElementSize, slots);
    }

    Call last() {
        return calls.getLast();
    }

    @Override
    public int invoke(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        log.add(command.name());
        calls.add(new Call(command, Bytes.copy(coreIn, 0, (int) coreIn.byteSize()), (int) coreOut.byteSize(), (int)
                driverOut.byteSize()));
        boolean modifiesShared = command == UverbsCommand.MODIFY_SRQ;
        if (modifiesShared ? !isPlaceForOffer(driverIn) : driverIn.byteSize() != 0) {
            return Errno.EINVAL;
        }
        return answers.getOrDefault(command, (in, out, driver) -> Errno.EOPNOTSUPP)
                .to(coreIn, coreOut, modifiesShared ? driverIn.asSlice(RxeModifySrq.SIZE) : driverOut);
    }

    /** The one driver's request there is: it names the memory behind itself. */
    private static boolean isPlaceForOffer(MemorySegment driverIn) {
        return driverIn.byteSize() == RxeModifySrq.SIZE + RxeMmapInfo.SIZE
                && RxeModifySrq.mmapInfoAddr(driverIn, 0) == driverIn.address() + RxeModifySrq.SIZE;
    }

    @Override
    public MemorySegment map(long offset, long length) {
        Arena arena = offers.remove(offset);
        MemorySegment memory = offered.remove(offset);
        if (arena == null || memory == null || length > memory.byteSize()) {
            throw new KernelException(Errno.EINVAL, "nothing is offered at " + offset);
        }
        log.add("map " + offset);
        mappings.put(memory.address(), arena);
        return memory.asSlice(0, length);
    }

    @Override
    public void unmap(MemorySegment mapping) {
        log.add("unmap");
        Arena arena = mappings.remove(mapping.address());
        if (arena == null) {
            throw new AssertionError("not mapped");
        }
        arena.close();
    }

    int mapped() {
        return mappings.size();
    }

    @Override
    public Pin pin(MemorySegment memory) {
        if (refusePins) {
            throw new KernelException(Errno.EFAULT, "memory on the heap");
        }
        log.add("pin");
        return () -> log.add("unpin");
    }

    @Override
    public Doorbell doorbell(int queuePairHandle) {
        if (refuseDoorbells) {
            throw new KernelException(Errno.EBADF, "closed");
        }
        return new Doorbell() {
            @Override
            public int ring() {
                if (logged) {
                    log.add("ring " + queuePairHandle);
                }
                return doorbellErrno;
            }

            @Override
            public boolean isSystemCall() {
                return false;
            }
        };
    }

    @Override
    public EventFile eventFile(int descriptor) {
        if (refuseFiles) {
            throw new KernelException(Errno.EBADF, "closed");
        }
        return new EventFile() {
            @Override
            public int read(MemorySegment record, long timeoutNs) {
                return 0;
            }

            @Override
            public boolean await(long timeoutNs) {
                return true;
            }

            @Override
            public void onReadable(@Nullable Runnable action) {}

            @Override
            public int descriptor() {
                return descriptor;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Progress progress() {
        return progress;
    }

    @Override
    public String description() {
        return "script";
    }

    @Override
    public void close() {
        throw new AssertionError("a channel is its opener's to close");
    }
}

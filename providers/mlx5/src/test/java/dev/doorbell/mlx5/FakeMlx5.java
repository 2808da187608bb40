package dev.doorbell.mlx5;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.MethodCall;
import dev.doorbell.kernel.abi.AbiGidEntry;
import dev.doorbell.kernel.abi.CreateCompChannelResponse;
import dev.doorbell.kernel.abi.GetContextResponse;
import dev.doorbell.kernel.abi.IoctlIds;
import dev.doorbell.kernel.abi.QueryPortResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.Mlx5GetContext;
import dev.doorbell.kernel.abi.mlx5.Mlx5IoctlIds;
import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** A kernel with an mlx5 device that answers as the one did with which the vectors were recorded. */
final class FakeMlx5 extends QuietChannel {
    private static final int LAST_REGISTER = 15;
    static final int FIRST_QPN = 0xa1b200;

    /** A command as it came, and where its answer goes, as long as it lasts. */
    record Sent(UverbsCommand command, MemorySegment coreIn, MemorySegment driverIn, MemorySegment coreOut) {}

    /** A page that was offered or mapped. */
    record Page(long offset, int id, @Nullable MemorySegment memory) {}

    private final String profile;
    final List<Sent> commands = new ArrayList<>();

    /** The page of the device's clock, if it has one. */
    @Nullable
    MemorySegment clock;

    /** What a test wants to happen at a command; it answers the errno. */
    final Map<UverbsCommand, ToIntFunction<Sent>> answers = new EnumMap<>(UverbsCommand.class);

    final List<MethodCall> calls = new ArrayList<>();
    final List<Long> maps = new ArrayList<>();
    final Map<Long, Page> pages = new TreeMap<>();
    private int handle;
    private int domains;
    private int completionQueues;
    private int queuePairs;
    private int sharedQueues;
    private int regions;
    private int windows;
    private int addresses;
    private int uars;
    private int registers;

    FakeMlx5(String profile) {
        this.profile = profile;
        this.registers = firstRegister();
    }

    boolean isStatic() {
        return profile.startsWith("static") || profile.equals("writeabi");
    }

    private MemorySegment copy(MemorySegment segment) {
        return Arena.ofAuto()
                .allocate(Math.max(1, segment.byteSize()))
                .asSlice(0, segment.byteSize())
                .copyFrom(segment);
    }

    @Override
    public int invoke(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        Sent sent = new Sent(command, copy(coreIn), copy(driverIn), coreOut);
        commands.add(sent);
        switch (command) {
            case GET_CONTEXT -> {
                return context(coreOut, driverIn, driverOut);
            }
            case QUERY_PORT -> port(coreOut);
            case ALLOC_PD -> {
                Host.setInt(coreOut, 0, ++handle);
                Host.setInt(driverOut, 0, 0x90 + domains++);
            }
            case REG_MR -> key(coreOut, 0x180000 + (regions << 8) + 0x10 + regions++, true);
            case ALLOC_MW -> key(coreOut, 0x250000 + (windows << 8) + 0x40 + windows++, false);
            case CREATE_COMP_CHANNEL -> CreateCompChannelResponse.setFd(coreOut, 0, 77);
            case CREATE_CQ -> {
                Host.setInt(coreOut, 0, ++handle);
                Host.setInt(coreOut, 4, Host.getInt(coreIn, 16));
                Host.setInt(driverOut, 0, 0x400 + completionQueues++);
            }
            case CREATE_SRQ -> {
                Host.setInt(coreOut, 0, ++handle);
                Host.setInt(driverOut, 0, 0x700 + sharedQueues++);
            }
            case CREATE_QP -> {
                Host.setInt(coreOut, 0, ++handle);
                Host.setInt(coreOut, 4, FIRST_QPN + queuePairs);
                MemorySegment.copy(coreIn, 36, coreOut, 8, 20);
                Host.setInt(driverOut, 0, isStatic() ? nextRegister() : -1);
                queuePairs++;
            }
            case CREATE_AH -> {
                Host.setInt(coreOut, 0, ++handle);
                Be.setInt(driverOut, 4, 0x021a2b3c);
                Be.setShort(driverOut, 8, 0x4d00 | addresses++);
            }
            case EX_CREATE_CQ -> {
                Host.setInt(coreOut, 0, ++handle);
                Host.setInt(coreOut, 4, Host.getInt(coreIn, 8));
                Host.setInt(driverOut, 0, 0x400 + completionQueues++);
            }
            default -> {}
        }
        return answers.getOrDefault(command, nothing -> 0).applyAsInt(sent);
    }

    /** Two registers of each page, in order; the first is a plain one, which only one profile begins with. */
    private int nextRegister() {
        int number = registers;
        registers = registers == LAST_REGISTER ? firstRegister() : registers + 1;
        return number / 2 * 4 + number % 2;
    }

    private int firstRegister() {
        return profile.equals("static_bf0") ? 0 : 1;
    }

    private void key(MemorySegment out, int key, boolean both) {
        Host.setInt(out, 0, ++handle);
        Host.setInt(out, 4, key);
        if (both) {
            Host.setInt(out, 8, key);
        }
    }

    private int context(MemorySegment coreOut, MemorySegment driverIn, MemorySegment driverOut) {
        if (Mlx5GetContext.flags(driverIn, 0) != 0 && !profile.equals("devx")) {
            return Errno.EINVAL;
        }
        GetContextResponse.setAsyncFd(coreOut, 0, 5);
        GetContextResponse.setNumCompVectors(coreOut, 0, 4);
        Vectors.write(
                "00000400000200000000000040000000000400020080000000800000ff7f00000100000007000000480000000103010100000000"
                        + "000000000c000000010000000000000003050000",
                driverOut,
                0);
        Host.setInt(
                driverOut,
                4,
                switch (profile) {
                    case "dyn_bf256" -> 256;
                    // To this driver a library that shuts them up is a device that has none.
                    case "dyn_nobf", "shutupbf" -> 0;
                    default -> 512;
                });
        Host.setInt(driverOut, 8, isStatic() ? 16 : 0);
        Host.setByte(driverOut, 44, profile.equals("cqev0") ? 0 : 1);
        if (profile.equals("noece")) {
            Host.setInt(driverOut, 36, 3);
        }
        return 0;
    }

    private void port(MemorySegment out) {
        Vectors.write("00000104000000400000000000000000ff0000000100000000000405050001000000022005020100", out, 0);
        QueryPortResponse.setLinkLayer(out, 0, profile.equals("ib") ? 1 : 2);
    }

    @Override
    public int call(MethodCall call) {
        calls.add(call);
        if (call.object() == IoctlIds.OBJECT_DEVICE && call.method() == IoctlIds.DEVICE_QUERY_GID_ENTRY) {
            long index = Objects.requireNonNull(call.find(IoctlIds.QUERY_GID_ENTRY_GID_INDEX))
                    .value();
            AbiGidEntry.setGidType(output(call, IoctlIds.QUERY_GID_ENTRY_RESP_ENTRY), 0, index % 2 == 0 ? 1 : 2);
        }
        if (call.object() == Mlx5IoctlIds.OBJECT_UAR && call.method() == Mlx5IoctlIds.UAR_ALLOC) {
            long offset = 0x900000L + uars * 4096L;
            pages.put(offset, new Page(offset, 0x20 + uars, null));
            Objects.requireNonNull(call.find(Mlx5IoctlIds.UAR_ALLOC_HANDLE)).answer(++handle);
            Host.setLong(output(call, Mlx5IoctlIds.UAR_ALLOC_MMAP_OFFSET), 0, offset);
            Host.setInt(output(call, Mlx5IoctlIds.UAR_ALLOC_MMAP_LENGTH), 0, 4096);
            Host.setInt(output(call, Mlx5IoctlIds.UAR_ALLOC_PAGE_ID), 0, 0x20 + uars);
            uars++;
        }
        return 0;
    }

    private static MemorySegment output(MethodCall call, int id) {
        return Objects.requireNonNull(call.find(id)).bytes();
    }

    @Override
    public MemorySegment mapReadOnly(long offset, long length) {
        if (clock == null) {
            throw new KernelException(Errno.EPERM, "no clock");
        }
        return clock.asReadOnly();
    }

    @Override
    public MemorySegment map(long offset, long length) {
        MemorySegment memory = Arena.ofAuto().allocate(length, 4096);
        Page page = pages.get(offset);
        pages.put(offset, new Page(offset, page == null ? (int) (offset / 4096) : page.id(), memory));
        maps.add(offset);
        return memory;
    }

    /** The number of the page with that memory. */
    int pageId(MemorySegment memory) {
        return pages.values().stream()
                .filter(page -> page.memory() != null && page.memory().address() == memory.address())
                .mapToInt(Page::id)
                .findFirst()
                .orElse(-1);
    }

    @Override
    public String description() {
        return "fake";
    }

    @Override
    public Optional<List<GidEntry>> gids(int port) {
        List<GidEntry> entries = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            GidType type = i % 2 == 0 ? GidType.ROCE_V1 : GidType.ROCE_V2;
            entries.add(new GidEntry(1, i, new Gid(0xfe80L << 48, 1), type, "eth0"));
        }
        return Optional.of(entries);
    }
}

package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doorbell.kernel.MethodCall;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.linux.Carrier;
import dev.doorbell.spec.GidEntry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The kernel behind the system calls as it was recorded: it knows the requests of the present step, compares each that comes with the
 * first recorded one of its kind, and answers as was answered then. Within a step requests of different kinds may come in another
 * order.
 */
final class RecordedKernel extends QuietChannel {
    private static final int PROT_READ = 1;
    private static final String QUERY_PORT = "query_port";

    /** A recorded request, and what became of it. */
    static final class Expected {
        final JsonNode vector;
        boolean came;
        String difference = "";

        Expected(JsonNode vector) {
            this.vector = vector;
        }
    }

    private final FakeMlx5 identity;
    private final boolean hasBlueFlame;
    private final boolean writes;
    private @Nullable Carrier carrier;
    private List<Expected> step = List.of();

    /** Register pages that are not there yet: this driver allocates each when it is needed, the C driver some sooner. */
    private final List<Expected> pages = new ArrayList<>();

    private @Nullable JsonNode port;

    /** Requests that nobody recorded. */
    final List<String> strangers = new ArrayList<>();

    RecordedKernel(String profile) {
        this.identity = new FakeMlx5(profile);
        this.writes = profile.equals("writeabi");
        this.hasBlueFlame = !profile.equals("shutupbf");
    }

    /** Asks how commands may travel, as opening the device does. */
    void start() {
        carrier = writes
                ? Carrier.byWrite(address -> take(new WriteMessage(address)))
                : Carrier.byIoctl(address -> take(new IoctlMessage(address)), DriverId.MLX5);
    }

    /** Goes to another step. */
    List<Expected> expect(List<JsonNode> vectors) {
        step = vectors.stream().map(Expected::new).toList();
        return step;
    }

    /** Whether a request of the step that is over may still come. */
    boolean mayComeLater(Expected expected) {
        boolean isPage = Vectors.isRegisterPage(expected.vector);
        if (isPage) {
            pages.add(expected);
        }
        return isPage;
    }

    private @Nullable Expected find(Predicate<JsonNode> wanted) {
        return Stream.concat(pages.stream(), step.stream())
                .filter(each -> !each.came && wanted.test(each.vector))
                .findFirst()
                .orElse(null);
    }

    private int take(Message message) {
        Expected expected = find(message::isThatOf);
        if (expected != null) {
            expected.came = true;
            expected.difference = message.difference(expected.vector);
            if (expected.vector.path("step").asText().equals(QUERY_PORT)) {
                port = expected.vector;
            }
            return answer(message, expected.vector);
        }
        if (port != null && message.isThatOf(port)) {
            // The C driver keeps what it was told of the port when it opened the device.
            return answer(message, port);
        }
        strangers.add(message.toString());
        return 0;
    }

    private int answer(Message message, JsonNode vector) {
        int errno = vector.path("errno").asInt();
        if (errno == 0) {
            message.answer(hasBlueFlame ? vector : Vectors.withoutBlueFlame(vector));
        }
        return -errno;
    }

    private Carrier carrier() {
        if (carrier == null) {
            throw new IllegalStateException("not started");
        }
        return carrier;
    }

    @Override
    public int invoke(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        return carrier().invoke(command, coreIn, coreOut, driverIn, driverOut);
    }

    @Override
    public int call(MethodCall call) {
        return carrier().call(call);
    }

    @Override
    public MemorySegment map(long offset, long length) {
        return map(offset, length, false);
    }

    @Override
    public MemorySegment mapReadOnly(long offset, long length) {
        return map(offset, length, true).asReadOnly();
    }

    private MemorySegment map(long offset, long length, boolean isReadOnly) {
        Expected expected = find(vector ->
                vector.path("via").asText().equals("mmap") && Vectors.number(vector.path("offset")) == offset);
        if (expected == null) {
            strangers.add("map of " + offset);
        } else {
            expected.came = true;
            long recorded = expected.vector.path("length").asLong();
            boolean wasReadOnly = expected.vector.path("prot").asInt() == PROT_READ;
            expected.difference = recorded == length && wasReadOnly == isReadOnly
                    ? ""
                    : expected.vector + " expected, " + length + " bytes mapped";
        }
        return Arena.ofAuto().allocate(length, 4096);
    }

    @Override
    public Optional<List<GidEntry>> gids(int port) {
        return identity.gids(port);
    }

    @Override
    public String description() {
        return "recorded";
    }
}

package dev.doorbell.tools.perf;

import dev.doorbell.cm.CmConnection;
import dev.doorbell.cm.ConnectionParameters;
import dev.doorbell.cm.ConnectionRequest;
import dev.doorbell.cm.ConnectionSettings;
import dev.doorbell.cm.Connector;
import dev.doorbell.cm.Listener;
import dev.doorbell.kernel.AddressText;
import dev.doorbell.kernel.DurationText;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.tools.cm.Listening;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.RegisteredArena;
import dev.doorbell.verbs.RemoteMemory;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Objects;

/** One end of a measurement. */
public final class Perf {
    private final PerfSettings settings;
    private final PrintStream out;

    private Perf(PerfSettings settings, PrintStream out) {
        this.settings = settings;
        this.out = out;
    }

    /**
     * Measures, or serves a client that does.
     *
     * @throws PerfException with a sentence if the peer does not play along
     */
    public static void play(PerfSettings settings, PrintStream out) {
        String device = settings.device();
        try (Connector connector = device == null ? Connector.open() : Connector.open(Device.named(device))) {
            Perf perf = new Perf(settings, out);
            if (settings.plans().isEmpty()) {
                perf.serve(connector);
            } else {
                perf.measure(connector);
            }
        }
    }

    private void serve(Connector connector) {
        ConnectionSettings how = ConnectionSettings.defaults().withDepth(PerfPlan.DEPTH, PerfPlan.DEPTH);
        try (Listener listener = connector.listen(settings.server(), how)) {
            Listening.tell(out, listener.localAddress());
            boolean last = false;
            while (!last) {
                try (ConnectionRequest request = listener.await(settings.welcome())
                        .orElseThrow(
                                () -> new PerfException("nobody came in " + DurationText.of(settings.welcome())))) {
                    PerfPlan plan = PerfPlan.fromBytes(request.privateData());
                    serve(request, plan);
                    last = plan.last();
                }
            }
        }
    }

    private void serve(ConnectionRequest request, PerfPlan plan) {
        try (RegisteredArena arena = request.queuePair()
                .protectionDomain()
                .arena(
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.REMOTE_ATOMIC)) {
            MemorySlice memory = arena.allocateSlice(plan.size(), Long.BYTES);
            int receives = plan.operation().isSend() ? Math.min(PerfPlan.DEPTH, plan.repetitions()) : 0;
            for (int i = 0; i < receives; i++) {
                request.queuePair().postReceive(i, memory);
            }
            ConnectionParameters answer =
                    request.parameters().withPrivateData(memory.remote().toBytes());
            try (CmConnection connection = request.accept(answer, settings.patience())) {
                out.println(plan.operation().word() + " of " + plan.size() + " bytes for "
                        + AddressText.of(request.peerAddress()));
                out.flush();
                if (plan.operation().isSend()) {
                    new PerfReceiver(connection, memory, plan, settings.patience()).run(receives);
                }
                if (!connection.awaitDisconnect(settings.welcome())) {
                    throw new PerfException("the client did not end the connection");
                }
            }
        }
    }

    private void measure(Connector connector) {
        PerfReport report = new PerfReport(out, settings.plans().getFirst().operation());
        for (PerfPlan plan : settings.plans()) {
            ConnectionSettings base = ConnectionSettings.defaults()
                    .withDepth(PerfPlan.DEPTH, PerfPlan.DEPTH)
                    .withParameters(ConnectionParameters.defaults().withPrivateData(plan.toBytes()));
            ConnectionSettings how =
                    settings.local() == null ? base : base.withLocalAddress(Objects.requireNonNull(settings.local()));
            try (CmConnection connection = connector.connect(settings.server(), how, settings.patience());
                    RegisteredArena arena = connection.protectionDomain().arena(AccessFlag.LOCAL_WRITE)) {
                MemorySlice memory = arena.allocateSlice(plan.size(), Long.BYTES);
                PerfClient client = new PerfClient(connection, memory, remote(connection), plan, settings.patience());
                if (plan.operation().isThroughput()) {
                    report.throughput(plan, client.stream());
                } else {
                    report.latencies(plan, client.oneByOne());
                }
                connection.disconnect(settings.patience());
            }
        }
    }

    private static RemoteMemory remote(CmConnection connection) {
        try {
            return RemoteMemory.fromBytes(Arrays.copyOf(connection.privateData(), RemoteMemory.BYTES));
        } catch (IllegalArgumentException e) {
            throw new PerfException("the server is no 'doorbell perf': " + e.getMessage());
        }
    }
}

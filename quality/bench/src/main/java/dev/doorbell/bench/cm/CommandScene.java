package dev.doorbell.bench.cm;

import dev.doorbell.kernel.CmChannel;
import dev.doorbell.kernel.abi.CmAccept;
import dev.doorbell.kernel.abi.CmBind;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmConnect;
import dev.doorbell.kernel.abi.CmConnectionParameters;
import dev.doorbell.kernel.abi.CmCreateId;
import dev.doorbell.kernel.abi.CmCreateIdResponse;
import dev.doorbell.kernel.abi.CmDestroyId;
import dev.doorbell.kernel.abi.CmDestroyIdResponse;
import dev.doorbell.kernel.abi.CmEventRecord;
import dev.doorbell.kernel.abi.CmListen;
import dev.doorbell.kernel.abi.CmResolveAddr;
import dev.doorbell.kernel.abi.CmResolveRoute;
import dev.doorbell.kernel.abi.Sockaddr;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.PortSpace;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

/** The commands of the connection manager by themselves: what the embedded kernel takes, without queue pairs. */
final class CommandScene extends CmScene {
    private static final long PATIENCE_NS = 30_000_000_000L;

    private final CmChannel server;
    private final CmChannel client;
    private int queuePairs = 100;

    CommandScene(SoftNetwork network) {
        super(network);
        server = network.openConnectionManager();
        client = network.openConnectionManager();
        int listener = create(server);
        bind(server, listener, SERVER, PORT);
        MemorySegment listen = zeros(CmListen.SIZE);
        CmListen.setId(listen, 0, listener);
        run(server, CmCommand.LISTEN, listen, MemorySegment.NULL);
    }

    @Override
    Round play(int count) throws Exception {
        settle();
        long before = heap();
        FutureTask<List<Integer>> accepting = new FutureTask<>(() -> accept(count));
        Thread.ofPlatform().daemon().name("server").start(accepting);
        long start = System.nanoTime();
        List<Integer> asked = new ArrayList<>();
        while (asked.size() < count) {
            asked.add(connect());
        }
        List<Integer> accepted = accepting.get();
        long setUp = System.nanoTime() - start;
        long bytes = heap() - before;
        long resumed = System.nanoTime();
        asked.forEach(id -> destroy(client, id));
        accepted.forEach(id -> destroy(server, id));
        return new Round(count, setUp, setUp + System.nanoTime() - resumed, bytes);
    }

    private List<Integer> accept(int count) {
        List<Integer> accepted = new ArrayList<>();
        MemorySegment event = zeros(CmEventRecord.SIZE);
        int established = 0;
        while (established < count) {
            switch (next(server, event)) {
                case CONNECT_REQUEST -> {
                    int id = CmEventRecord.id(event, 0);
                    MemorySegment accept = zeros(CmAccept.SIZE);
                    CmAccept.setId(accept, 0, id);
                    CmAccept.setUid(accept, 0, 1);
                    parameters(accept, CmAccept.CONN_PARAM);
                    run(server, CmCommand.ACCEPT, accept, MemorySegment.NULL);
                    accepted.add(id);
                }
                case ESTABLISHED -> established++;
                default -> {
                    // Of the round before: its connections end.
                }
            }
        }
        return accepted;
    }

    private int connect() {
        int id = create(client);
        bind(client, id, CLIENT, 0);
        MemorySegment resolve = zeros(CmResolveAddr.SIZE);
        CmResolveAddr.setId(resolve, 0, id);
        InetSocketAddress to = new InetSocketAddress(SERVER, PORT);
        CmResolveAddr.setDstSize(resolve, 0, Sockaddr.set(resolve, CmResolveAddr.DST_ADDR, to));
        run(client, CmCommand.RESOLVE_ADDR, resolve, MemorySegment.NULL);
        await(CmEventType.ADDR_RESOLVED);
        MemorySegment route = zeros(CmResolveRoute.SIZE);
        CmResolveRoute.setId(route, 0, id);
        run(client, CmCommand.RESOLVE_ROUTE, route, MemorySegment.NULL);
        await(CmEventType.ROUTE_RESOLVED);
        MemorySegment connect = zeros(CmConnect.SIZE);
        CmConnect.setId(connect, 0, id);
        parameters(connect, CmConnect.CONN_PARAM);
        run(client, CmCommand.CONNECT, connect, MemorySegment.NULL);
        await(CmEventType.CONNECT_RESPONSE);
        MemorySegment confirm = zeros(CmAccept.SIZE);
        CmAccept.setId(confirm, 0, id);
        run(client, CmCommand.ACCEPT, confirm, MemorySegment.NULL);
        return id;
    }

    private void await(CmEventType type) {
        MemorySegment event = zeros(CmEventRecord.SIZE);
        while (next(client, event) != type) {
            // Of the round before: its connections end.
        }
    }

    private static CmEventType next(CmChannel channel, MemorySegment event) {
        if (channel.events().read(event, PATIENCE_NS) == 0) {
            throw new IllegalStateException("nothing happens");
        }
        return CmEventType.of(CmEventRecord.event(event, 0));
    }

    private synchronized void parameters(MemorySegment in, int at) {
        CmConnectionParameters.setQpNum(in, at, queuePairs++ & 0xffffff);
        CmConnectionParameters.setValid(in, at, 1);
    }

    private static int create(CmChannel channel) {
        MemorySegment in = zeros(CmCreateId.SIZE);
        CmCreateId.setUid(in, 0, 1);
        CmCreateId.setPs(in, 0, PortSpace.TCP.code());
        MemorySegment out = zeros(CmCreateIdResponse.SIZE);
        run(channel, CmCommand.CREATE_ID, in, out);
        return CmCreateIdResponse.id(out, 0);
    }

    private static void bind(CmChannel channel, int id, String address, int port) {
        MemorySegment in = zeros(CmBind.SIZE);
        CmBind.setId(in, 0, id);
        CmBind.setAddrSize(in, 0, Sockaddr.set(in, CmBind.ADDR, new InetSocketAddress(address, port)));
        run(channel, CmCommand.BIND, in, MemorySegment.NULL);
    }

    private static void destroy(CmChannel channel, int id) {
        MemorySegment in = zeros(CmDestroyId.SIZE);
        CmDestroyId.setId(in, 0, id);
        run(channel, CmCommand.DESTROY_ID, in, zeros(CmDestroyIdResponse.SIZE));
    }

    private static void run(CmChannel channel, CmCommand command, MemorySegment in, MemorySegment out) {
        int errno = channel.invoke(command, in, out);
        if (errno != 0) {
            throw new IllegalStateException(command + ": errno " + errno);
        }
    }

    private static MemorySegment zeros(int bytes) {
        return MemorySegment.ofArray(new byte[bytes]);
    }

    @Override
    public void close() {
        client.close();
        server.close();
        super.close();
    }
}

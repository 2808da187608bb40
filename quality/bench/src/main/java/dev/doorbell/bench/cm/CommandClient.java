package dev.doorbell.bench.cm;

import dev.doorbell.kernel.abi.CmAccept;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmConnect;
import dev.doorbell.kernel.abi.CmResolveAddr;
import dev.doorbell.kernel.abi.CmResolveRoute;
import dev.doorbell.kernel.abi.Sockaddr;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.CmEventType;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/** Connects, one after the other. */
final class CommandClient extends CommandEnd {
    private final InetSocketAddress client;
    private final InetSocketAddress server;

    CommandClient(SoftNetwork network, Addresses addresses) {
        super(network);
        client = addresses.client();
        server = addresses.server();
    }

    @Override
    public void hold(int count, int atATime) {
        while (connections.size() < count) {
            connections.add(connect());
        }
    }

    private int connect() {
        int id = create();
        bind(id, client);
        MemorySegment resolve = zeros(CmResolveAddr.SIZE);
        CmResolveAddr.setId(resolve, 0, id);
        CmResolveAddr.setDstSize(resolve, 0, Sockaddr.set(resolve, CmResolveAddr.DST_ADDR, server));
        run(CmCommand.RESOLVE_ADDR, resolve);
        await(CmEventType.ADDR_RESOLVED);
        MemorySegment route = zeros(CmResolveRoute.SIZE);
        CmResolveRoute.setId(route, 0, id);
        run(CmCommand.RESOLVE_ROUTE, route);
        await(CmEventType.ROUTE_RESOLVED);
        MemorySegment connect = zeros(CmConnect.SIZE);
        CmConnect.setId(connect, 0, id);
        parameters(connect, CmConnect.CONN_PARAM);
        run(CmCommand.CONNECT, connect);
        await(CmEventType.CONNECT_RESPONSE);
        MemorySegment confirm = zeros(CmAccept.SIZE);
        CmAccept.setId(confirm, 0, id);
        run(CmCommand.ACCEPT, confirm);
        return id;
    }
}

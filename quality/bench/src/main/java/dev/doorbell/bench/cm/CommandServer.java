package dev.doorbell.bench.cm;

import dev.doorbell.kernel.abi.CmAccept;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmEventRecord;
import dev.doorbell.kernel.abi.CmListen;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.CmEventType;
import java.lang.foreign.MemorySegment;

/** Listens and accepts. */
final class CommandServer extends CommandEnd {
    CommandServer(SoftNetwork network, Addresses addresses) {
        super(network);
        int listener = create();
        bind(listener, addresses.server());
        MemorySegment listen = zeros(CmListen.SIZE);
        CmListen.setId(listen, 0, listener);
        run(CmCommand.LISTEN, listen);
    }

    @Override
    public void hold(int count, int atATime) {
        int established = 0;
        while (established < count) {
            MemorySegment event = next();
            if (CmEventRecord.event(event, 0) == CmEventType.CONNECT_REQUEST.code()) {
                accept(CmEventRecord.id(event, 0));
            } else {
                established++;
            }
        }
    }

    private void accept(int id) {
        MemorySegment accept = zeros(CmAccept.SIZE);
        CmAccept.setId(accept, 0, id);
        CmAccept.setUid(accept, 0, 1);
        parameters(accept, CmAccept.CONN_PARAM);
        run(CmCommand.ACCEPT, accept);
        connections.add(id);
    }
}

package dev.doorbell.bench.cm;

import dev.doorbell.kernel.CmChannel;
import dev.doorbell.kernel.abi.CmBind;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmConnectionParameters;
import dev.doorbell.kernel.abi.CmCreateId;
import dev.doorbell.kernel.abi.CmCreateIdResponse;
import dev.doorbell.kernel.abi.CmDestroyId;
import dev.doorbell.kernel.abi.CmDestroyIdResponse;
import dev.doorbell.kernel.abi.CmEventRecord;
import dev.doorbell.kernel.abi.Sockaddr;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.PortSpace;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** The commands of the connection manager by themselves: what the embedded kernel takes, without queue pairs. */
abstract class CommandEnd implements End {
    private static final long PATIENCE_NS = 30_000_000_000L;
    private static final int NUMBERS = 0xffffff;

    final CmChannel channel;

    /** Identifiers of connections. */
    final List<Integer> connections = new ArrayList<>();

    private final SoftNetwork network;
    private final MemorySegment event = zeros(CmEventRecord.SIZE);
    private int queuePairs = 100;

    CommandEnd(SoftNetwork network) {
        this.network = network;
        this.channel = network.openConnectionManager();
    }

    /** The next event that is not of a connection which has ended. */
    final MemorySegment next() {
        while (true) {
            if (channel.events().read(event, PATIENCE_NS) == 0) {
                throw new IllegalStateException("nothing happens");
            }
            switch (CmEventType.of(CmEventRecord.event(event, 0))) {
                case DISCONNECTED, TIMEWAIT_EXIT -> {}
                default -> {
                    return event;
                }
            }
        }
    }

    final void await(CmEventType type) {
        CmEventType seen = CmEventType.of(CmEventRecord.event(next(), 0));
        if (seen != type) {
            throw new IllegalStateException(seen + " instead of " + type);
        }
    }

    /** What a program would say of its queue pair; there is none. */
    final void parameters(MemorySegment in, int at) {
        CmConnectionParameters.setQpNum(in, at, queuePairs++ & NUMBERS);
        CmConnectionParameters.setValid(in, at, 1);
    }

    final int create() {
        MemorySegment in = zeros(CmCreateId.SIZE);
        CmCreateId.setUid(in, 0, 1);
        CmCreateId.setPs(in, 0, PortSpace.TCP.code());
        MemorySegment out = zeros(CmCreateIdResponse.SIZE);
        run(CmCommand.CREATE_ID, in, out);
        return CmCreateIdResponse.id(out, 0);
    }

    final void bind(int id, InetSocketAddress address) {
        MemorySegment in = zeros(CmBind.SIZE);
        CmBind.setId(in, 0, id);
        CmBind.setAddrSize(in, 0, Sockaddr.set(in, CmBind.ADDR, address));
        run(CmCommand.BIND, in);
    }

    final void run(CmCommand command, MemorySegment in) {
        run(command, in, MemorySegment.NULL);
    }

    private void run(CmCommand command, MemorySegment in, MemorySegment out) {
        int errno = channel.invoke(command, in, out);
        if (errno != 0) {
            throw new IllegalStateException(command + ": errno " + errno);
        }
    }

    static MemorySegment zeros(int bytes) {
        return MemorySegment.ofArray(new byte[bytes]);
    }

    @Override
    public void release() {
        for (int id : connections) {
            MemorySegment in = zeros(CmDestroyId.SIZE);
            CmDestroyId.setId(in, 0, id);
            run(CmCommand.DESTROY_ID, in, zeros(CmDestroyIdResponse.SIZE));
        }
        connections.clear();
    }

    @Override
    public void settle() {
        End.settle(network);
    }

    @Override
    public long ringBytes() {
        return 0;
    }

    @Override
    public void close() {
        channel.close();
    }
}

package dev.doorbell.tools.cm;

import dev.doorbell.cm.CmId;
import dev.doorbell.cm.DatagramDestination;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Grh;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.RegisteredArena;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.WorkCompletion;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One queue pair for datagrams. Each datagram carries its sender's queue pair number as immediate data, by which a server
 * learns where to answer.
 */
final class DatagramNode implements AutoCloseable {
    private static final long RECEIVE = 1;
    private static final long SEND = 2;

    private final CmId id;
    private final DatagramSettings settings;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final RegisteredArena arena;
    private final QueuePair queuePair;
    private final MemorySlice incoming;
    private final MemorySlice outgoing;
    private @Nullable AddressHandle handle;
    private int peer;
    private int peerQkey;
    private int received;
    private int sent;

    /** Makes the queue pair and posts all receives. */
    DatagramNode(CmId id, ProtectionDomain domain, DatagramSettings settings) {
        this.id = id;
        this.settings = settings;
        this.domain = domain;
        int depth = Math.max(1, settings.messages());
        this.completions = id.context().createCompletionQueue(2 * depth);
        this.arena = domain.arena(AccessFlag.LOCAL_WRITE);
        this.incoming = arena.allocateSlice(settings.size() + Grh.BYTES);
        this.outgoing = arena.allocateSlice(settings.size());
        this.queuePair = id.createQueuePair(domain.queuePair(completions).depth(depth, depth));
        try (ReceiveBatch batch = queuePair.receives()) {
            for (int i = 0; i < settings.messages(); i++) {
                batch.receive(RECEIVE).sge(incoming);
            }
            batch.submit();
        }
    }

    CmId id() {
        return id;
    }

    /** Where datagrams go, as an event tells. */
    void destination(DatagramDestination destination) {
        handle = destination.createAddressHandle(domain);
        peer = destination.queuePairNumber();
        peerQkey = destination.qkey();
    }

    void send() {
        AddressHandle to = handle;
        if (to == null) {
            throw new CmToolException("nobody has told " + id + " where to send");
        }
        try (SendBatch batch = queuePair.batch()) {
            for (int i = 0; i < settings.messages(); i++) {
                batch.sendWithImmediate(SEND, queuePair.number())
                        .to(to, peer, peerQkey)
                        .sge(outgoing)
                        .signaled();
            }
            batch.submit();
        }
        await(() -> sent == settings.messages());
    }

    void awaitReceives() {
        await(() -> received == settings.messages());
    }

    int received() {
        return received;
    }

    private void await(BooleanSupplier condition) {
        if (!completions.await(condition, settings.patience(), this::completed)) {
            throw new CmToolException(id + " got " + received + " of " + settings.messages() + " datagrams in "
                    + settings.patience().toSeconds() + " seconds, and sent " + sent);
        }
    }

    private void completed(WorkCompletion completion) {
        completion.requireSuccess();
        if (completion.id() == SEND) {
            sent++;
            return;
        }
        received++;
        if (handle == null) {
            // The first datagram says who sent it.
            peer = completion.hasImmediate() ? completion.immediate() : completion.sourceQueuePair();
            peerQkey = queuePair.query().qkey();
            handle = domain.createAddressHandle(completion, incoming);
        }
    }

    @Override
    public void close() {
        id.close();
        if (handle != null) {
            handle.close();
        }
        completions.close();
        arena.close();
    }
}

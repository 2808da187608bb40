package dev.doorbell.libibverbs;

import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Prepared work requests in C's layout: each is linked to the next and to its list of elements, once, when the queue is made.
 * Posting cuts the chain behind the last and ties it again, so a batch needs neither allocation nor building.
 *
 * <pre>
 *   requests   | 0 ─▶ | 1 ─▶ | 2 ─▶ … | n-1 |       next
 *   lists      | 0    | 1    | 2      | n-1 |       maxSge elements each
 *   bytes      | 0    | 1    | 2      | n-1 |       inline bytes, for send queues
 * </pre>
 */
final class WorkRequestBlock {
    final MemorySegment requests;
    final MemorySegment lists;
    final MemorySegment bytes;
    /** Where the library says which work request it did not take. */
    final MemorySegment bad;

    private final int requestSize;
    private final int listSize;
    private final int bytesSize;
    private final int nextAt;

    private WorkRequestBlock(int count, int requestSize, int nextAt, int maxSge, int maxInline) {
        this.requestSize = requestSize;
        this.nextAt = nextAt;
        this.listSize = Math.max(maxSge, 1) * Sge.SIZE;
        this.bytesSize = Math.ceilDiv(maxInline, Long.BYTES) * Long.BYTES;
        Arena arena = Arena.ofAuto();
        this.requests = arena.allocate((long) Math.max(count, 1) * requestSize, 64);
        this.lists = arena.allocate((long) Math.max(count, 1) * listSize, 64);
        this.bytes = arena.allocate(Math.max((long) count * bytesSize, Long.BYTES), 64);
        this.bad = arena.allocate(Long.BYTES, Long.BYTES);
    }

    static WorkRequestBlock forSending(int count, int maxSge, int maxInline) {
        WorkRequestBlock block = new WorkRequestBlock(count, SendWr.SIZE, SendWr.NEXT, maxSge, maxInline);
        for (int i = 0; i < count; i++) {
            SendWr.setList(block.requests, block.request(i), block.lists.address() + block.list(i));
            block.link(i);
        }
        return block;
    }

    static WorkRequestBlock forReceiving(int count, int maxSge) {
        WorkRequestBlock block = new WorkRequestBlock(count, ReceiveWr.SIZE, ReceiveWr.NEXT, maxSge, 0);
        for (int i = 0; i < count; i++) {
            ReceiveWr.setList(block.requests, block.request(i), block.lists.address() + block.list(i));
            block.link(i);
        }
        return block;
    }

    long request(int index) {
        return (long) index * requestSize;
    }

    long list(int index) {
        return (long) index * listSize;
    }

    long inlineBytes(int index) {
        return (long) index * bytesSize;
    }

    /** The address of a work request, for the library. */
    long address(int index) {
        return requests.address() + request(index);
    }

    /** Makes a work request the last of its chain. */
    void cut(int index) {
        Host.setLong(requests, request(index) + nextAt, 0);
    }

    /** Makes a work request lead to the next one again. */
    void link(int index) {
        Host.setLong(requests, request(index) + nextAt, address(index + 1));
    }
}

package dev.doorbell.quality.linux;

import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.spi.ReceiveQueue;
import dev.doorbell.verbs.spi.SendQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.zip.CRC32;

/** What two kernels are asked to do, each of them on fresh queue pairs. */
enum Scenario {
    /** Messages of all sizes and kinds, one to four packets long. */
    MESSAGES((talk, at) -> {
        talk.receive(queue -> {
            for (int i = 0; i < 6; i++) {
                receive(queue, 100 + i, at + 0x8000 + i * 0x1000L, 0x1000, talk.lkey());
            }
        });
        talk.send(queue -> {
            begin(queue, 1, WorkRequestOpcode.SEND, Bits.SIGNALED);
            seal(queue, at, 100, talk.lkey());
            begin(queue, 2, WorkRequestOpcode.SEND_WITH_IMM, Bits.SIGNALED | Bits.SOLICITED);
            queue.immediate(0x0102_0304);
            seal(queue, at + 7, 4096, talk.lkey());
            begin(queue, 3, WorkRequestOpcode.SEND, Bits.SIGNALED);
            queue.inline(Bits.INLINE_BYTES, 0, 33);
            queue.seal();
            begin(queue, 4, WorkRequestOpcode.SEND, Bits.SIGNALED);
            queue.seal();
        });
        talk.completeA(4);
        talk.completeB(4);
        talk.send(queue -> {
            begin(queue, 5, WorkRequestOpcode.SEND, 0);
            seal(queue, at, 1024, talk.lkey());
            begin(queue, 6, WorkRequestOpcode.SEND, Bits.SIGNALED);
            queue.sge(at + 10, 1000, talk.lkey());
            queue.sge(at + 3000, 1, talk.lkey());
            queue.sge(at + 5000, 700, talk.lkey());
            queue.seal();
        });
        talk.completeA(1);
        talk.completeB(2);
    }),

    /** WRITE and READ, with and without immediate data, packets that end within an element. */
    ONE_SIDED((talk, at) -> {
        talk.receive(queue -> receive(queue, 100, at + 0x7000, 16, talk.lkey()));
        talk.send(queue -> {
            begin(queue, 1, WorkRequestOpcode.RDMA_WRITE, 0);
            queue.remote(at + 0x8000, talk.rkey());
            queue.inline(Bits.INLINE_BYTES, 3, 8);
            queue.seal();
            begin(queue, 2, WorkRequestOpcode.RDMA_WRITE, Bits.SIGNALED);
            queue.remote(at + 0x8101, talk.rkey());
            queue.sge(at, 1500, talk.lkey());
            queue.sge(at + 2000, 1501, talk.lkey());
            queue.seal();
            begin(queue, 3, WorkRequestOpcode.RDMA_WRITE_WITH_IMM, Bits.SIGNALED);
            queue.immediate(-2);
            queue.remote(at + 0xa000, talk.rkey());
            seal(queue, at + 64, 1024, talk.lkey());
            begin(queue, 4, WorkRequestOpcode.RDMA_READ, Bits.SIGNALED);
            queue.remote(at + 0x8101, talk.rkey());
            queue.sge(at + 0xc000, 999, talk.lkey());
            queue.sge(at + 0xd000, 2000, talk.lkey());
            queue.seal();
            begin(queue, 5, WorkRequestOpcode.RDMA_WRITE, Bits.SIGNALED | Bits.FENCE);
            queue.remote(at + 0xe000, talk.rkey());
            queue.seal();
        });
        talk.completeA(4);
        talk.completeB(1);
    }),

    ATOMICS((talk, at) -> {
        talk.send(queue -> {
            begin(queue, 1, WorkRequestOpcode.ATOMIC_FETCH_AND_ADD, Bits.SIGNALED);
            queue.atomic(at + 0x8000, talk.rkey(), 5, 0);
            seal(queue, at + 0x100, 8, talk.lkey());
            begin(queue, 2, WorkRequestOpcode.ATOMIC_CMP_AND_SWP, Bits.SIGNALED);
            queue.atomic(at + 0x8000, talk.rkey(), 1, 2);
            seal(queue, at + 0x108, 8, talk.lkey());
            begin(queue, 3, WorkRequestOpcode.ATOMIC_CMP_AND_SWP, Bits.SIGNALED);
            queue.atomic(at + 0x8008, talk.rkey(), 0, Long.MIN_VALUE);
            seal(queue, at + 0x110, 8, talk.lkey());
        });
        talk.completeA(3);
    }),

    WRITE_WITH_A_WRONG_KEY((talk, at) -> {
        talk.send(queue -> {
            begin(queue, 1, WorkRequestOpcode.RDMA_WRITE, 0);
            queue.remote(at + 0x8000, talk.wrongKey());
            seal(queue, at, 64, talk.lkey());
            begin(queue, 2, WorkRequestOpcode.RDMA_WRITE, Bits.SIGNALED);
            queue.remote(at + 0x9000, talk.rkey());
            seal(queue, at, 64, talk.lkey());
        });
        talk.completeA(2);
    }),

    READ_BEYOND_THE_REGION((talk, at) -> {
        talk.send(queue -> {
            begin(queue, 1, WorkRequestOpcode.RDMA_READ, Bits.SIGNALED);
            queue.remote(at + Conversation.MEMORY_SIZE - 8, talk.rkey());
            seal(queue, at, 9, talk.lkey());
        });
        talk.completeA(1);
    }),

    SEND_FROM_A_WRONG_KEY((talk, at) -> {
        talk.receive(queue -> receive(queue, 100, at + 0x8000, 64, talk.lkey()));
        talk.send(queue -> {
            begin(queue, 1, WorkRequestOpcode.SEND, Bits.SIGNALED);
            seal(queue, at, 64, talk.wrongKey());
        });
        talk.completeA(1);
    }),

    MESSAGE_LONGER_THAN_ITS_RECEIVE((talk, at) -> {
        talk.receive(queue -> {
            receive(queue, 100, at + 0x8000, 63, talk.lkey());
            receive(queue, 101, at + 0x9000, 64, talk.lkey());
        });
        talk.send(queue -> {
            begin(queue, 1, WorkRequestOpcode.SEND, Bits.SIGNALED);
            seal(queue, at, 64, talk.lkey());
        });
        talk.completeA(1);
        talk.completeB(2);
    }),

    RECEIVE_INTO_A_WRONG_KEY((talk, at) -> {
        talk.receive(queue -> receive(queue, 100, at + 0x8000, 64, talk.wrongKey()));
        talk.send(queue -> {
            begin(queue, 1, WorkRequestOpcode.SEND, Bits.SIGNALED);
            seal(queue, at, 64, talk.lkey());
        });
        talk.completeA(1);
        talk.completeB(1);
    }),

    NOBODY_RECEIVES((talk, at) -> {
        talk.send(queue -> {
            begin(queue, 1, WorkRequestOpcode.SEND, Bits.SIGNALED);
            seal(queue, at, 64, talk.lkey());
            begin(queue, 2, WorkRequestOpcode.RDMA_WRITE, 0);
            queue.remote(at + 0x9000, talk.rkey());
            seal(queue, at, 64, talk.lkey());
        });
        talk.completeA(2);
    });

    private static final int BLOCK = 256;

    @SuppressWarnings("ImmutableEnumChecker") // the lambdas capture nothing
    private final BiConsumer<Conversation, Long> script;

    Scenario(BiConsumer<Conversation, Long> script) {
        this.script = script;
    }

    /** Plays it on a device over memory of {@link Conversation#MEMORY_SIZE} bytes; what was said and what stands there. */
    List<String> play(KernelDevice device, MemorySegment memory) {
        memory.fill((byte) 0);
        for (int i = 0; i < Conversation.MEMORY_SIZE / 4; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + (i >> 8)));
        }
        List<String> lines = new ArrayList<>();
        try (Conversation talk = new Conversation(device, memory)) {
            script.accept(talk, memory.address());
            lines.addAll(talk.transcript());
        }
        for (int block = 0; block < Conversation.MEMORY_SIZE; block += BLOCK) {
            CRC32 sum = new CRC32();
            sum.update(memory.asSlice(block, BLOCK).asByteBuffer());
            lines.add("memory %04x: %08x".formatted(block, sum.getValue()));
        }
        return lines;
    }

    private static void begin(SendQueue queue, long id, WorkRequestOpcode opcode, int flags) {
        if (!queue.request(id, opcode.code())) {
            throw new AssertionError("send queue full");
        }
        queue.flags(flags);
    }

    private static void seal(SendQueue queue, long address, int length, int lkey) {
        queue.sge(address, length, lkey);
        queue.seal();
    }

    private static void receive(ReceiveQueue queue, long id, long address, int length, int lkey) {
        if (!queue.request(id)) {
            throw new AssertionError("receive queue full");
        }
        queue.sge(address, length, lkey);
        queue.seal();
    }

    /** Apart from the constants above, which may not name what stands below them. */
    private static final class Bits {
        static final int SIGNALED = SendFlag.SIGNALED.bit();
        static final int SOLICITED = SendFlag.SOLICITED.bit();
        static final int FENCE = SendFlag.FENCE.bit();
        static final MemorySegment INLINE_BYTES = MemorySegment.ofArray(
                HexFormat.of().parseHex("00112233445566778899aabbccddeeff0f1e2d3c4b5a69788796a5b4c3d2e1f0aa"));

        private Bits() {}
    }
}

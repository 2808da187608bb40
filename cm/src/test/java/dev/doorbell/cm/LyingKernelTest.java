package dev.doorbell.cm;

import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmEventRecord;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A connection manager in the kernel whose answers and events make no sense: a program gets exceptions of the API, and only for what it
 * asked, and everything closes.
 */
@Timeout(120)
class LyingKernelTest {
    private static final int ROUNDS = Integer.getInteger("doorbell.lies.rounds", 100);
    private static final Duration SOON = Duration.ofMillis(5);
    private static final int[] WORDS = {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 2, 10, 16, 28, 0xffff};

    @Test
    void everyCallEndsInAnExceptionOfTheApiOrAtAll() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            SplittableRandom chance = new SplittableRandom(seed);
            try (ScriptedKernel kernel = new ScriptedKernel()) {
                Connector connector = kernel.connector();
                ScriptedChannel script = kernel.channels.getFirst();
                script.connectsBy(100);
                int truths = chance.nextInt(2, 16);
                script.lie = (command, answer) -> {
                    if (chance.nextInt(truths) == 0) {
                        change(answer, chance);
                    }
                };
                for (int i = chance.nextInt(4); i > 0; i--) {
                    raise(script, chance);
                }
                script.reactions.put(CmCommand.CONNECT, request -> raise(script, chance));
                tolerate(() -> connector.connect(ScriptedChannel.THERE, SOON).close());
                tolerate(() -> listen(connector, script, chance));
                tolerate(connector::close);
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private static void listen(Connector connector, ScriptedChannel script, SplittableRandom chance) {
        try (Listener listener = connector.listen(ScriptedChannel.HERE)) {
            script.reactions.put(CmCommand.ACCEPT, request -> raise(script, chance));
            for (int i = 0; i < 3; i++) {
                long cookie = listener.id().cookie();
                script.raise(CmEventType.CONNECT_REQUEST, cookie, 50 + i, 0, (record, at) -> spoil(record, chance));
                raise(script, chance);
                tolerate(() -> listener.accept(SOON).close());
            }
        }
    }

    /** An event of an identifier that there is, or not, with anything in it. */
    private static void raise(ScriptedChannel script, SplittableRandom chance) {
        CmEventType[] types = CmEventType.values();
        script.raise(
                types[chance.nextInt(types.length)],
                chance.nextInt(4) == 0 ? chance.nextInt() : 100 + chance.nextInt(3),
                chance.nextBoolean() ? 0 : WORDS[chance.nextInt(WORDS.length)],
                (record, at) -> spoil(record, chance));
    }

    private static void spoil(MemorySegment record, SplittableRandom chance) {
        for (int i = chance.nextInt(6); i > 0; i--) {
            change(record.asSlice(CmEventRecord.PARAM_CONN), chance);
        }
        if (chance.nextInt(4) == 0) {
            change(record, chance);
        }
    }

    private static void change(MemorySegment answer, SplittableRandom chance) {
        long words = answer.byteSize() / Integer.BYTES;
        if (words > 0) {
            int word = chance.nextInt(3) == 0 ? chance.nextInt() : WORDS[chance.nextInt(WORDS.length)];
            Host.setInt(answer, chance.nextLong(words) * Integer.BYTES, word);
        }
    }

    private static void tolerate(Runnable call) {
        try {
            call.run();
        } catch (VerbsException e) {
            // As it should be.
        }
    }
}

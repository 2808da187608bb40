package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.abi.CreateCqResponse;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.RegMrResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.memory.Host;
import dev.doorbell.soft.SoftNetwork;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hostile bytes: random commands with random sizes and contents, seasoned with handles and addresses that are really
 * there. A command answers an errno; it never throws, and what it made goes away with the context.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class FuzzTest {
    private static final UverbsCommand[] COMMANDS = UverbsCommand.values();
    private static final int CALLS = 30_000;
    private static final int LONGEST = 400;

    private final Arena arena = Arena.ofShared();
    private final List<Integer> words = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void commandsAnswerAnErrno(long seed) {
        Random random = new Random(seed);
        try (SoftNetwork network = SoftNetwork.builder()
                .devices(1)
                .seed(seed)
                .limits(SoftLimits.builder().ringBytes(16 << 20).build())
                .build()) {
            SoftDevice device = network.device("soft0");
            int accepted = 0;
            for (int context = 0; context < 3; context++) {
                accepted += attack(device, random);
                assertThat(device.census()).as("seed %d", seed).isEqualTo(Census.EMPTY);
            }
            assertThat(accepted).as("some commands were accepted").isGreaterThan(1000);
        }
        arena.close();
    }

    private int attack(SoftDevice device, Random random) {
        int accepted = 0;
        try (Program program = Program.start(device)) {
            MemorySegment memory = program.arena.allocate(8192, 4096);
            program.channel.pin(memory);
            words.clear();
            words.addAll(List.of(program.pd(), program.cq(8), program.completionChannel()));
            words.add((int) memory.address());
            words.add((int) (memory.address() >>> 32));
            for (int call = 0; call < CALLS / 3; call++) {
                UverbsCommand command = COMMANDS[random.nextInt(COMMANDS.length)];
                MemorySegment out = bytes(random, LONGEST);
                MemorySegment driverOut = bytes(random, 64);
                int errno = program.channel.invoke(
                        command,
                        bytes(random, LONGEST),
                        out,
                        random.nextInt(4) == 0 ? bytes(random, 64) : MemorySegment.NULL,
                        driverOut);
                assertThat(errno).as("%s, call %d", command, call).isBetween(0, 132);
                if (errno == 0) {
                    accepted++;
                    remember(command, out);
                }
            }
        }
        return accepted;
    }

    /** Keeps handles that a command gave, so that later commands hit something. */
    private void remember(UverbsCommand command, MemorySegment out) {
        switch (command) {
            case ALLOC_PD, CREATE_COMP_CHANNEL -> words.add(Host.getInt(out, 0));
            case CREATE_CQ, EX_CREATE_CQ -> words.add(CreateCqResponse.cqHandle(out, 0));
            case CREATE_QP -> words.add(CreateQpResponse.qpHandle(out, 0));
            case REG_MR -> words.add(RegMrResponse.mrHandle(out, 0));
            default -> {}
        }
    }

    private MemorySegment bytes(Random random, int longest) {
        int length = random.nextInt(8) == 0 ? random.nextInt(longest) : longest;
        MemorySegment bytes = MemorySegment.ofArray(new byte[length]);
        for (int at = 0; at + 4 <= length; at += 4) {
            Host.setInt(bytes, at, word(random));
        }
        return bytes;
    }

    private int word(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextInt();
            case 1, 2 -> words.get(random.nextInt(words.size()));
            case 3, 4 -> 0;
            case 5 -> 1 << random.nextInt(32);
            default -> random.nextInt(40);
        };
    }
}

package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.AllocMw;
import dev.doorbell.kernel.abi.AllocMwResponse;
import dev.doorbell.kernel.abi.RegMrResponse;
import dev.doorbell.kernel.abi.ReregMr;
import dev.doorbell.kernel.abi.ReregMrResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.soft.SoftNetwork;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** ALLOC_MW, DEALLOC_MW and REREG_MR, command by command. */
@Timeout(30)
class MemoryCommandsTest {
    private final SoftNetwork network = SoftNetwork.builder().devices(1).seed(1).build();
    private final SoftDevice device = network.device("soft0");
    private final Program program = Program.start(device);
    private final int domain = program.pd();
    private final MemorySegment memory = program.arena.allocate(8192, 4096);
    private final CommandChannel.Pin pin = program.channel.pin(memory);
    private final int region = register();
    private final int key = RegMrResponse.lkey(program.out, 0);

    private int register() {
        assertThat(program.regMr(domain, memory.asSlice(0, 4096), 15, Program::asIs))
                .isZero();
        return RegMrResponse.mrHandle(program.out, 0);
    }

    @AfterEach
    void nothingIsLeft() {
        pin.close();
        program.close();
        assertThat(device.census()).isEqualTo(Census.EMPTY);
        network.close();
    }

    private int allocate(int type) {
        return program.send(UverbsCommand.ALLOC_MW, AllocMw.SIZE, AllocMwResponse.SIZE, in -> {
            AllocMw.setPdHandle(in, 0, domain);
            AllocMw.setMwType(in, 0, type);
        });
    }

    @Test
    void windowsOfTwoTypesAreAllocated() {
        for (int type = 1; type <= 2; type++) {
            assertThat(allocate(type)).isZero();
            assertThat(device.census().windows()).isEqualTo(1);
            int handle = AllocMwResponse.mwHandle(program.out, 0);
            assertThat(AllocMwResponse.rkey(program.out, 0)).isNotEqualTo(key).isNotZero();
            assertThat(program.sendHandle(UverbsCommand.DEALLOC_MW, handle)).isZero();
            assertThat(program.sendHandle(UverbsCommand.DEALLOC_MW, handle)).isEqualTo(Errno.ENOENT);
        }
    }

    @Test
    void otherTypesAreInvalid() {
        assertThat(allocate(0)).isEqualTo(Errno.EINVAL);
        assertThat(allocate(3)).isEqualTo(Errno.EINVAL);
    }

    @Test
    void aWindowKeepsItsDomainAndGoesWithItsContext() {
        assertThat(allocate(2)).isZero();
        assertThat(program.sendHandle(UverbsCommand.DEREG_MR, region)).isZero();
        assertThat(program.sendHandle(UverbsCommand.DEALLOC_PD, domain)).isEqualTo(Errno.EBUSY);
    }

    private int change(int flags, Consumer<MemorySegment> more) {
        return program.send(UverbsCommand.REREG_MR, ReregMr.SIZE, ReregMrResponse.SIZE, in -> {
            ReregMr.setMrHandle(in, 0, region);
            ReregMr.setFlags(in, 0, flags);
            more.accept(in);
        });
    }

    @Test
    void aRegionKeepsItsKeysThroughChanges() {
        int other = program.pd();
        assertThat(change(ReregMr.TRANSLATION | ReregMr.PROTECTION_DOMAIN | ReregMr.ACCESS, in -> {
                    ReregMr.setStart(in, 0, memory.address() + 4096);
                    ReregMr.setLength(in, 0, 4096);
                    ReregMr.setHcaVa(in, 0, 0);
                    ReregMr.setPdHandle(in, 0, other);
                    ReregMr.setAccessFlags(in, 0, 1);
                }))
                .isZero();
        assertThat(ReregMrResponse.lkey(program.out, 0)).isEqualTo(key);
        assertThat(ReregMrResponse.rkey(program.out, 0)).isEqualTo(key);
        assertThat(program.sendHandle(UverbsCommand.DEALLOC_PD, domain)).isZero();
        assertThat(program.sendHandle(UverbsCommand.DEALLOC_PD, other)).isEqualTo(Errno.EBUSY);
    }

    @Test
    void changesThatAreRefused() {
        assertThat(change(0, in -> {})).isEqualTo(Errno.EINVAL);
        assertThat(change(8, in -> {})).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(change(ReregMr.ACCESS, in -> ReregMr.setMrHandle(in, 0, 12345)))
                .isEqualTo(Errno.ENOENT);
        assertThat(change(ReregMr.ACCESS, in -> ReregMr.setMrHandle(in, 0, domain)))
                .isEqualTo(Errno.EINVAL);
        assertThat(change(ReregMr.ACCESS, in -> ReregMr.setAccessFlags(in, 0, 2)))
                .isEqualTo(Errno.EINVAL);
        assertThat(change(ReregMr.ACCESS, in -> ReregMr.setAccessFlags(in, 0, 1 << 5)))
                .isEqualTo(Errno.EOPNOTSUPP);
        assertThat(change(ReregMr.PROTECTION_DOMAIN, in -> ReregMr.setPdHandle(in, 0, 12345)))
                .isEqualTo(Errno.ENOENT);
        assertThat(translate(memory.address(), 4096, 8)).isEqualTo(Errno.EINVAL);
        assertThat(translate(memory.address(), 0, 0)).isEqualTo(Errno.EINVAL);
        assertThat(translate(memory.address() + 4096, 8192, 0)).isEqualTo(Errno.EFAULT);
        assertThat(program.sendHandle(UverbsCommand.DEREG_MR, region)).isZero();
    }

    private int translate(long start, long length, long iova) {
        return change(ReregMr.TRANSLATION, in -> {
            ReregMr.setStart(in, 0, start);
            ReregMr.setLength(in, 0, length);
            ReregMr.setHcaVa(in, 0, iova);
        });
    }
}

package dev.doorbell.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.Gid;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Identifications that nobody saw, found again; corrupt packets, refused. */
class IdentificationRecoveryTest {
    private static final int LONGEST = 4200;

    private final SplittableRandom random = new SplittableRandom(0x5eed_0011L);
    private final IdentificationRecovery recovery = new IdentificationRecovery();
    private final Icrc icrc =
            new Icrc(Gid.of(InetAddress.ofLiteral("10.0.0.1")), Gid.of(InetAddress.ofLiteral("10.0.0.2")), 0xc012);
    private final ByteBuffer packet = ByteBuffer.allocate(LONGEST);

    private int someLength() {
        random.nextBytes(packet.array());
        return random.nextInt(Bth.SIZE, LONGEST);
    }

    @Test
    void everyIdentificationIsFoundWhateverWasAssumed() {
        for (int i = 0; i < 20_000; i++) {
            int length = i % 3 == 0 ? someLength() : 64;
            int identification = random.nextInt(1 << 16);
            int assumed = random.nextInt(1 << 16);
            int sent = icrc.compute(packet, 0, length, identification, Icrc.DONT_FRAGMENT);
            int computed = icrc.compute(packet, 0, length, assumed, Icrc.DONT_FRAGMENT);
            assertThat(recovery.recover(computed ^ sent, length, assumed)).isEqualTo(identification);
        }
    }

    @Test
    void packetsThatMayBeFragmentedAreToldApart() {
        for (int i = 0; i < 2_000; i++) {
            int length = someLength();
            int identification = random.nextInt(1 << 16);
            int difference = icrc.compute(packet, 0, length) ^ icrc.compute(packet, 0, length, identification, 0);
            assertThat(recovery.recover(difference, length, 0))
                    .isEqualTo(identification | IdentificationRecovery.MAY_FRAGMENT);
        }
    }

    @Test
    void aFlippedBitIsNeverTakenForAnIdentification() {
        int length = 60;
        int sent = icrc.compute(packet, 0, length);
        for (int bit = 0; bit < length * 8; bit++) {
            packet.put(bit / 8, (byte) (packet.get(bit / 8) ^ 1 << bit % 8));
            int difference = sent ^ icrc.compute(packet, 0, length);
            boolean covered = bit / 8 != 4;
            assertThat(recovery.recover(difference, length, 0))
                    .as("bit %d", bit)
                    .isEqualTo(covered ? IdentificationRecovery.CORRUPT : 0);
            packet.put(bit / 8, (byte) (packet.get(bit / 8) ^ 1 << bit % 8));
        }
    }

    @Test
    void noiseRarelyPasses() {
        int accepted = 0;
        for (int i = 0; i < 200_000; i++) {
            accepted += recovery.recover(random.nextInt(), 40, 0) == IdentificationRecovery.CORRUPT ? 0 : 1;
        }
        assertThat(accepted).as("two in 65536, of 200000").isLessThan(20);
    }

    /** Recorded from a ConnectX-4 Lx: identification 718c. */
    @Test
    void theIdentificationOfARealCardsPacketIsFound() {
        byte[] bytes =
                HexFormat.of().parseHex("8100ffff4000011800000000" + "00000000000000000000000000000000" + "82fd002a");
        ByteBuffer recorded = ByteBuffer.wrap(bytes);
        Icrc flow = new Icrc(Gid.of(InetAddress.ofLiteral("10.0.17.1")), Gid.of(InetAddress.ofLiteral("10.0.18.1")), 0);
        int difference = flow.compute(recorded, 0, 28) ^ Icrc.load(recorded, 28);
        assertThat(recovery.recover(difference, 28, 0)).isEqualTo(0x718c);
    }
}

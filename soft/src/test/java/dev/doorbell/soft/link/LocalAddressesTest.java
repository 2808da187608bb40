package dev.doorbell.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.link.HostAddresses.Place;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What follows from the addresses and interfaces of a host. */
class LocalAddressesTest {
    private static final InetAddress FOUR = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress SIX = InetAddress.ofLiteral("2001:db8::1");

    /** As rxe, which takes 80 bytes off; four more for IPv6, where the longest headers are longer. */
    @ParameterizedTest
    @CsvSource({
        "1500, false, MTU_1024",
        "1500, true, MTU_1024",
        "9000, false, MTU_4096",
        "4176, false, MTU_4096",
        "4175, false, MTU_2048",
        "4179, true, MTU_2048",
        "4180, true, MTU_4096",
        "1104, false, MTU_1024",
        "1103, false, MTU_512",
        "65536, true, MTU_4096",
        "100, false, MTU_256"
    })
    void thePathMtuFitsIntoTheInterfaces(int interfaceMtu, boolean ipv6, Mtu expected) {
        assertThat(LocalAddresses.mtu(interfaceMtu, ipv6)).isEqualTo(expected);
    }

    @Test
    void oneAddressIsEnoughToBeUp() {
        Place up = new Place("eth0", 2, true, 9000);
        LinkReach reach = LinkReach.of(
                List.of(FOUR, SIX),
                List.of(Optional.empty(), Optional.of(up)),
                List.of(Optional.empty(), Optional.empty()),
                Mtu.MTU_256);
        assertThat(reach)
                .isEqualTo(new LinkReach(List.of(Gid.of(SIX)), true, Mtu.MTU_4096, "no interface has 192.0.2.1"));
    }

    @Test
    void anAddressThatCannotBeBoundIsNotThere() {
        Place up = new Place("eth0", 2, true, 9000);
        LinkReach reach = LinkReach.of(
                List.of(FOUR), List.of(Optional.of(up)), List.of(Optional.of("port 4791 held")), Mtu.MTU_512);
        assertThat(reach).isEqualTo(new LinkReach(List.of(), false, Mtu.MTU_512, "192.0.2.1: port 4791 held"));
    }

    @Test
    void groupsOfALinkNameTheirInterface() {
        Gid ofLink = Gid.of(InetAddress.ofLiteral("ff12::7"));
        assertThat(LocalAddresses.group(ofLink, 3))
                .isInstanceOfSatisfying(
                        Inet6Address.class,
                        group -> assertThat(group.getScopeId()).isEqualTo(3));
        Gid wider = Gid.of(InetAddress.ofLiteral("ff1e::7"));
        assertThat(LocalAddresses.group(wider, 3))
                .isInstanceOfSatisfying(
                        Inet6Address.class,
                        group -> assertThat(group.getScopeId()).isZero());
        Gid four = Gid.of(InetAddress.ofLiteral("239.1.2.3"));
        assertThat(LocalAddresses.group(four, 3)).isEqualTo(InetAddress.ofLiteral("239.1.2.3"));
    }
}

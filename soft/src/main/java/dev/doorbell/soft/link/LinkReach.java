package dev.doorbell.soft.link;

import dev.doorbell.soft.link.HostAddresses.Place;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How far a link gets at the moment.
 *
 * @param present its addresses that packets can come from
 * @param up whether one of them is on an interface that is up
 * @param mtu the largest path MTU that all of its interfaces carry
 * @param trouble what is amiss, for people; empty if nothing is
 */
record LinkReach(List<Gid> present, boolean up, Mtu mtu, String trouble) {
    LinkReach {
        present = List.copyOf(present);
    }

    /** All addresses, on interfaces of which nothing bad is known. */
    static LinkReach of(List<InetAddress> addresses, Mtu mtu) {
        return new LinkReach(addresses.stream().map(Gid::of).toList(), true, mtu, "");
    }

    /**
     * What follows from where the addresses are.
     *
     * @param places one for each address; empty for one that no interface has
     * @param refusals one for each address: why it has no socket, or empty
     * @param before the path MTU so far, which stays while no interface says another
     */
    static LinkReach of(
            List<InetAddress> addresses, List<Optional<Place>> places, List<Optional<String>> refusals, Mtu before) {
        List<Gid> present = new ArrayList<>();
        List<String> troubles = new ArrayList<>();
        boolean up = false;
        int smallest = Integer.MAX_VALUE;
        boolean ipv6 = false;
        for (int index = 0; index < addresses.size(); index++) {
            InetAddress address = addresses.get(index);
            Optional<Place> found = places.get(index);
            ipv6 |= !Gid.of(address).isIpv4Mapped();
            if (found.isEmpty()) {
                troubles.add("no interface has " + address.getHostAddress());
            } else if (refusals.get(index).isPresent()) {
                troubles.add(
                        address.getHostAddress() + ": " + refusals.get(index).get());
            } else {
                Place place = found.get();
                present.add(Gid.of(address));
                up |= place.up();
                smallest = Math.min(smallest, place.mtu());
                if (!place.up()) {
                    troubles.add(place.name() + " is down");
                }
            }
        }
        Mtu mtu = present.isEmpty() ? before : LocalAddresses.mtu(smallest, ipv6);
        String trouble = String.join(", ", troubles.stream().distinct().toList());
        return new LinkReach(present, up, mtu, trouble);
    }
}

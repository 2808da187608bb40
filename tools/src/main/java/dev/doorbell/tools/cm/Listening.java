package dev.doorbell.tools.cm;

import dev.doorbell.kernel.AddressText;
import dev.doorbell.spec.Gid;
import dev.doorbell.verbs.Device;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.List;

/** What a server says when it is ready: where, and behind the wildcard address which addresses a client can use. */
public final class Listening {
    private Listening() {}

    /** Says it, at once. */
    public static void tell(PrintStream out, InetSocketAddress at) {
        String where = "listening at " + AddressText.of(at);
        List<String> here = at.getAddress().isAnyLocalAddress() ? addresses() : List.of();
        out.println(here.isEmpty() ? where : where + ", which is " + String.join(", ", here));
        out.flush();
    }

    /** An embedded device has its address when it is attached, which a listener at the wildcard address sees to. */
    private static List<String> addresses() {
        return Device.list().stream()
                .filter(Device::isUsable)
                .flatMap(device -> device.gids().stream()
                        .map(entry -> entry.gid())
                        .filter(gid -> !gid.isLinkLocal())
                        .map(Gid::toInetAddress)
                        .map(address -> AddressText.of(address) + " (" + device.name() + ")"))
                .distinct()
                .toList();
    }
}

package dev.doorbell.kernel;

import dev.doorbell.spec.Gid;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Addresses as messages tell them and command lines take them: {@code 192.0.2.7:7174}, {@code [2001:db8::7]:7174}. */
public final class AddressText {
    private AddressText() {}

    /** An address with its port; the name where it was not resolved. */
    public static String of(InetSocketAddress socket) {
        InetAddress address = socket.getAddress();
        if (address == null) {
            return socket.getHostString() + ':' + socket.getPort();
        }
        String text = of(address);
        return (text.indexOf(':') < 0 ? text : '[' + text + ']') + ':' + socket.getPort();
    }

    /** An address without its name, short (RFC 5952), with its interface where it has one. */
    public static String of(InetAddress address) {
        if (!(address instanceof Inet6Address six)) {
            return address.getHostAddress();
        }
        String host = six.getHostAddress();
        int scope = host.indexOf('%');
        return Gid.of(address) + (scope < 0 ? "" : host.substring(scope));
    }
}

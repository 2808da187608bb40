package dev.doorbell.bench.cm;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Where the devices of a scene are, so that scenes which are open at the same time do not meet.
 *
 * @param lane the scene's number
 */
record Addresses(int lane) {
    private static final int PORT = 7471;

    private String text(Role role) {
        return "127.74." + lane + "." + (role.ordinal() + 1);
    }

    /** Of a device. */
    InetAddress device(Role role) {
        return InetAddress.ofLiteral(text(role));
    }

    /** Where the server listens. */
    InetSocketAddress server() {
        return new InetSocketAddress(text(Role.SERVER), PORT);
    }

    /** What the client binds to. */
    InetSocketAddress client() {
        return new InetSocketAddress(text(Role.CLIENT), 0);
    }
}

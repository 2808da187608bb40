package dev.doorbell.bench.cm;

import dev.doorbell.soft.SoftNetwork;
import java.util.Locale;

/** What connects. */
enum Layer {
    /** Sockets of the system, which need no device. */
    TCP("bare TCP in Java"),
    /** The commands of the connection manager. */
    COMMANDS("commands alone, no queue pairs"),
    /** What a program uses. */
    LIBRARY("the library, with queue pairs");

    private final String label;

    Layer(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Layer of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** An end of it on these devices. */
    End end(Role role, SoftNetwork network, Addresses addresses) {
        return switch (this) {
            case TCP -> role == Role.CLIENT ? new TcpClient() : new TcpServer();
            case COMMANDS ->
                role == Role.CLIENT ? new CommandClient(network, addresses) : new CommandServer(network, addresses);
            case LIBRARY ->
                role == Role.CLIENT ? new LibraryClient(network, addresses) : new LibraryServer(network, addresses);
        };
    }
}

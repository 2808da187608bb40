package dev.doorbell.bench.udp;

import dev.doorbell.bench.Measurement;
import dev.doorbell.bench.PeerProcess;
import java.util.Map;

/** Two processes that play rounds with each other. */
final class Contest implements Measurement {
    private final String name;
    private final long amount;
    private final PeerProcess server;
    private final PeerProcess client;

    /**
     * Starts both ends, and connects them.
     *
     * @param amount what each round asks for
     * @param lane a number that no other contest has at the same time
     */
    Contest(String name, Play play, long amount, UdpNetwork network, int lane, Program program) {
        this.name = name;
        this.amount = amount;
        this.server = start(Role.SERVER, network, lane, program);
        this.client = start(Role.CLIENT, network, lane, program);
        if (play.isDoorbell()) {
            String there = server.hear();
            String here = client.hear();
            server.tell(here);
            client.tell(there);
        }
        server.hear();
        client.hear();
    }

    private static PeerProcess start(Role role, UdpNetwork network, int lane, Program program) {
        return new PeerProcess(
                program.words(role, network, lane), Map.of("DOORBELL_SOFT", "soft0@" + network.address(lane, role)));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public double round() {
        server.tell(Long.toString(amount));
        client.tell(Long.toString(amount));
        double measured = Double.parseDouble(client.hear());
        server.hear();
        return measured;
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}

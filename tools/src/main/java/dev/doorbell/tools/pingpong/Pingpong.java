package dev.doorbell.tools.pingpong;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.LinkLayer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** One end of a ping-pong, from the command line to the result. */
public final class Pingpong {
    private final Settings settings;
    private final Report report;

    private Pingpong(Settings settings, PrintStream out) {
        this.settings = settings;
        this.report = new Report(settings, out);
    }

    /**
     * Plays it.
     *
     * @return whether all data were right, as far as they were looked at
     * @throws PingpongException with a sentence if the peer or the device does not play along
     */
    public static boolean play(Settings settings, PrintStream out) {
        return new Pingpong(settings, out).run();
    }

    private boolean run() {
        try (Rendezvous rendezvous = rendezvous();
                Setup setup = Setup.open(settings);
                Lanes lanes = Lanes.open(setup)) {
            Rally rally = new Rally(setup, lanes);
            rally.prepare();
            List<PortAddress> local = lanes.local();
            report.faults(FaultsOption.describe(setup.context().device()));
            report.gid(lanes.gid());
            report.local(local);
            report.remote(exchange(rendezvous, setup, lanes));
            boolean check = settings.has(Extra.CHECK);
            if (check && settings.isClient()) {
                setup.ball().mark();
            }
            report.result(rally.play());
            report.faultsDone(setup.context().device(), settings.port());
            ReceiveClock clock = setup.clock();
            if (clock != null) {
                report.times(clock);
            }
            return !check || settings.isClient() || validate(setup.ball());
        }
    }

    private Rendezvous rendezvous() {
        String host = settings.host();
        if (host != null) {
            return new ClientRendezvous(host, settings.tcpPort(), settings.patience());
        }
        // Before the device is touched: a client that starts at once finds somebody, and a port that is taken costs
        // nothing.
        ServerRendezvous server = new ServerRendezvous(settings.tcpPort(), settings.patience());
        report.listening(server.port());
        return server;
    }

    private List<PortAddress> exchange(Rendezvous rendezvous, Setup setup, Lanes lanes) {
        List<PortAddress> mine = new ArrayList<>(lanes.local());
        while (mine.size() < settings.service().addresses()) {
            mine.add(PortAddress.NONE);
        }
        List<PortAddress> theirs = rendezvous.exchange(mine, remote -> connect(setup, lanes, present(remote)));
        return present(theirs);
    }

    /** The addresses of queue pairs, as many as this end has. */
    private List<PortAddress> present(List<PortAddress> remote) {
        List<PortAddress> present = remote.stream().filter(PortAddress::isThere).toList();
        if (present.size() != settings.queuePairs()) {
            throw new PingpongException("the peer has " + present.size() + " queue pairs and this end "
                    + settings.queuePairs() + (settings.service() == Service.SRQ ? ": -q has to say the same" : ""));
        }
        return present;
    }

    private void connect(Setup setup, Lanes lanes, List<PortAddress> remote) {
        boolean ethernet = setup.context().queryPort(settings.port()).linkLayer() != LinkLayer.INFINIBAND;
        Gid mine = lanes.gid().entry().gid();
        for (PortAddress peer : remote) {
            Gid theirs = peer.gid();
            if (ethernet && theirs.isZero()) {
                throw new PingpongException(
                        "the peer told no GID, without which Ethernet has no way to it: start it with -g INDEX");
            }
            if (ethernet && mine.isIpv4Mapped() != theirs.isIpv4Mapped()) {
                throw new PingpongException("this end's GID " + mine + " and the peer's " + theirs
                        + " are of different kinds, IPv4 and IPv6: -g chooses another");
            }
        }
        lanes.connect(remote);
    }

    private boolean validate(Ball ball) {
        boolean right = true;
        for (int page = ball.pageWithoutMark(0); page >= 0; page = ball.pageWithoutMark(page + 1)) {
            report.invalidPage(page);
            right = false;
        }
        return right;
    }
}

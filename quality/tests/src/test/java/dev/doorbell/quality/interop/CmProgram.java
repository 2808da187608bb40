package dev.doorbell.quality.interop;

import dev.doorbell.tools.cm.DatagramOptions;
import dev.doorbell.tools.cm.Datagrams;
import dev.doorbell.tools.cm.Rping;
import dev.doorbell.tools.cm.RpingOptions;
import dev.doorbell.tools.cm.Stress;
import dev.doorbell.tools.cm.StressOptions;
import java.io.PrintStream;
import java.util.List;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** A program of rdmacm-utils that has a twin of ours. */
enum CmProgram {
    /** READ and WRITE of one connection. */
    RPING("rping", "rping"),
    /** One message each way. */
    ECHO("rdma_server", "rdma_client"),
    /** Many connections at a time. */
    UCMATOSE("ucmatose", "ucmatose"),
    /** Datagrams to a queue pair that was found by address. */
    UDADDY("udaddy", "udaddy"),
    /** Datagrams to a multicast group; the server receives. */
    MCKEY("mckey", "mckey");

    private final String server;
    private final String client;

    CmProgram(String server, String client) {
        this.server = server;
        this.client = client;
    }

    /** The C program's name. */
    String nameOf(boolean asServer) {
        return asServer ? server : client;
    }

    /** Plays ours here. */
    void play(List<String> words, PrintStream out) {
        try {
            parseAndPlay(words, out);
        } catch (ParseException e) {
            throw new AssertionError(String.join(" ", words), e);
        }
    }

    private void parseAndPlay(List<String> words, PrintStream out) throws ParseException {
        DefaultParser parser = new DefaultParser();
        String[] all = words.toArray(new String[0]);
        switch (this) {
            case RPING -> {
                Options options = RpingOptions.options();
                Rping.play(RpingOptions.parse(parser.parse(options, all)), out);
            }
            case ECHO -> Echo.play(words, out);
            case UCMATOSE -> {
                Options options = StressOptions.options();
                Stress.play(StressOptions.parse(parser.parse(options, all)), out);
            }
            case UDADDY -> {
                Options options = DatagramOptions.unicast();
                Datagrams.play(DatagramOptions.parseUnicast(parser.parse(options, all)), out);
            }
            case MCKEY -> {
                Options options = DatagramOptions.multicast();
                Datagrams.play(DatagramOptions.parseMulticast(parser.parse(options, all)), out);
            }
        }
    }
}

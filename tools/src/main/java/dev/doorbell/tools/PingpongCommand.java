package dev.doorbell.tools;

import dev.doorbell.tools.pingpong.FaultsOption;
import dev.doorbell.tools.pingpong.Pingpong;
import dev.doorbell.tools.pingpong.PingpongException;
import dev.doorbell.tools.pingpong.PingpongOptions;
import dev.doorbell.tools.pingpong.Service;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** {@code doorbell rc-pingpong} and its sisters: ibv_rc_pingpong(1) and so on, of which either end may be the C program. */
final class PingpongCommand implements Subcommand {
    private final Service service;
    private final String over;

    PingpongCommand(Service service, String over) {
        this.service = service;
        this.over = over;
    }

    @Override
    public String name() {
        return service.name().toLowerCase(Locale.ROOT) + "-pingpong";
    }

    @Override
    public String summary() {
        return "play ping-pong with a peer over " + over;
    }

    @Override
    public String description() {
        return """
               Sends messages to and fro over %s,
               and says how long they took. Without a HOST it is the server and waits for one client; with
               one it connects to the server there.
               The peer may be ibv_%s, with the same -s%s; on Ethernet that one needs -g.
               Exit code 1 if the peer does not play along, does not answer in time, or data were wrong.""".formatted(over, name().replace('-', '_'), sameOptions());
    }

    private String sameOptions() {
        return switch (service) {
            case RC, UC -> ", -m and -n";
            case UD -> " and -n";
            case SRQ -> ", -m, -n and -q";
        };
    }

    @Override
    public List<String> arguments() {
        return List.of("HOST");
    }

    @Override
    public Options options() {
        return new PingpongOptions(service).options();
    }

    @Override
    public int run(CommandLine line, PrintStream out) throws ParseException {
        FaultsOption.apply(line);
        try {
            boolean right = Pingpong.play(new PingpongOptions(service).parse(line), out);
            return right ? DoorbellCommand.OK : DoorbellCommand.FAILED;
        } catch (PingpongException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }
}

package dev.doorbell.tools;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.RdmaLink;
import dev.doorbell.linux.RdmaLinks;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** {@code doorbell link}: makes and removes the kernel's software devices, in the spirit of rdma-link(8). */
final class LinkCommand implements Subcommand {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final RdmaLinks links;

    LinkCommand() {
        this(new RdmaLinks());
    }

    LinkCommand(RdmaLinks links) {
        this.links = links;
    }

    @Override
    public String name() {
        return "link";
    }

    @Override
    public String summary() {
        return "show, add and delete the kernel's software devices";
    }

    @Override
    public String description() {
        return """
               link show [NAME]                  the ports of the Linux kernel's devices
               link add NAME --netdev INTERFACE  makes a device, as 'rdma link add' does
               link delete NAME                  removes it, unless it is open; with --wait it
                                                 waits until it is closed, and nothing else can
                                                 end that wait

               Adding and deleting need CAP_NET_ADMIN, so usually root.""";
    }

    @Override
    public List<String> arguments() {
        return List.of("show|add|delete", "NAME");
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(Option.builder("n")
                        .longOpt("netdev")
                        .hasArg()
                        .argName("INTERFACE")
                        .desc("the network interface to stand on (add)")
                        .get())
                .addOption(Option.builder("t")
                        .longOpt("type")
                        .hasArg()
                        .argName("TYPE")
                        .desc("the driver: rxe, which is the default, or siw (add)")
                        .get())
                .addOption(Option.builder("w")
                        .longOpt("wait")
                        .desc("wait until nobody has it open (delete)")
                        .get());
    }

    @Override
    public int run(CommandLine line, PrintStream out) throws ParseException {
        List<String> operands = line.getArgList();
        String action = operands.isEmpty() ? "show" : operands.getFirst();
        String name = operands.size() < 2 ? "" : operands.get(1);
        return switch (action) {
            case "show", "list" -> show(name, out);
            case "add" -> {
                requireName(action, name);
                if (!line.hasOption("netdev")) {
                    throw new ParseException("'link add' needs --netdev INTERFACE");
                }
                links.add(name, line.getOptionValue("type", "rxe"), line.getOptionValue("netdev"));
                yield show(name, out);
            }
            case "delete", "del" -> {
                requireName(action, name);
                delete(name, line.hasOption("wait"), out);
                out.println("  " + name + " is gone");
                yield DoorbellCommand.OK;
            }
            default -> throw new ParseException("'" + action + "' is none of show, add, delete");
        };
    }

    private static void requireName(String action, String name) throws ParseException {
        if (name.isEmpty()) {
            throw new ParseException("'link " + action + "' needs the device's name");
        }
    }

    private int show(String name, PrintStream out) {
        Columns table = new Columns()
                .text("device")
                .number("port")
                .text("protocol")
                .text("state")
                .text("physical state")
                .text("netdev");
        for (RdmaLink link : list()) {
            if (name.isEmpty() || name.equals(link.device())) {
                table.row(
                        link.device(),
                        link.port(),
                        orDash(link.protocol()),
                        text(link.state()),
                        text(link.physicalState()),
                        orDash(link.netDevice()));
            }
        }
        if (table.isEmpty()) {
            out.println("  there are no links" + (name.isEmpty() ? "" : " of a device " + name));
            return DoorbellCommand.FAILED;
        }
        table.print(out);
        return DoorbellCommand.OK;
    }

    private List<RdmaLink> list() {
        try {
            return links.list();
        } catch (KernelException e) {
            if (e.errno() != Errno.EPROTONOSUPPORT) {
                throw e;
            }
            throw new CommandException(
                    e.getMessage() + "; soft0, the embedded device, needs no link: 'doorbell devices' lists it", e);
        }
    }

    private static String orDash(String text) {
        return text.isEmpty() ? "-" : text;
    }

    private static String text(Optional<?> state) {
        return state.map(Object::toString).orElse("unknown");
    }

    /** In a thread of its own, since the kernel may keep it: somebody can open the device after we looked. */
    private void delete(String name, boolean wait, PrintStream out) {
        AtomicReference<KernelException> refusal = new AtomicReference<>();
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                if (wait) {
                    links.deleteWhenClosed(name);
                } else {
                    links.delete(name);
                }
            } catch (KernelException e) {
                refusal.set(e);
            }
        });
        try {
            if (!thread.join(PATIENCE)) {
                out.println(
                        "  waiting: " + links.use(name) + "; the kernel removes it when all of them have closed it");
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        KernelException refused = refusal.get();
        if (refused != null) {
            throw refused;
        }
    }
}

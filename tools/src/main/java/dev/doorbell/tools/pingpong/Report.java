package dev.doorbell.tools.pingpong;

import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.GidChoice;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What is printed: the lines of the C programs, so that scripts which read those go on working. */
final class Report {
    private final Settings settings;
    private final PrintStream out;

    Report(Settings settings, PrintStream out) {
        this.settings = settings;
        this.out = out;
    }

    /** Says where the server listens, which the user cannot know after {@code -p 0}. */
    void listening(int port) {
        if (settings.tcpPort() == 0) {
            print("  listening on TCP port " + port);
        }
    }

    /** Says which GID was chosen, unless the user did that. */
    void gid(GidChoice gid) {
        if (settings.gidIndex() < 0) {
            print("  without -g: GID " + gid.reason());
        }
    }

    /** Says what will go wrong on purpose, and so how to let the same go wrong again. */
    void faults(String description) {
        if (!description.isEmpty()) {
            print("  faults on purpose: " + description);
        }
    }

    /** Says what went wrong on purpose. */
    void faultsDone(Device device, int port) {
        if (!FaultsOption.describe(device).isEmpty()) {
            print("  packets of this end: " + FaultsOption.told(device.counters(port)));
        }
    }

    void local(List<PortAddress> addresses) {
        // The C program for datagrams has a colon here; its scripts may look for it.
        String separator = settings.service() == Service.UD ? ":" : ",";
        addresses.forEach(address -> print("  local address:  " + address.toText(separator)));
    }

    void remote(List<PortAddress> addresses) {
        addresses.forEach(address -> print("  remote address: " + address.toText(",")));
    }

    void result(long elapsedNs) {
        long bytes = 2L * settings.size() * settings.iterations();
        double micros = elapsedNs / 1e3;
        String time = number(micros / 1e6);
        print(bytes + " bytes in " + time + " seconds = " + number(bytes * 8 / micros) + " Mbit/sec");
        print(settings.iterations() + " iters in " + time + " seconds = " + number(micros / settings.iterations())
                + " usec/iter");
    }

    void times(ReceiveClock clock) {
        if (clock.count() > 0) {
            print("Max receive completion clock cycles = " + clock.longest());
            print("Min receive completion clock cycles = " + clock.shortest());
            print("Average receive completion clock cycles = " + String.format(Locale.ROOT, "%f", clock.average()));
        }
    }

    void invalidPage(int page) {
        print("invalid data in page " + page);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private void print(String line) {
        out.println(line);
        // A script, or the other end's user, waits for this line.
        out.flush();
    }

    /** A time for sentences. */
    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e9).replaceAll("\\.?0+$", "") + " s";
    }
}

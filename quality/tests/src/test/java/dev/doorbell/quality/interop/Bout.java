package dev.doorbell.quality.interop;

import dev.doorbell.spec.Mtu;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One conversation between the two JVMs, on a connection of its own. Each has the same description and so knows what the
 * other does.
 *
 * @param traffic what is done
 * @param mtu path MTU
 * @param six over IPv6
 * @param fromRxe whether the Linux device is the requester
 * @param seed of the bytes
 * @param sizes of the messages, all posted at once
 */
record Bout(Traffic traffic, Mtu mtu, boolean six, boolean fromRxe, int seed, List<Integer> sizes) {
    /** Around the edges of packets of every MTU, and far beyond. */
    static final List<Integer> SIZES = List.of(0, 1, 255, 256, 257, 1023, 1024, 1025, 4096, 1 << 16, 1 << 20);

    Bout {
        sizes = List.copyOf(sizes);
    }

    String title() {
        return String.format(
                Locale.ROOT,
                "%-12s %s %4d %s",
                traffic,
                six ? "IPv6" : "IPv4",
                mtu.bytes(),
                fromRxe ? "rxe0 -> soft0" : "soft0 -> rxe0");
    }

    /** One line, for {@link #parse}. */
    String toText() {
        return String.join(
                " ",
                traffic.name(),
                mtu.name(),
                Boolean.toString(six),
                Boolean.toString(fromRxe),
                Integer.toString(seed),
                sizes.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }

    static Bout parse(String text) {
        String[] words = text.split(" ", -1);
        List<Integer> sizes = words[5].isEmpty()
                ? List.of()
                : Arrays.stream(words[5].split(",", -1)).map(Integer::valueOf).toList();
        return new Bout(
                Traffic.valueOf(words[0]),
                Mtu.valueOf(words[1]),
                Boolean.parseBoolean(words[2]),
                Boolean.parseBoolean(words[3]),
                Integer.parseInt(words[4]),
                sizes);
    }

    /** Where each message lies in the requester's memory and where in the responder's: apart, and aligned differently. */
    List<Placement> placements() {
        long[] at = new long[1];
        return IntStream.range(0, sizes.size())
                .mapToObj(i -> {
                    Placement placement = new Placement(at[0] + 64 + i % 4, at[0] + 64 + i * 3 % 8, sizes.get(i));
                    at[0] += sizes.get(i) + 192L & -64L;
                    return placement;
                })
                .toList();
    }

    /**
     * A message's place.
     *
     * @param local offset in the requester's memory
     * @param remote offset in the responder's
     */
    record Placement(long local, long remote, int bytes) {}
}

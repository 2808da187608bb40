package dev.doorbell.linux.netlink;

import dev.doorbell.kernel.abi.NetlinkHeader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Answers as a real kernel did: a question that was recorded gets the datagrams that came then, with the number of the
 * question at hand. One that was not recorded gets nothing.
 */
public final class RecordedKernel implements NetlinkTransport {

    private record Exchange(MemorySegment question, List<byte[]> answers) {}

    private final Map<String, Exchange> recorded;
    private final List<String> names;
    private final UnaryOperator<byte[]> damage;
    private final Deque<byte[]> pending = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();

    private RecordedKernel(Map<String, Exchange> recorded, List<String> names, UnaryOperator<byte[]> damage) {
        this.recorded = recorded;
        this.names = names;
        this.damage = damage;
    }

    /**
     * A kernel of which only these exchanges are known.
     *
     * @param release 6.1 or 6.12
     */
    public static RecordedKernel of(String release, String... names) {
        return new RecordedKernel(read(release), List.of(names), UnaryOperator.identity());
    }

    /** The same kernel, whose datagrams are damaged on their way. */
    RecordedKernel damaged(UnaryOperator<byte[]> how) {
        return new RecordedKernel(recorded, names, how);
    }

    private static Map<String, Exchange> read(String release) {
        String resource = "/nldev-" + release + ".txt";
        Map<String, Exchange> exchanges = new LinkedHashMap<>();
        try (InputStream in = RecordedKernel.class.getResourceAsStream(resource)) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().skip(1).toList()) {
                String[] parts = line.split(" ", -1);
                byte[] bytes = HexFormat.of().parseHex(parts[2]);
                if (parts[1].equals(">")) {
                    exchanges.put(parts[0], new Exchange(MemorySegment.ofArray(bytes), new ArrayList<>()));
                } else {
                    Objects.requireNonNull(exchanges.get(parts[0])).answers.add(bytes);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return exchanges;
    }

    /** The connection. */
    public Nldev open() {
        return new Nldev(this, 100);
    }

    /** The names of what was asked, in order; a question that was not recorded is {@code ?}. */
    public List<String> asked() {
        return asked;
    }

    @Override
    public void send(MemorySegment message) {
        MemorySegment question = MemorySegment.ofArray(withSequence(message.toArray(ValueLayout.JAVA_BYTE), 7));
        int sequence = NetlinkHeader.sequence(message, 0);
        pending.clear();
        String found = names.stream()
                .filter(name -> exchange(name).question.mismatch(question) < 0)
                .findFirst()
                .orElse("?");
        asked.add(found);
        if (!found.equals("?")) {
            exchange(found).answers.forEach(answer -> pending.add(damage.apply(withSequence(answer, sequence))));
        }
    }

    private Exchange exchange(String name) {
        return Objects.requireNonNull(recorded.get(name), name);
    }

    private static byte[] withSequence(byte[] message, int sequence) {
        byte[] copy = message.clone();
        NetlinkHeader.setSequence(MemorySegment.ofArray(copy), 0, sequence);
        return copy;
    }

    @Override
    public int receive(MemorySegment datagram, long timeoutNs) {
        byte[] next = pending.poll();
        if (next == null) {
            return 0;
        }
        MemorySegment.copy(MemorySegment.ofArray(next), 0, datagram, 0, next.length);
        return next.length;
    }

    @Override
    public void close() {
        pending.clear();
    }
}

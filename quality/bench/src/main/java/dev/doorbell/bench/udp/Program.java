package dev.doorbell.bench.udp;

import dev.doorbell.bench.Affinity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A program that plays one end, but for the arguments that all of them have in common.
 *
 * @param command its first words
 * @param processors its last word for client and server: where to run
 */
record Program(List<String> command, List<String> processors) {
    private static final List<String> ANYWHERE = List.of("-1", "-1");

    Program {
        command = List.copyOf(command);
        processors = List.copyOf(processors);
    }

    /** {@link UdpPeer} in a JVM like this one. */
    static Program java(Play play, boolean pin) {
        ProcessHandle.Info self = ProcessHandle.current().info();
        String java = self.command().orElse("java");
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(List.of(System.getProperty("doorbell.bench.options", "").split("\n")));
        command.add("dev.doorbell.bench.udp.UdpPeer");
        command.add(play.word());
        return new Program(command, pin ? List.of("0", "1") : ANYWHERE);
    }

    /** The compiled {@code udp.c}. */
    static Program c(Path program, String shape, Optional<Affinity> affinity) {
        List<String> processors = affinity.map(known -> List.of("" + known.cpu(0), "" + known.cpu(1)))
                .orElse(ANYWHERE);
        return new Program(List.of(program.toString(), shape), processors);
    }

    /** All words of one end. */
    List<String> words(Role role, UdpNetwork network, int lane) {
        List<String> words = network.command(role, command);
        words.add(role.word());
        words.add(network.address(lane, role));
        words.add(network.address(lane, role.other()));
        words.add(processors.get(role.ordinal()));
        return words;
    }
}

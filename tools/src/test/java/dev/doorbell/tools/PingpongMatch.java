package dev.doorbell.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Both ends of a ping-pong in this JVM, on the embedded device, once they are through. */
record PingpongMatch(RunningCommand server, RunningCommand client) {
    /** Plays with the same options at both ends. */
    static PingpongMatch play(String program, String options) throws Exception {
        return play(program, options, options);
    }

    static PingpongMatch play(String program, String serverOptions, String clientOptions) throws Exception {
        RunningCommand server = start(program, "0", serverOptions);
        RunningCommand client = start(program, Integer.toString(server.listeningPort()), clientOptions + " 127.0.0.1");
        client.status();
        server.status();
        return new PingpongMatch(server, client);
    }

    private static RunningCommand start(String program, String port, String options) {
        List<String> words = new ArrayList<>(List.of(program, "-d", "soft0", "-p", port));
        words.addAll(Arrays.asList(options.strip().split(" +")));
        return RunningCommand.start(words.toArray(new String[0]));
    }

    PingpongMatch assertSuccess() throws Exception {
        assertThat(List.of(server.err(), client.err())).containsOnly("");
        assertThat(server.status()).as(server.out()).isZero();
        assertThat(client.status()).as(client.out()).isZero();
        return this;
    }

    /** Both ends print the lines that scripts read. */
    void assertResult(long bytes, int iterations) {
        for (RunningCommand end : List.of(server, client)) {
            assertThat(end.out())
                    .containsPattern("(?m)^" + bytes + " bytes in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d Mbit/sec$")
                    .containsPattern(
                            "(?m)^" + iterations + " iters in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d usec/iter$");
        }
    }

    /** The addresses that an end printed, as text behind the title. */
    static List<String> addresses(RunningCommand end, String title) {
        return end.out()
                .lines()
                .filter(line -> line.startsWith(title))
                .map(line -> line.substring(title.length()))
                .toList();
    }
}

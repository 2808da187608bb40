package dev.doorbell.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both ends in this JVM, on the embedded device. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PerfCommandTest {
    private static RunningCommand play(String arguments) throws Exception {
        RunningCommand server = RunningCommand.start("perf", "-d", "soft0", "-p", "0");
        String where = server.awaitOut("listening at (\\S+:\\d+), which is ");
        String address = server.awaitOut(", which is ([0-9.]+) ");
        List<String> words =
                new ArrayList<>(List.of("perf", "-d", "soft0", "-p", where.substring(where.indexOf(':') + 1)));
        words.addAll(Arrays.asList(arguments.split(" ", -1)));
        words.add(address);
        RunningCommand client = RunningCommand.start(words.toArray(new String[0]));
        assertThat(client.status()).as(client.err()).isZero();
        assertThat(server.status()).as(server.err()).isZero();
        return client;
    }

    @ParameterizedTest
    @CsvSource({
        "-n 50 -s 100 send-lat, 100",
        "-n 50 -s 5000 write-lat, 5000",
        "-n 50 read-lat, 2",
        "-n 50 atomic-lat, 8",
        "-n 300 send-bw, 65536",
        "-n 300 -s 1000 -t 7 write-bw, 1000",
        "-n 300 -s 1000 read-bw, 1000",
        "-n 300 atomic-bw, 8",
    })
    void everyOperationIsMeasured(String arguments, int bytes) throws Exception {
        String[] rows = play(arguments).out().split("\n", 2);
        assertThat(rows).hasSize(2);
        assertThat(rows[0]).startsWith(" #bytes     #iterations");
        assertThat(rows[1].stripTrailing()).matches(" " + bytes + " +(50|300) +[0-9.]+( +[0-9.]+)+");
    }

    @Test
    void everySizeHasItsRow() throws Exception {
        assertThat(play("-n 2 -a write-bw").out().lines()).hasSize(21);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "write-bw | needs the address of a server",
                "frobnicate 127.0.0.1 | 'frobnicate' is no operation; there are send-lat, write-lat",
                "-t 129 write-bw 127.0.0.1 | -t is 1 to 128, not '129'",
                "-s 0 write-bw 127.0.0.1 | -s is 1 to 67108864, not '0'",
            })
    void aMistakeGetsASentence(String arguments, String sentence) throws Exception {
        List<String> words = new ArrayList<>(List.of("perf"));
        words.addAll(Arrays.asList(arguments.split(" ", -1)));
        RunningCommand command = RunningCommand.start(words.toArray(new String[0]));
        assertThat(command.status()).isEqualTo(DoorbellCommand.USAGE);
        assertThat(command.err()).contains(sentence);
    }

    @Test
    void aPeerThatIsAnotherProgramIsRefused() throws Exception {
        RunningCommand server = RunningCommand.start("perf", "-d", "soft0", "-p", "0");
        String where = server.awaitOut("listening at (\\S+:\\d+), which is ");
        String address = server.awaitOut(", which is ([0-9.]+) ");
        RunningCommand stranger = RunningCommand.start(
                "rping", "-c", "-a", address, "-p", where.substring(where.indexOf(':') + 1), "--timeout", "5");
        assertThat(stranger.status()).isEqualTo(DoorbellCommand.FAILED);
        assertThat(server.status()).isEqualTo(DoorbellCommand.FAILED);
        assertThat(server.err()).contains("the client is no 'doorbell perf'");
    }
}

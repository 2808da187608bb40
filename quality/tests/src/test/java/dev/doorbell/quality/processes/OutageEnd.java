package dev.doorbell.quality.processes;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.Endpoint;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A program that keeps soft0 open whatever becomes of its network. It does what its standard input says, a word a line, and
 * prints what comes of it; asynchronous events it prints when they come.
 *
 * <pre>
 *   state           STATE ACTIVE, and what the device says of its link
 *   create          ENDPOINT and the text of a new queue pair's endpoint
 *   peer TEXT       CONNECTED to that endpoint
 *   send            DONE and the status of a SEND
 * </pre>
 */
final class OutageEnd {
    private static final int MESSAGES = 16;
    private static final int BYTES = 3000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Context context;
    private final ProtectionDomain domain;
    private final CompletionQueue sends;
    private final CompletionQueue receives;
    private final MemoryRegion memory;
    private @Nullable QueuePair queuePair;

    private OutageEnd(Context context) {
        this.context = context;
        this.domain = context.allocateProtectionDomain();
        this.sends = context.createCompletionQueue(MESSAGES);
        this.receives = context.createCompletionQueue(16 * MESSAGES);
        this.memory = domain.register(Arena.ofAuto().allocate(BYTES), AccessFlag.LOCAL_WRITE);
    }

    /** With the word {@code hold}: holds the port at every address until a line comes. */
    public static void main(String[] words) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        if (words.length > 0) {
            try (DatagramChannel held = DatagramChannel.open().bind(new InetSocketAddress(4791))) {
                print("HELD " + held.getLocalAddress());
                input.readLine();
            }
            return;
        }
        try (Context context = Device.named("soft0").open()) {
            OutageEnd end = new OutageEnd(context);
            Thread.ofPlatform().daemon().start(end::printEvents);
            print("OPEN");
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                end.obey(line);
            }
        }
    }

    private static synchronized void print(String line) {
        System.out.println(line);
    }

    private void printEvents() {
        while (true) {
            Optional<AsyncEvent> event = context.events().await(Duration.ofDays(1));
            event.ifPresent(came -> print("EVENT " + came.type()));
        }
    }

    private void obey(String line) {
        String[] words = line.split(" ", 2);
        switch (words[0]) {
            case "state" ->
                print("STATE " + context.queryPort(1).state() + " "
                        + context.device().properties() + " " + context.device().counters(1));
            case "create" -> {
                QueuePair before = queuePair;
                if (before != null) {
                    before.close();
                }
                QueuePair made = domain.queuePair(sends)
                        .receiveCompletions(receives)
                        .depth(MESSAGES, MESSAGES)
                        .build();
                queuePair = made;
                print("ENDPOINT " + made.endpoint().toText());
            }
            case "peer" -> connect(Endpoint.fromText(words[1]));
            case "send" -> send();
            default -> throw new IllegalArgumentException(line);
        }
    }

    private QueuePair present() {
        QueuePair made = queuePair;
        if (made == null) {
            throw new IllegalStateException("create comes first");
        }
        return made;
    }

    private void connect(Endpoint peer) {
        QueuePair made = present();
        made.connect(
                peer,
                ConnectOptions.defaults().ackTimeout(Duration.ofMillis(250)).retryCount(7));
        for (int index = 0; index < MESSAGES; index++) {
            made.postReceive(index, memory.slice(0, BYTES));
        }
        print("CONNECTED");
    }

    private void send() {
        present().postSend(1, memory.slice(0, BYTES));
        int count = sends.await(1, PATIENCE, completion -> print("DONE " + completion.status()));
        if (count == 0) {
            print("DONE not at all");
        }
    }
}

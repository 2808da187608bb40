import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.Grh;
import java.time.Duration;

/**
 * Datagrams: one queue pair reaches many. A service answers whoever asks, without knowing its clients before. Argument: the
 * device's name.
 */
void main(String... args) {
    var device = args.length > 0 ? Device.named(args[0]) : Device.preferred();
    try (var context = device.open();
            var domain = context.allocateProtectionDomain();
            var arena = domain.arena(AccessFlag.LOCAL_WRITE);
            var questions = context.createCompletionQueue(8);
            var answers = context.createCompletionQueue(8);
            var service = domain.queuePair(questions).type(QueuePairType.UD).depth(2, 2).build();
            var client = domain.queuePair(answers).type(QueuePairType.UD).depth(2, 2).build()) {
        // No peer, no connecting. The Q_Key, which the endpoint carries, keeps strangers out.
        service.activate();
        client.activate();

        // Every received datagram has a header in front of it: 40 bytes more.
        var asked = arena.allocateSlice(Grh.BYTES + 64);
        var answered = arena.allocateSlice(Grh.BYTES + 64);
        service.postReceive(1, asked);
        client.postReceive(2, answered);

        // The client knows the service: an address handle for the way, its number and Q_Key for the door.
        try (var way = domain.createAddressHandle(service.endpoint());
                var batch = client.batch()) {
            batch.send(3).to(way, service.endpoint()).sge(arena.slice(arena.allocateFrom("what time is it?"))).signaled();
            batch.submit();
            answers.awaitSuccess(1, Duration.ofSeconds(5));
        }

        // The service learns who asked from the completion and the header.
        questions.await(1, Duration.ofSeconds(5), question -> {
            IO.println("asked by " + Grh.read(asked).source() + ": " + asked.segment().getString(Grh.BYTES));
            try (var back = domain.createAddressHandle(question.requireSuccess(), asked)) {
                try (var batch = service.batch()) {
                    batch.send(4).to(back, question.sourceQueuePair(), client.endpoint().qkey());
                    batch.sge(arena.slice(arena.allocateFrom("late"))).signaled();
                    batch.submit();
                }
                answers.awaitSuccess(1, Duration.ofSeconds(5));
            }
        });
        IO.println("answer: " + answered.segment().getString(Grh.BYTES));
    }
}

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.Grh;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.QueuePair;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Multicast: one datagram for every member of a group, until it leaves. Argument: the device's name. */
void main(String... args) throws UnknownHostException {
    var device = args.length > 0 ? Device.named(args[0]) : Device.preferred();
    try (var context = device.open();
            var domain = context.allocateProtectionDomain();
            var arena = domain.arena(AccessFlag.LOCAL_WRITE);
            var completions = context.createCompletionQueue(32)) {
        var group = Gid.ofGroup(InetAddress.getByName("239.1.2.3"));
        int qkey = 0x1234;
        List<QueuePair> members = new ArrayList<>();
        List<MemorySlice> inboxes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            var member = domain.queuePair(completions).type(QueuePairType.UD).qkey(qkey).depth(0, 2).build();
            member.activate();
            member.attachMulticast(group);
            members.add(member);
            inboxes.add(arena.allocateSlice(Grh.BYTES + 64));
        }

        try (var sender = domain.queuePair(completions).type(QueuePairType.UD).depth(2, 0).build();
                var everybody = domain.createAddressHandle(group)) {
            sender.activate();
            for (String text : new String[] {"first", "second"}) {
                for (int i = 0; i < members.size(); i++) {
                    members.get(i).postReceive(i, inboxes.get(i));
                }
                try (var batch = sender.batch()) {
                    batch.send(9).to(everybody, AddressHandle.MULTICAST_QUEUE_PAIR, qkey);
                    batch.sge(arena.slice(arena.allocateFrom(text))).signaled();
                    batch.submit();
                }
                int expected = text.equals("first") ? 3 : 2;
                completions.await(1 + expected, Duration.ofSeconds(5), done -> {
                    if (done.requireSuccess().opcode().isReceive()) {
                        IO.println("member " + done.id() + ": " + inboxes.get((int) done.id()).segment().getString(Grh.BYTES));
                    }
                });
                if (text.equals("first")) {
                    members.getFirst().detachMulticast(group);
                }
            }
        } finally {
            members.forEach(QueuePair::close);
        }
    }
}

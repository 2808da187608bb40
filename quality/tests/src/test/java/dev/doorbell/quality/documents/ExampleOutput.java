package dev.doorbell.quality.documents;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the examples print. */
public final class ExampleOutput {
    private ExampleOutput() {}

    /**
     * By example, what its output must contain, in this order.
     *
     * @param device the device that it runs on
     * @param address the IPv4 address of its preferred GID
     */
    public static Map<String, List<String>> on(String device, String address) {
        return new TreeMap<>(Map.of(
                "HelloSend", List.of("RECV 1", "SEND 2", "hello over " + device),
                "RemoteWrite", List.of("row 7: written from afar"),
                "RemoteRead", List.of("0 squared is 0", "700 squared is 490000"),
                "AtomicCounter", List.of("ticket 0", "ticket 10", "ticket 20", "locked", "held by 42"),
                "SharedReceiveServer", List.of("client 0 sent 0", "client 2 sent 1000", "fewer than 6 buffers left: 5"),
                "EventDrivenServer", List.of("served request 0", "served request 4", "5 requests, woken by events"),
                "Datagrams", List.of("asked by ::ffff:" + address + ": what time is it?", "answer: late"),
                "Multicast", List.of("member 0: first", "member 2: first", "member 1: second", "member 2: second"),
                "RevocableWindow",
                        List.of("written while it was open", "given back: true", "REM_ACCESS_ERR", "another key: true"),
                "ErrorHandling",
                        List.of(
                                "refused with EINVAL: asked 1000 elements",
                                "REM_ACCESS_ERR",
                                "WR_FLUSH_ERR",
                                "client: ERROR, server: ERROR",
                                "connected again")));
    }
}

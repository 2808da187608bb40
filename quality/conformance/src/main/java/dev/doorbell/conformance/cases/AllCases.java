package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.ConformanceCase;
import java.util.List;
import java.util.stream.Stream;

/** All cases, in the order of the document. A new class of cases gets a line here. */
public final class AllCases {
    private AllCases() {}

    /** The cases. */
    public static List<ConformanceCase> list() {
        return Stream.of(
                        DeviceCases.cases(),
                        ContextCases.cases(),
                        DeviceFailureCases.cases(),
                        DomainCases.cases(),
                        RegionCases.cases(),
                        CompletionQueueCases.cases(),
                        QueuePairCases.cases(),
                        TransitionCases.cases(),
                        RcMessages.cases(),
                        RcSizes.cases(),
                        RcInline.cases(),
                        RcSinglePosts.cases(),
                        RcPosting.cases(),
                        RcRefused.cases(),
                        RcAtomics.cases(),
                        PlacementCases.cases(),
                        ClockCases.cases(),
                        WindowCases.cases(),
                        ReregistrationCases.cases(),
                        RcErrors.cases(),
                        RcConnections.cases(),
                        RcRetries.cases(),
                        RcFlush.cases(),
                        RcOrder.cases(),
                        RcFaults.cases(),
                        RcDraining.cases(),
                        SendQueueErrorCases.cases(),
                        CompletionRoomCases.cases(),
                        SharedReceiveCases.cases(),
                        ChannelCases.cases(),
                        AsyncEventCases.cases(),
                        UcMessages.cases(),
                        UcErrors.cases(),
                        AddressCases.cases(),
                        UdMessages.cases(),
                        UdErrors.cases(),
                        UdQueues.cases(),
                        MulticastCases.cases(),
                        CmConnectionCases.cases(),
                        CmLifeCases.cases(),
                        CmDatagramCases.cases())
                .flatMap(List::stream)
                .toList();
    }

    /**
     * The case with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static ConformanceCase named(String name) {
        return list().stream()
                .filter(test -> test.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no case is named " + name));
    }
}

package dev.doorbell.verbs.uverbs;

import dev.doorbell.kernel.abi.AhAttributes;
import dev.doorbell.verbs.AddressVector;
import java.lang.foreign.MemorySegment;

/** Where datagrams go, as CREATE_AH carries it. */
public final class AddressFields {
    private AddressFields() {}

    /** Writes all fields of an address, as CREATE_AH carries them. */
    public static void write(MemorySegment in, long at, AddressVector address) {
        AhAttributes.setDgid(in, at, address.destination());
        AhAttributes.setFlowLabel(in, at, address.flowLabel());
        AhAttributes.setSgidIndex(in, at, address.sourceGidIndex());
        AhAttributes.setHopLimit(in, at, address.hopLimit());
        AhAttributes.setTrafficClass(in, at, address.trafficClass());
        AhAttributes.setDlid(in, at, address.destinationLid());
        AhAttributes.setSl(in, at, address.serviceLevel());
        AhAttributes.setIsGlobal(in, at, address.isGlobal() ? 1 : 0);
        AhAttributes.setPortNum(in, at, address.port());
        AhAttributes.setSrcPathBits(in, at, address.sourcePathBits());
        AhAttributes.setStaticRate(in, at, address.rate().code());
    }
}

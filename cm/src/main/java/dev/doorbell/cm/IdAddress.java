package dev.doorbell.cm;

import dev.doorbell.kernel.abi.CmQueryAddrResponse;
import dev.doorbell.kernel.abi.Sockaddr;
import dev.doorbell.spec.Guid;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel knows of an identifier's ends.
 *
 * @param local own address; null if it is not bound
 * @param peer address of the peer; null if there is none
 * @param device node GUID of the device; null while there is none
 * @param port the device's port
 */
record IdAddress(
        @Nullable InetSocketAddress local,
        @Nullable InetSocketAddress peer,
        @Nullable Guid device,
        int port) {
    static final IdAddress NONE = new IdAddress(null, null, null, 0);

    static IdAddress read(MemorySegment answer) {
        Guid guid = CmQueryAddrResponse.nodeGuid(answer, 0);
        int port = CmQueryAddrResponse.portNum(answer, 0);
        boolean bound = port != 0 || guid.value() != 0;
        return new IdAddress(
                CmQueryAddrResponse.srcSize(answer, 0) == 0 ? null : Sockaddr.get(answer, CmQueryAddrResponse.SRC_ADDR),
                CmQueryAddrResponse.dstSize(answer, 0) == 0 ? null : Sockaddr.get(answer, CmQueryAddrResponse.DST_ADDR),
                bound ? guid : null,
                port);
    }
}

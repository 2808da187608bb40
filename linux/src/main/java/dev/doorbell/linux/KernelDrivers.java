package dev.doorbell.linux;

import dev.doorbell.kernel.abi.DriverId;
import java.util.Map;

/**
 * Which kernel driver runs a device, as far as sysfs tells. The kernel says it exactly over netlink only; sysfs has the
 * name of the bus driver under the device, and software devices have no bus device: rxe describes its nodes as
 * {@code rxe}, and both software drivers' devices are usually named after them.
 */
final class KernelDrivers {
    private static final Map<String, Integer> BUS_DRIVERS = Map.ofEntries(
            Map.entry("mlx5_core", DriverId.MLX5),
            Map.entry("mlx4_core", DriverId.MLX4),
            Map.entry("cxgb4", DriverId.CXGB4),
            Map.entry("ib_mthca", DriverId.MTHCA),
            Map.entry("bnxt_en", DriverId.BNXT_RE),
            Map.entry("be2net", DriverId.OCRDMA),
            Map.entry("i40e", DriverId.IRDMA),
            Map.entry("ice", DriverId.IRDMA),
            Map.entry("idpf", DriverId.IRDMA),
            Map.entry("vmw_pvrdma", DriverId.VMW_PVRDMA),
            Map.entry("qede", DriverId.QEDR),
            Map.entry("hns3", DriverId.HNS),
            Map.entry("enic", DriverId.USNIC),
            Map.entry("hfi1", DriverId.HFI1),
            Map.entry("ib_qib", DriverId.QIB),
            Map.entry("efa", DriverId.EFA),
            Map.entry("erdma", DriverId.ERDMA),
            Map.entry("mana", DriverId.MANA),
            Map.entry("ionic", DriverId.IONIC));

    private KernelDrivers() {}

    /** The driver's id; {@link DriverId#UNKNOWN} if nothing gives it away. */
    static int id(String deviceName, String busDriver, String nodeDescription) {
        if (!busDriver.isEmpty()) {
            return BUS_DRIVERS.getOrDefault(busDriver, DriverId.UNKNOWN);
        }
        if (nodeDescription.equals("rxe") || deviceName.startsWith("rxe")) {
            return DriverId.RXE;
        }
        return deviceName.startsWith("siw") ? DriverId.SIW : DriverId.UNKNOWN;
    }
}

package dev.doorbell.tools;

import dev.doorbell.spec.AtomicCapability;
import dev.doorbell.spec.DeviceCapability;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.PortPhysicalState;
import dev.doorbell.verbs.Capability;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.DeviceAttributes;
import dev.doorbell.verbs.PortAttributes;
import java.io.PrintStream;
import java.util.Set;
import java.util.TreeMap;

/** Prints an open device as {@code ibv_devinfo} does: names on the left, values on the right. */
final class DeviceReport {
    private static final String FLAG = " ".repeat(25);

    private final Context context;
    private final PrintStream out;

    DeviceReport(Context context, PrintStream out) {
        this.context = context;
        this.out = out;
    }

    /**
     * Prints the device.
     *
     * @param port the only port to print, or 0 for all
     */
    void print(int port, boolean verbose) {
        Device device = context.device();
        if (port != 0) {
            // Refuses a port that is not there before anything is printed.
            context.queryPort(port);
        }
        DeviceAttributes attributes = context.query();
        out.println("device " + device.name());
        printIdentity(device, attributes);
        new TreeMap<>(device.properties()).forEach((name, value) -> line(name.replace(' ', '_'), value));
        if (verbose) {
            printLimits(attributes);
        }
        if (port == 0) {
            for (int each = 1; each <= device.ports(); each++) {
                printPort(each, verbose);
            }
        } else {
            printPort(port, verbose);
        }
        if (verbose) {
            printCapabilities();
            printOperations();
        }
        out.println();
    }

    private void printIdentity(Device device, DeviceAttributes attributes) {
        line("kernel", device.kernel());
        line("driver", context.driver());
        device.driverRemark().ifPresent(remark -> line("driver_remark", remark));
        line("driver_abi", context.driverAbi());
        line("core_abi", context.coreAbi());
        line("command_file", context.commandFile());
        line("async_file", context.asyncFile());
        line("completion_vectors", context.completionVectors());
        line("fw_ver", attributes.firmwareVersion());
        line("node_guid", attributes.nodeGuid());
        line("sys_image_guid", attributes.systemImageGuid());
        line("vendor_id", "0x%04x".formatted(attributes.vendorId()));
        line("vendor_part_id", attributes.vendorPartId());
        line("hw_ver", "0x%X".formatted(attributes.hardwareVersion()));
        line("phys_port_cnt", attributes.ports());
    }

    private void printLimits(DeviceAttributes attributes) {
        line("max_mr_size", "0x%x".formatted(attributes.maxRegionSize()));
        line("page_size_cap", "0x%x".formatted(attributes.pageSizes()));
        line("max_qp", attributes.maxQueuePairs());
        line("max_qp_wr", attributes.maxWorkRequests());
        line("device_cap_flags", "0x%08x".formatted(attributes.capabilities()));
        DeviceCapability.set(attributes.capabilities()).forEach(flag -> print(FLAG, flag.name()));
        long unnamed = DeviceCapability.unnamed(attributes.capabilities());
        if (unnamed != 0) {
            print(FLAG, "unknown: 0x%x".formatted(unnamed));
        }
        line("max_sge", attributes.maxSge());
        line("max_sge_rd", attributes.maxReadSge());
        line("max_cq", attributes.maxCompletionQueues());
        line("max_cqe", attributes.maxCompletions());
        line("max_mr", attributes.maxRegions());
        line("max_pd", attributes.maxProtectionDomains());
        line("max_qp_rd_atom", attributes.maxReadAtomicPerQueuePair());
        line("max_res_rd_atom", attributes.maxReadAtomicResources());
        line("max_qp_init_rd_atom", attributes.maxInitiatedReadAtomicPerQueuePair());
        line("atomic_cap", atomic(attributes.atomicCapability()));
        line("max_mw", attributes.maxWindows());
        line("max_mcast_grp", attributes.maxMulticastGroups());
        line("max_mcast_qp_attach", attributes.maxMulticastQueuePairs());
        line("max_ah", attributes.maxAddressHandles());
        line("max_srq", attributes.maxSharedReceiveQueues());
        line("max_srq_wr", attributes.maxSharedReceiveRequests());
        line("max_srq_sge", attributes.maxSharedReceiveSge());
        line("max_pkeys", attributes.maxPkeys());
        line("local_ca_ack_delay", attributes.localAckDelay());
    }

    private static String atomic(int code) {
        for (AtomicCapability capability : AtomicCapability.values()) {
            if (capability.code() == code) {
                return "ATOMIC_" + capability + " (" + code + ")";
            }
        }
        return "unknown (" + code + ")";
    }

    private void printPort(int number, boolean verbose) {
        PortAttributes port = context.queryPort(number);
        line("port", number);
        portLine("state", "PORT_" + port.state() + " (" + port.state().code() + ")");
        portLine("max_mtu", port.maxMtu() + " (" + port.maxMtu().code() + ")");
        portLine("active_mtu", port.activeMtu() + " (" + port.activeMtu().code() + ")");
        portLine("sm_lid", port.subnetManagerLid());
        portLine("port_lid", port.lid());
        portLine("port_lmc", "0x%02x".formatted(port.lidMaskControl()));
        portLine("link_layer", port.linkLayer());
        if (verbose) {
            portLine("max_msg_sz", "0x%x".formatted(port.maxMessageSize()));
            portLine("port_cap_flags", "0x%08x".formatted(port.capabilityFlags()));
            portLine("pkey_tbl_len", port.pkeyTableLength());
            portLine("gid_tbl_len", port.gidTableLength());
            portLine("active_width", width(port.activeWidth()) + " (" + port.activeWidth() + ")");
            portLine("active_speed", speed(port.activeSpeed()) + " (" + port.activeSpeed() + ")");
            portLine(
                    "phys_state",
                    PortPhysicalState.of(port.physicalState()).label() + " (" + port.physicalState() + ")");
            portLine("pkey[0]", "0x%04x".formatted(context.pkey(number, 0)));
            for (GidEntry entry : context.gids(number)) {
                String netDevice = entry.netDevice().isEmpty() ? "no net device here" : entry.netDevice();
                portLine("GID[" + entry.index() + "]", entry.gid() + ", " + entry.type() + ", " + netDevice);
            }
            portLine("counters", "");
            new TreeMap<>(context.device().counters(number))
                    .forEach((name, value) -> print("            ", name, value));
        }
    }

    private static String width(int code) {
        return switch (code) {
            case 1 -> "1X";
            case 2 -> "4X";
            case 4 -> "8X";
            case 8 -> "12X";
            case 16 -> "2X";
            default -> "unknown";
        };
    }

    /** Of one lane. */
    private static String speed(int code) {
        return switch (code) {
            case 1 -> "2.5 Gbps";
            case 2 -> "5.0 Gbps";
            case 4, 8 -> "10.0 Gbps";
            case 16 -> "14.0 Gbps";
            case 32 -> "25.0 Gbps";
            case 64 -> "50.0 Gbps";
            case 128 -> "100.0 Gbps";
            case 256 -> "200.0 Gbps";
            default -> "unknown";
        };
    }

    private void printCapabilities() {
        line("capabilities", "");
        Set<Capability> offered = context.capabilities();
        for (Capability capability : Capability.values()) {
            portLine(capability.name(), offered.contains(capability) ? "yes" : "no");
        }
    }

    private void printOperations() {
        line("operations", "");
        context.operations().forEach(this::portLine);
    }

    private void line(String name, Object value) {
        print("    ", name, value);
    }

    private void portLine(String name, Object value) {
        print("        ", name, value);
    }

    private void print(String indent, String value) {
        out.println(indent + value);
    }

    private void print(String indent, String name, Object value) {
        out.println("%s%-20s %s".formatted(indent, name + ':', value).stripTrailing());
    }
}

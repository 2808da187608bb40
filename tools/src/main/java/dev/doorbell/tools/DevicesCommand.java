package dev.doorbell.tools;

import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.io.PrintStream;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code doorbell devices}: the list, in the spirit of ibv_devices(1). */
final class DevicesCommand implements Subcommand {
    @Override
    public String name() {
        return "devices";
    }

    @Override
    public String summary() {
        return "list the devices";
    }

    @Override
    public String description() {
        return """
               Lists every device, the one that is preferred first. A device that cannot be used here is
               listed with the reason. Where several drivers can drive a device, the one that does comes first;
               DOORBELL_DRIVER=libibverbs or DOORBELL_DRIVER=rxe0=libibverbs chooses another. Nothing is
               opened. Exit code 1 if no device can be used.""";
    }

    @Override
    public Options options() {
        return new Options();
    }

    @Override
    public int run(CommandLine line, PrintStream out) {
        List<Device> devices = Device.list();
        Columns table = new Columns()
                .text("device")
                .text("node GUID")
                .text("kernel")
                .text("driver")
                .text("node");
        for (Device device : devices) {
            table.row(
                    device.name(),
                    device.nodeGuid().toHex(),
                    device.kernel(),
                    device.drivers().isEmpty() ? "-" : String.join(", ", device.drivers()),
                    device.node());
        }
        if (!table.isEmpty()) {
            table.print(out);
        }
        for (Device device : devices) {
            device.obstacle().ifPresent(reason -> out.println("  " + device.name() + " cannot be used: " + reason));
        }
        if (devices.stream().noneMatch(Device::isUsable)) {
            out.println("  no device can be used");
            DeviceCatalog.current().absences().forEach(reason -> out.println("  " + reason));
            return DoorbellCommand.FAILED;
        }
        return DoorbellCommand.OK;
    }
}

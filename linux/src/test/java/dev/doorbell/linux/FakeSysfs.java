package dev.doorbell.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A sysfs and a /dev/infiniband in a folder, filled by a test. */
record FakeSysfs(Path root, Path nodes) {
    static FakeSysfs in(Path folder) throws IOException {
        FakeSysfs fake = new FakeSysfs(folder.resolve("sys"), folder.resolve("infiniband"));
        Files.createDirectories(fake.root);
        Files.createDirectories(fake.nodes);
        fake.put("class/infiniband_verbs/abi_version", "6");
        return fake;
    }

    FakeSysfs put(String attribute, String text) throws IOException {
        Path file = root.resolve(attribute);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, text + "\n");
        return this;
    }

    FakeSysfs link(String name, String target) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        Files.createSymbolicLink(file, Path.of(target));
        return this;
    }

    FakeSysfs device(int number, String name) throws IOException {
        put("class/infiniband_verbs/uverbs" + number + "/ibdev", name);
        put("class/infiniband_verbs/uverbs" + number + "/abi_version", "2");
        put("class/infiniband_verbs/uverbs" + number + "/dev", "231:" + (192 + number));
        put("class/infiniband/" + name + "/node_guid", "6c39:35ff:fe33:0e9a");
        put("class/infiniband/" + name + "/node_type", "1: CA");
        return port(name, 1);
    }

    FakeSysfs port(String name, int port) throws IOException {
        put("class/infiniband/" + name + "/ports/" + port + "/link_layer", "Ethernet");
        put("class/infiniband/" + name + "/ports/" + port + "/pkeys/0", "0xffff");
        return this;
    }

    FakeSysfs gid(String name, int index, String gid, String type, String netDevice) throws IOException {
        String port = "class/infiniband/" + name + "/ports/1/";
        put(port + "gids/" + index, gid);
        put(port + "gid_attrs/types/" + index, type);
        return put(port + "gid_attrs/ndevs/" + index, netDevice);
    }

    /** A slot that the kernel shows, with nothing in it: its attributes cannot be read. */
    FakeSysfs emptyGid(String name, int index) throws IOException {
        return put("class/infiniband/" + name + "/ports/1/gids/" + index, "0000:0000:0000:0000:0000:0000:0000:0000");
    }

    FakeSysfs node(int number) throws IOException {
        Files.createFile(nodes.resolve("uverbs" + number));
        return this;
    }
}

package dev.doorbell.libibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import dev.doorbell.spec.Guid;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The library of src/test/c/stub.c, compiled once, and its device with the tables that an operating system would have. */
final class Stub {
    private static final Path SOURCE = Path.of("src/test/c/stub.c");
    private static final Path LIBRARY = Path.of("target/stub/libibverbs-stub.so");

    // Guarded by the class.
    private static boolean compiled;

    private Stub() {}

    /** The compiled library; skips the test where there is nothing to compile it with. */
    static synchronized Path library() {
        Path library = LIBRARY.toAbsolutePath();
        assumeTrue(
                Files.exists(Path.of("/usr/include/infiniband/verbs.h")),
                "libibverbs and its headers are not installed (package libibverbs-dev)");
        if (!compiled) {
            compile(SOURCE, library, "-shared", "-fPIC");
            compiled = true;
        }
        return library;
    }

    /** Compiles; skips the test where there is no compiler. */
    static void compile(Path source, Path result, String... options) {
        try {
            Files.createDirectories(result.getParent());
            Path output = result.resolveSibling("compiler.log");
            List<String> command = new ArrayList<>(List.of("cc", "-O2", "-Wall"));
            command.addAll(List.of(options));
            command.addAll(List.of("-o", result.toString(), source.toString(), "-lpthread"));
            Process compiler = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            assertThat(compiler.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(compiler.exitValue()).as(Files.readString(output)).isZero();
        } catch (IOException e) {
            assumeTrue(false, "no C compiler (cc) on the PATH");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A catalogue with the stub's device alone. */
    static DeviceCatalog catalog() {
        String library = library().toString();
        return DeviceCatalog.of(
                List.of(new LibraryKernel(() -> LibrarySettings.of(library), new StubSystem())),
                List.of(new LibraryProvider()));
    }

    static Device device() {
        return catalog().devices().getFirst();
    }

    /** A variable of the library, such as {@code stub_objects}. */
    static int value(String name) {
        return variable(name).get(ValueLayout.JAVA_INT, 0);
    }

    static void set(String name, int value) {
        variable(name).set(ValueLayout.JAVA_INT, 0, value);
    }

    private static MemorySegment variable(String name) {
        return SymbolLookup.libraryLookup(library(), Arena.global())
                .findOrThrow(name)
                .reinterpret(Integer.BYTES);
    }

    /** An operating system that has the stub's device. */
    static final class StubSystem implements Kernel {
        @Override
        public String name() {
            return "tests";
        }

        @Override
        public List<KernelDevice> devices() {
            return List.of(new SystemDevice());
        }
    }

    private static final class SystemDevice implements KernelDevice {
        @Override
        public String name() {
            return "stub0";
        }

        @Override
        public Guid nodeGuid() {
            return new Guid(1);
        }

        @Override
        public int ports() {
            return 1;
        }

        @Override
        public int driverId() {
            return 0;
        }

        @Override
        public int driverAbi() {
            return 1;
        }

        @Override
        public int coreAbi() {
            return 6;
        }

        @Override
        public String modalias() {
            return "";
        }

        /** The file that the stub opens in place of a node. */
        @Override
        public String node() {
            return "/dev/null";
        }

        @Override
        public Optional<String> obstacle() {
            return Optional.empty();
        }

        @Override
        public List<GidEntry> gids(int port) {
            return List.of(new GidEntry(1, 0, Gid.ofIpv4(0x0a000001), GidType.ROCE_V2, "lo"));
        }

        @Override
        public int pkey(int port, int index) {
            return index == 0 ? 0xffff : 0;
        }

        @Override
        public Map<String, String> properties() {
            return Map.of();
        }

        @Override
        public CommandChannel open() {
            throw new UnsupportedOperationException("the library opens it");
        }
    }
}

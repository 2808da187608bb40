package dev.doorbell.conformance;

import dev.doorbell.verbs.Device;
import java.util.Map;
import java.util.function.Supplier;

/** Where the suite runs. */
public interface Fabric {
    /** A name for files and test names, such as {@code embedded-direct}. */
    String name();

    /** What people call it; one line. */
    String title();

    /** Who is behind its devices. */
    FabricKind kind();

    /** What it does not have, each with the reason. What is not here has to work. */
    Map<Capability, String> lacks();

    /** How many times longer than it says a case may take here: an emulated machine is slow. */
    default int patience() {
        return 1;
    }

    /** Makes it ready for one case. */
    Session join();

    /** The fabric during one case. */
    interface Session extends AutoCloseable {
        /** The device of side A. */
        Device a();

        /** The device of side B; may be the same. */
        Device b();

        /** Runs what opens something by kernel and not by device, with that kernel. */
        default <T> T onItsKernel(Supplier<T> program) {
            return program.get();
        }

        /**
         * What can go wrong between the devices.
         *
         * @throws UnsupportedOperationException without {@link Capability#FAULTS}
         */
        default LinkFaults faults() {
            throw new UnsupportedOperationException("this fabric has no faults");
        }

        /**
         * Breaks the device of side B for good.
         *
         * @throws UnsupportedOperationException without {@link Capability#DEVICE_FAILURE}
         */
        default void failB() {
            throw new UnsupportedOperationException("the devices of this fabric do not fail at will");
        }

        /**
         * Ends it, after all contexts were closed.
         *
         * @throws IllegalStateException if something is left on the devices, where that can be seen
         */
        @Override
        void close();
    }
}

package dev.doorbell.linux.syscall;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import java.util.function.IntSupplier;

/** What a JVM says that was not started to call native code. */
public final class NativeAccess {
    private NativeAccess() {}

    /**
     * Makes a system call that may be the first of all.
     *
     * @throws KernelException EPERM, with the option that the JVM needs
     */
    public static int first(String operation, IntSupplier call) {
        try {
            return call.getAsInt();
        } catch (IllegalCallerException | ExceptionInInitializerError | NoClassDefFoundError e) {
            throw new KernelException(
                    Errno.EPERM,
                    operation + ": this JVM may not make system calls; start it with --enable-native-access="
                            + caller());
        }
    }

    /** Whether the JVM was started to let this module call native code, so that it does so without a warning. */
    public static boolean isGranted() {
        return NativeAccess.class.getModule().isNativeAccessEnabled();
    }

    private static String caller() {
        Module module = NativeAccess.class.getModule();
        return module.isNamed() ? module.getName() : "ALL-UNNAMED";
    }
}

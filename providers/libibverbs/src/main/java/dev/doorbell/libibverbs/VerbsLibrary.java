package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.memory.Host;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The loaded library: its exported functions, for the control path. Arguments and results are plain numbers; the caller keeps
 * the memory behind an address alive until the call returns.
 *
 * <p>A library is loaded once for each name and stays loaded. What it lacks is said once, by {@link Loaded#complaint()}.
 *
 * <p>Thread rules: any thread, as the library itself.
 */
final class VerbsLibrary {
    private static final int OLDEST = 44;
    private static final ThreadLocal<MemorySegment> CAPTURED =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Linker.Option.captureStateLayout()));

    // Guarded by the class.
    private static @Nullable Loaded last;

    private final String name;
    private final Map<Function, MethodHandle> functions;

    private VerbsLibrary(String name, Map<Function, MethodHandle> functions) {
        this.name = name;
        this.functions = functions;
    }

    /**
     * What came of loading a library.
     *
     * @param name what was asked for
     * @param library the library, or null
     * @param complaint why there is none, with the remedy; empty if there is
     */
    record Loaded(String name, @Nullable VerbsLibrary library, String complaint) {
        Optional<VerbsLibrary> get() {
            return Optional.ofNullable(library);
        }
    }

    /** Loads it, or says what came of that before. */
    static synchronized Loaded load(String name) {
        Loaded known = last;
        if (known == null || !known.name().equals(name)) {
            known = loadNow(name);
            last = known;
        }
        return known;
    }

    private static Loaded loadNow(String name) {
        if (!VerbsLibrary.class.getModule().isNativeAccessEnabled()) {
            return new Loaded(
                    name, null, "this JVM may not call " + name + "; start it with --enable-native-access=" + caller());
        }
        SymbolLookup symbols;
        try {
            // It is never unloaded: its drivers, which it loads itself, could not follow.
            symbols = SymbolLookup.libraryLookup(name, Arena.global());
        } catch (IllegalArgumentException e) {
            return new Loaded(name, null, "there is no " + name + " here; install rdma-core (package libibverbs1)");
        }
        Map<Function, MethodHandle> functions = new EnumMap<>(Function.class);
        for (Function function : Function.values()) {
            Optional<MemorySegment> symbol = symbols.find(function.symbol());
            if (symbol.isEmpty()) {
                return new Loaded(
                        name,
                        null,
                        name + " has no " + function.symbol() + ": rdma-core " + OLDEST + " or newer is needed");
            }
            functions.put(
                    function,
                    Linker.nativeLinker()
                            .downcallHandle(
                                    symbol.get(), function.descriptor(), Linker.Option.captureCallState("errno")));
        }
        return new Loaded(name, new VerbsLibrary(name, functions), "");
    }

    private static String caller() {
        Module module = VerbsLibrary.class.getModule();
        return module.isNamed() ? module.getName() : "ALL-UNNAMED";
    }

    /** What was loaded. */
    String name() {
        return name;
    }

    /**
     * Calls a function that makes something.
     *
     * @return the pointer to it
     * @throws VerbsFault with the errno that it left
     */
    long make(Function function, Object... arguments) {
        long pointer = pointer(function, arguments);
        if (pointer == 0) {
            throw new VerbsFault(errno(), function.name());
        }
        return pointer;
    }

    /** Calls a function that returns a pointer; 0 leaves {@link #errno()}. */
    long pointer(Function function, Object... arguments) {
        return (long) call(function, arguments);
    }

    /** Calls a function that returns 0 or a positive errno. */
    void check(Function function, Object... arguments) {
        int errno = number(function, arguments);
        if (errno != 0) {
            throw new VerbsFault(errno < 0 ? errno() : errno, function.name());
        }
    }

    /** Calls a function that returns a number, or -1 and leaves {@link #errno()}. */
    int number(Function function, Object... arguments) {
        return (int) call(function, arguments);
    }

    /** Calls a function that returns nothing. */
    void run(Function function, Object... arguments) {
        call(function, arguments);
    }

    private Object call(Function function, Object... arguments) {
        Object[] all = new Object[arguments.length + 1];
        all[0] = CAPTURED.get();
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        try {
            Object result = function(function).invokeWithArguments(all);
            return result == null ? 0 : result;
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private MethodHandle function(Function function) {
        MethodHandle handle = functions.get(function);
        if (handle == null) {
            throw new KernelException(Errno.ENOSYS, name + " has no " + function.symbol());
        }
        return handle;
    }

    /** What the last call of this thread left in errno; EIO if it left nothing. */
    int errno() {
        int errno = Host.getInt(CAPTURED.get(), 0);
        return errno == 0 ? Errno.EIO : errno;
    }

    /** Method handles declare every exception; what can really come is an error of the machine. */
    static RuntimeException unexpected(Throwable t) {
        if (t instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a native function cannot throw", t);
    }
}

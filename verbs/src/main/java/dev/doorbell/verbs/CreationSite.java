package dev.doorbell.verbs;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Where a program created an object, for the report of those that it lost. Remembering costs a microsecond or so: the first
 * frame outside this package, which is put into words only when it is reported. With {@code -Ddoorbell.leaks=full} the whole
 * stack is kept instead.
 */
final class CreationSite {
    private static final boolean FULL = "full".equals(System.getProperty("doorbell.leaks"));
    private static final String PACKAGE = CreationSite.class.getPackageName() + '.';
    private static final StackWalker WALKER = StackWalker.getInstance();

    private final List<StackWalker.StackFrame> frames;

    private CreationSite(List<StackWalker.StackFrame> frames) {
        this.frames = frames;
    }

    static CreationSite here() {
        return new CreationSite(WALKER.walk(frames -> {
            var outside = frames.dropWhile(frame -> isInner(frame.getClassName()));
            return FULL ? outside.toList() : outside.limit(1).toList();
        }));
    }

    private static boolean isInner(String className) {
        return className.startsWith(PACKAGE) || className.startsWith("java.");
    }

    @Override
    public String toString() {
        return frames.stream()
                .map(frame -> frame.toStackTraceElement().toString())
                .collect(Collectors.joining("\n\tat "));
    }
}

package dev.doorbell.verbs;

/**
 * Where a program created an object, for the report of those that it lost. Remembering costs a microsecond or two: the
 * first frame outside this package. With {@code -Ddoorbell.leaks=full} the whole stack is kept instead.
 */
final class CreationSite {
    private static final boolean FULL = "full".equals(System.getProperty("doorbell.leaks"));
    private static final String PACKAGE = CreationSite.class.getPackageName() + '.';
    private static final StackWalker WALKER = StackWalker.getInstance();

    private CreationSite() {}

    static String here() {
        return WALKER.walk(frames -> {
            var outside = frames.dropWhile(frame -> isInner(frame.getClassName()))
                    .map(StackWalker.StackFrame::toStackTraceElement)
                    .map(StackTraceElement::toString);
            return String.join(
                    "\n\tat ", FULL ? outside.toList() : outside.limit(1).toList());
        });
    }

    private static boolean isInner(String className) {
        return className.startsWith(PACKAGE) || className.startsWith("java.");
    }
}

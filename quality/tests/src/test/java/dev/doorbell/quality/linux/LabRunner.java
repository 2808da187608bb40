package dev.doorbell.quality.linux;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.Filter;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the lab's tests in this JVM: a line a test, then {@code N passed, N failed, N skipped}. A guest is slow, so this
 * does without forks and reports. The environment variable {@code LAB_TESTS} is a regular expression for the classes to
 * run, such as {@code .*TwoKernels.*}.
 *
 * <p>All of it is run once for each way in which commands travel to the kernel, or for those that the environment
 * variable {@code LAB_CARRIERS} names; those with the tag {@code once} only for the first of them.
 */
final class LabRunner implements TestExecutionListener {
    private final PrintStream out;
    private long start;
    private int passed;
    private int failed;
    private int skipped;

    private LabRunner(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] arguments) {
        LabRunner runner = new LabRunner(System.out);
        String carriers = System.getenv().getOrDefault("LAB_CARRIERS", "ioctl write");
        List<Filter<?>> tags =
                new ArrayList<>(List.of(TagFilter.includeTags(System.getenv().getOrDefault("LAB_TAG", "lab"))));
        for (String carrier : carriers.split(" ", -1)) {
            System.out.println(" commands by " + carrier);
            System.setProperty("doorbell.linux.carrier", carrier);
            runAll(runner, tags);
            tags.add(TagFilter.excludeTags("once"));
        }
        System.out.printf("%d passed, %d failed, %d skipped%n", runner.passed, runner.failed, runner.skipped);
        System.exit(runner.failed == 0 && runner.passed > 0 ? 0 : 1);
    }

    private static void runAll(LabRunner runner, List<Filter<?>> tags) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectPackage(LabRunner.class.getPackageName()))
                .filters(tags.toArray(new Filter<?>[0]))
                .filters(ClassNameFilter.includeClassNamePatterns(
                        System.getenv().getOrDefault("LAB_TESTS", ClassNameFilter.STANDARD_INCLUDE_PATTERN)))
                .build();
        LauncherFactory.create().execute(request, runner);
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        start = System.nanoTime();
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        skipped++;
        out.println("  skipped " + name(test) + ": " + reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (test.isTest()) {
                    passed++;
                    out.printf("  passed  %s (%d ms)%n", name(test), (System.nanoTime() - start) / 1_000_000);
                }
            }
            case ABORTED -> {
                skipped++;
                out.println("  skipped " + name(test) + ": "
                        + result.getThrowable().map(Throwable::getMessage).orElse(""));
            }
            case FAILED -> {
                failed++;
                out.println("  FAILED  " + name(test));
                result.getThrowable().ifPresent(thrown -> thrown.printStackTrace(out));
            }
        }
    }

    private static String name(TestIdentifier test) {
        return test.getUniqueId()
                .replaceAll(".*\\[class:[\\w.]*\\.(\\w+)]", "$1")
                .replaceAll("/\\[[\\w-]+:(.*?)]", ".$1");
    }
}

package dev.doorbell.conformance;

import java.nio.file.Path;

/** Where the source tree is. */
public final class ProjectTree {
    private ProjectTree() {}

    /** The project's root; Maven names the module's folder, in which tests run elsewhere too. */
    public static Path root() {
        return Path.of(System.getProperty("basedir", ""))
                .toAbsolutePath()
                .resolve("../..")
                .normalize();
    }
}

package dev.doorbell.quality;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the source tree is, for tests that read documents or other folders' classes. */
public final class ProjectTree {
    private ProjectTree() {}

    /** The project's root, found from the folder that the tests run in. */
    public static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("ARCHITECTURE.md"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("these tests run inside the source tree");
        }
        return folder;
    }
}

package dev.doorbell.quality.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.doorbell.quality.ProjectTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The classes that the rules look at, read once. */
final class ProductClasses {
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.doorbell");

    private ProductClasses() {}

    /** Everything that is shipped, tools and examples included; no tests. */
    static JavaClasses product() {
        return PRODUCT;
    }

    /** The test classes of all modules that were built before this one. */
    static JavaClasses tests() {
        return new ClassFileImporter().importPaths(testFolders());
    }

    /** Libraries: what runs inside a user's program. */
    static DescribedPredicate<JavaClass> libraries() {
        return JavaClass.Predicates.resideInAPackage("dev.doorbell..")
                .and(DescribedPredicate.not(JavaClass.Predicates.resideInAnyPackage(
                        "dev.doorbell.tools..",
                        "dev.doorbell.examples..",
                        "dev.doorbell.conformance..",
                        "dev.doorbell.quality..")))
                .as("library classes");
    }

    private static List<Path> testFolders() {
        try (Stream<Path> folders = Files.find(
                ProjectTree.root(),
                4,
                (path, attributes) -> attributes.isDirectory() && path.endsWith("target/test-classes"))) {
            return folders.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

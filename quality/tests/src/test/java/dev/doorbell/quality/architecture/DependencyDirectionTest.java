package dev.doorbell.quality.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The arrows between the folders: ARCHITECTURE.md's table, enforced. */
final class DependencyDirectionTest {
    private static final DescribedPredicate<JavaClass> PROJECT = resideInAPackage("dev.doorbell..");

    @ParameterizedTest
    @FieldSource("dev.doorbell.quality.architecture.Folder#ALL")
    void aFolderUsesOnlyWhatItsRowInTheTableAllows(Folder folder) {
        noClasses()
                .that(folder.classes())
                .should()
                .dependOnClassesThat(
                        PROJECT.and(not(folder.allowed())).as("project classes outside %s", folder.allowed()))
                .because(folder.reason())
                .allowEmptyShould(true)
                .check(ProductClasses.product());
    }

    @Test
    void everyProductClassLivesInAFolderOfTheTable() {
        DescribedPredicate<JavaClass> known = resideInAnyPackage("dev.doorbell.quality..");
        for (Folder folder : Folder.ALL) {
            known = known.or(folder.classes());
        }
        assertThat(ProductClasses.product().that(PROJECT.and(not(known))))
                .as("a class outside the table would escape every rule about directions")
                .isEmpty();
    }

    @Test
    void librariesDependOnTheJdkOnly() {
        classes()
                .that(ProductClasses.libraries())
                .and(not(resideInAPackage("dev.doorbell.testkit..")))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("dev.doorbell..", "java..", "jdk.jfr..", "org.jspecify.."))
                .because("a library for the data path brings no other library into its user's program")
                .check(ProductClasses.product());
    }

    @Test
    void providersSeeTheSeamAndTheValuesThatCrossIt() {
        DescribedPredicate<JavaClass> behaviour = resideInAPackage("dev.doorbell.verbs")
                .and(DescribedPredicate.describe("are no values", type -> !isValue(type)));
        noClasses()
                .that(Folder.PROVIDERS.classes().or(Folder.MLX5.classes()).or(Folder.LIBRARY.classes()))
                .should()
                .dependOnClassesThat(behaviour)
                .because("a driver answers to seam 1 and never calls the API back; only attribute values cross")
                .allowEmptyShould(true)
                .check(ProductClasses.product());
    }

    @Test
    void conformanceCasesSeeThePublicApiOnly() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.doorbell.conformance.cases..", "dev.doorbell.conformance.bench..")
                .should()
                .dependOnClassesThat(PROJECT.and(not(resideInAnyPackage(
                                "dev.doorbell.verbs",
                                "dev.doorbell.cm",
                                "dev.doorbell.spec..",
                                "dev.doorbell.testkit..",
                                "dev.doorbell.conformance..")))
                        .as("classes of a seam or of a kernel"))
                .because("a case that knows what is below the API tests that, and not every device")
                .check(ProductClasses.product());
    }

    @Test
    void foldersFormNoCycles() {
        slices().matching("dev.doorbell.(*)..")
                .should()
                .beFreeOfCycles()
                .because("a cycle between folders means that neither can be read, tested or replaced alone")
                .check(ProductClasses.product());
    }

    private static boolean isValue(JavaClass type) {
        JavaClass outer = type.getEnclosingClass().orElse(type);
        return outer.isRecord() || outer.isEnum() || outer.getSimpleName().endsWith("Attributes");
    }
}

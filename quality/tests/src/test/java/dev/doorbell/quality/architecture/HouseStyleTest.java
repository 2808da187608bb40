package dev.doorbell.quality.architecture;

import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethod;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** House rules that no compiler checks. */
final class HouseStyleTest {
    @Test
    void nothingReflects() {
        noClasses()
                .that()
                .resideInAPackage("dev.doorbell..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.reflect..")
                .orShould(callMethod(Class.class, "forName", String.class))
                .because("what happens must be found by reading and by searching for callers")
                .check(ProductClasses.product());
    }

    @Test
    void librariesDoNotPrint() {
        noClasses()
                .that(ProductClasses.libraries())
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould(callMethod(Throwable.class, "printStackTrace"))
                .because("the terminal belongs to the program; a library throws, counts, or logs with System.Logger")
                .check(ProductClasses.product());
    }

    @Test
    void nothingUsesJavaUtilLogging() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging..")
                .because("System.Logger leaves the choice of a logging library to the program")
                .check(ProductClasses.product());
    }

    @Test
    void productCodeDoesNotSleep() {
        check(ProductClasses.product(), "who waits, waits for something: an event, a lease, a deadline");
    }

    @Test
    void testsDoNotSleep() {
        check(ProductClasses.tests(), "a test that sleeps is slow when all is well and flaky when the machine is busy");
    }

    private static void check(JavaClasses classes, String reason) {
        noClasses()
                .should(callMethod(Thread.class, "sleep", long.class))
                .orShould(callMethod(Thread.class, "sleep", long.class, int.class))
                .orShould(callMethod(Thread.class, "sleep", Duration.class))
                .orShould(callMethod(TimeUnit.class, "sleep", long.class))
                .because(reason)
                .check(classes);
    }

    @Test
    void librariesDoNotExit() {
        noClasses()
                .that(ProductClasses.libraries())
                .should(callMethod(System.class, "exit", int.class))
                .orShould(callMethod(Runtime.class, "halt", int.class))
                .because("a library does not end its user's program")
                .check(ProductClasses.product());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Manager", "Helper", "Util", "Utils", "Impl"})
    void noNameSaysNothing(String ending) {
        noClasses()
                .should()
                .haveSimpleNameEndingWith(ending)
                .because("a class that is named after no job collects all of them")
                .check(ProductClasses.product());
    }

    @Test
    void classesAreFinalUnlessMadeForExtension() {
        classes()
                .that()
                .areNotInterfaces()
                .and()
                .areNotAnonymousClasses()
                .and()
                .areNotAssignableTo(Throwable.class)
                .and()
                .resideInAPackage("dev.doorbell..")
                .and()
                .resideOutsideOfPackage("dev.doorbell.quality.bench..")
                .should(beFinalOrExtended())
                .because("a class that can be extended by accident has to be read as if it were")
                .check(ProductClasses.product());
    }

    private static ArchCondition<JavaClass> beFinalOrExtended() {
        return new ArchCondition<>("be final, abstract, or extended in the project") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean closed = type.getModifiers().contains(JavaModifier.FINAL)
                        || type.getModifiers().contains(JavaModifier.ABSTRACT)
                        || type.isEnum()
                        || !type.getAllSubclasses().isEmpty();
                events.add(new SimpleConditionEvent(type, closed, type.getFullName() + " is neither"));
            }
        };
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(packagesWithoutNullMarked(ProductClasses.product()))
                .as("a package without @NullMarked makes NullAway guess what its signatures mean")
                .isEmpty();
    }

    private static List<String> packagesWithoutNullMarked(JavaClasses classes) {
        return classes.stream()
                .map(JavaClass::getPackage)
                .distinct()
                .filter(folder -> folder.getName().startsWith("dev.doorbell."))
                .filter(folder -> !folder.isAnnotatedWith(NullMarked.class))
                .map(JavaPackage::getName)
                .sorted()
                .toList();
    }
}

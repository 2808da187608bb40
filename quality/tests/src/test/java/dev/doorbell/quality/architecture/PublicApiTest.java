package dev.doorbell.quality.architecture;

import static com.tngtech.archunit.core.domain.JavaModifier.PROTECTED;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a user of the verbs API and of the connection manager sees. */
final class PublicApiTest {
    @Test
    void theApiShowsNoTypesOfTheKernelSeam() {
        classes()
                .that()
                .resideInAnyPackage("dev.doorbell.verbs", "dev.doorbell.cm")
                .and()
                .arePublic()
                .should(showNoTypeOf("dev.doorbell.kernel", "dev.doorbell.memory", "dev.doorbell.verbs.spi"))
                .because("seam 2 and the drivers' seam change with kernels; a user's program must not notice")
                .check(ProductClasses.product());
    }

    private static ArchCondition<JavaClass> showNoTypeOf(String... packages) {
        return new ArchCondition<>("show no type of %s in public signatures", String.join(", ", packages)) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                Set<JavaClass> supertypes = new LinkedHashSet<>(type.getAllRawSuperclasses());
                supertypes.addAll(type.getAllRawInterfaces());
                supertypes.stream()
                        .filter(shown -> isIn(shown, packages))
                        .forEach(shown -> events.add(SimpleConditionEvent.violated(
                                type, type.getFullName() + " extends " + shown.getFullName())));
                for (JavaMember member : type.getMembers()) {
                    if (isVisible(member)) {
                        shownBy(member).stream()
                                .filter(shown -> isIn(shown, packages))
                                .forEach(shown -> events.add(SimpleConditionEvent.violated(
                                        member, member.getFullName() + " shows " + shown.getFullName())));
                    }
                }
            }
        };
    }

    private static boolean isVisible(JavaMember member) {
        return member.getModifiers().contains(PUBLIC) || member.getModifiers().contains(PROTECTED);
    }

    private static Set<JavaClass> shownBy(JavaMember member) {
        Set<JavaClass> shown = new LinkedHashSet<>();
        if (member instanceof JavaField field) {
            shown.addAll(field.getType().getAllInvolvedRawTypes());
        } else if (member instanceof JavaCodeUnit code) {
            shown.addAll(code.getReturnType().getAllInvolvedRawTypes());
            code.getParameterTypes().forEach(type -> shown.addAll(type.getAllInvolvedRawTypes()));
            shown.addAll(code.getExceptionTypes());
        }
        return shown;
    }

    private static boolean isIn(JavaClass type, String... packages) {
        for (String name : packages) {
            if (type.getPackageName().equals(name) || type.getPackageName().startsWith(name + ".")) {
                return true;
            }
        }
        return false;
    }
}

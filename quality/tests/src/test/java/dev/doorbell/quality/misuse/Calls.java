package dev.doorbell.quality.misuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.doorbell.verbs.ClosedException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The calls of a type that was closed, by signature: those that it refuses, and those that it answers from what it knows. */
final class Calls {
    /** A call that a list names; what it returns does not matter. */
    @FunctionalInterface
    interface Call {
        void make();
    }

    private final Map<String, Call> refused = new LinkedHashMap<>();
    private final Map<String, Call> answered = new LinkedHashMap<>();

    /** It throws {@link ClosedException}. */
    Calls refuses(String signature, Call call) {
        refused.put(signature, call);
        return this;
    }

    /** It answers as before. */
    Calls answers(String signature, Call call) {
        answered.put(signature, call);
        return this;
    }

    void check(Class<?> type) {
        Set<String> listed = new TreeSet<>(refused.keySet());
        listed.addAll(answered.keySet());
        assertThat(listed).as("public methods of %s", type).isEqualTo(publicMethods(type));
        refused.forEach((signature, call) -> assertThat(catchThrowable(call::make))
                .as("%s.%s after close", type.getSimpleName(), signature)
                .isInstanceOfSatisfying(ClosedException.class, closed -> {
                    assertThat(closed.errnoName()).isEqualTo("EBADF");
                    assertThat(closed.object()).isNotEmpty();
                    assertThat(closed.remedy()).isNotEmpty();
                }));
        answered.forEach((signature, call) -> assertThat(catchThrowable(call::make))
                .as("%s.%s after close", type.getSimpleName(), signature)
                .isNull());
    }

    /** Also those that it has from a class of the same package, which may be no public one. */
    private static Set<String> publicMethods(Class<?> type) {
        return new ClassFileImporter()
                .importClass(type).getAllMethods().stream()
                        .filter(method -> method.getOwner().getPackageName().equals(type.getPackageName()))
                        .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(method -> !method.getModifiers().contains(JavaModifier.STATIC))
                        .filter(method -> !method.getModifiers().contains(JavaModifier.SYNTHETIC))
                        .map(Calls::signature)
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String signature(JavaMethod method) {
        return method.getName()
                + method.getRawParameterTypes().stream()
                        .map(JavaClass::getSimpleName)
                        .collect(Collectors.joining(",", "(", ")"));
    }
}

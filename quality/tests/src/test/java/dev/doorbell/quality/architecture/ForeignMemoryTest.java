package dev.doorbell.quality.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import dev.doorbell.memory.Words;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import org.junit.jupiter.api.Test;

/** Who may touch bytes by offset, order memory, follow a pointer or call native code. */
final class ForeignMemoryTest {
    /** Calls out of the JVM. The bindings of the system's own library will be the other place. */
    private static final DescribedPredicate<JavaClass> NATIVE =
            resideInAnyPackage("dev.doorbell.linux.syscall..", "dev.doorbell.libibverbs..");

    private static final DescribedPredicate<JavaClass> BYTES = resideInAnyPackage("dev.doorbell.memory..");

    /** Who stores without a check. */
    private static final DescribedPredicate<JavaClass> UNCHECKED = nameMatching(
                    "dev\\.doorbell\\.mlx5\\.(Mlx5SendQueue|Register|DeviceStores|DirectStores)")
            .forSubtype();

    private static final DescribedPredicate<JavaClass> QUALITY =
            resideInAnyPackage("dev.doorbell.conformance..", "dev.doorbell.quality..");

    @Test
    void onlyMemoryNamesByteOrderAndAlignment() {
        noClasses()
                .that(ProductClasses.libraries().and(not(BYTES)).and(not(NATIVE)))
                .should()
                .dependOnClassesThat(nameMatching(ValueLayout.class.getName().replace(".", "\\.") + "(\\$.*)?"))
                .because("Be, Host and Shared say byte order and alignment by name; a raw layout hides both. Native"
                        + " signatures are made of layouts, so the callers of native code are exempt; what tools and"
                        + " examples keep in their own buffers is their own affair")
                .check(ProductClasses.product());
    }

    @Test
    void onlyMemoryOrdersMemory() {
        noClasses()
                .that(not(BYTES).and(not(NATIVE)).and(not(QUALITY)))
                .should()
                .dependOnClassesThat()
                .areAssignableTo(VarHandle.class)
                .because("orderings are named by purpose and each stands under a concurrency test; elsewhere the JDK's"
                        + " atomics and memory's rings, locks and barriers serve")
                .check(ProductClasses.product());
    }

    @Test
    void onlyTheSystemCallLayerCallsNativeCode() {
        noClasses()
                .that(not(NATIVE).and(not(QUALITY)))
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Linker.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(SymbolLookup.class)
                .because("a wrong native signature crashes the JVM: all of them stand in one place, next to each other")
                .check(ProductClasses.product());
    }

    @Test
    void onlyTheSystemCallLayerHoldsMethodHandles() {
        noClasses()
                .that(not(NATIVE).and(not(QUALITY)))
                .should()
                .dependOnClassesThat()
                .areAssignableTo(MethodHandle.class)
                .because("a method handle is how native functions are called, and nothing else here needs one")
                .check(ProductClasses.product());
    }

    @Test
    void onlyTheSystemCallLayerAndWordsTurnAnAddressIntoMemory() {
        DescribedPredicate<JavaAccess<?>> reinterpret = DescribedPredicate.describe(
                "MemorySegment.reinterpret",
                access -> isCallOf(access.getTarget(), MemorySegment.class, "reinterpret"));
        noClasses()
                .that(not(NATIVE).and(not(QUALITY)).and(not(assignableTo(Words.class))))
                .should()
                .accessTargetWhere(reinterpret)
                .because("the embedded kernel and the drivers reach only memory that was passed, mapped or pinned: an"
                        + " address from a ring or a packet is a number until a checked segment is found for it")
                .check(ProductClasses.product());
    }

    @Test
    void onlyTheSendQueuesOfMlx5StoreUnchecked() {
        noClasses()
                .that(not(UNCHECKED).and(not(BYTES)))
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Words.class)
                .because("Words checks nothing: each class that has them shows how its offsets stay inside, and how its"
                        + " memory stays there")
                .check(ProductClasses.product());
    }

    private static boolean isCallOf(AccessTarget target, Class<?> owner, String method) {
        return target.getOwner().isEquivalentTo(owner) && target.getName().equals(method);
    }
}

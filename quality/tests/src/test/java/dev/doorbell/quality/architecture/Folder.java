package dev.doorbell.quality.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;

/**
 * A folder of the project (a Maven module), its root package below {@code dev.doorbell}, and the project's packages that it
 * may use: the table of ARCHITECTURE.md as data.
 *
 * @param reason what would go wrong if it used more
 */
record Folder(String name, List<String> uses, String reason) {
    static final Folder SOFT_LINK = new Folder(
            "soft.link",
            List.of("soft", "kernel", "wire", "memory", "spec", "linux.syscall"),
            "a packet link may use system calls; the rest of the embedded kernel stays pure Java");

    static final Folder SOFT = new Folder(
            "soft",
            List.of("kernel", "wire", "memory", "spec"),
            "below seam 2 nothing knows the verbs API, and the software HCA sees ring bytes and command bytes only");

    static final Folder PROVIDERS = new Folder(
            "rxe",
            List.of("verbs", "kernel", "memory", "spec"),
            "one driver class serves every kernel only while it sees no kernel's implementation");

    static final Folder MLX5 = new Folder("mlx5", PROVIDERS.uses(), PROVIDERS.reason());

    static final Folder LIBRARY = new Folder(
            "libibverbs",
            List.of("verbs", "kernel", "memory", "spec", "linux"),
            "the system's library stands over Linux alone: its files are waited for as Linux's are, and what can be read"
                    + " without opening a device is read from Linux's tables");

    static final List<Folder> ALL = List.of(
            new Folder("memory", List.of(), "bytes know nothing of what they mean"),
            new Folder(
                    "spec", List.of(), "the vocabulary is used everywhere, so it depends on nothing, bytes included"),
            new Folder("kernel", List.of("memory", "spec"), "the contract must know neither drivers nor kernels"),
            new Folder("wire", List.of("memory", "spec"), "packets are pure functions: no device, no kernel, no clock"),
            new Folder("linux", List.of("kernel", "memory", "spec"), "below seam 2 nothing knows the verbs API"),
            SOFT,
            SOFT_LINK,
            new Folder("verbs", List.of("kernel", "memory", "spec"), "above seam 2 nothing knows what is below it"),
            PROVIDERS,
            MLX5,
            LIBRARY,
            new Folder("cm", List.of("verbs", "kernel", "memory", "spec"), "it speaks the CM commands of seam 2 only"),
            new Folder(
                    "testkit",
                    List.of("soft", "rxe", "verbs", "kernel", "wire", "memory", "spec"),
                    "the test kit runs where there is no RDMA device"),
            new Folder(
                    "conformance",
                    List.of("verbs", "cm", "spec", "testkit", "soft", "wire"),
                    "the suite runs on every kernel: what it knows of one stands in the fabrics, not in the cases"),
            new Folder("examples", List.of("verbs", "cm", "spec"), "an example shows what a user can write"),
            new Folder(
                    "tools",
                    List.of("verbs", "cm", "kernel", "memory", "spec", "soft", "linux", "conformance"),
                    "tools see the API, and the seams and kernels only to trace and to set them up"));

    /** The classes that live here; soft.link is carved out of soft, since it may do more. */
    DescribedPredicate<JavaClass> classes() {
        DescribedPredicate<JavaClass> here = resideInAPackage("dev.doorbell." + name + "..");
        DescribedPredicate<JavaClass> mine = equals(SOFT) ? here.and(not(SOFT_LINK.classes())) : here;
        return mine.as("classes of %s", name);
    }

    /** The project's classes that the classes here may use. */
    DescribedPredicate<JavaClass> allowed() {
        String[] packages = new String[uses.size() + 1];
        for (int i = 0; i < uses.size(); i++) {
            packages[i] = "dev.doorbell." + uses.get(i) + "..";
        }
        packages[uses.size()] = "dev.doorbell." + name + "..";
        return resideInAnyPackage(packages).as("%s and %s", name, uses);
    }
}

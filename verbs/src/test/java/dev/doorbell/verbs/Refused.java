package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.doorbell.kernel.Errno;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a refusal must say. */
final class Refused {
    private Refused() {}

    /** Runs a call that must be refused with this errno, and returns the refusal for a closer look. */
    static VerbsException with(int errno, ThrowingCallable call) {
        VerbsException refusal = catchThrowableOfType(VerbsException.class, call);
        assertThat(refusal).as("a refusal").isNotNull();
        assertThat(refusal.errnoName()).isEqualTo(Errno.name(errno));
        assertThat(refusal).hasMessageContaining(Errno.name(errno));
        assertThat(refusal.operation()).isNotEmpty();
        assertThat(refusal.object()).isNotEmpty();
        assertThat(refusal.getMessage()).contains(refusal.operation(), refusal.object(), refusal.remedy());
        return refusal;
    }

    /** The same, with the numbers. */
    static VerbsException with(int errno, Object asked, Object allowed, ThrowingCallable call) {
        VerbsException refusal = with(errno, call);
        assertThat(refusal.asked()).isEqualTo(asked.toString());
        assertThat(refusal.allowed()).isEqualTo(allowed.toString());
        assertThat(refusal).hasMessageContaining("asked " + asked + ", allowed " + allowed);
        return refusal;
    }
}

package dev.doorbell.cm;

import dev.doorbell.spec.CmEventType;
import dev.doorbell.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * The connection manager refused a call, or an event told of a failure. As a {@link VerbsException} it says operation,
 * object, errno, what happened, and what to do about it.
 *
 * <p>A peer's refusal is a {@link RejectedException}.
 *
 * <p>Thread rules: what it says is immutable.
 */
public class CmException extends VerbsException {
    private static final long serialVersionUID = 1L;

    private final @Nullable CmEventType event;

    CmException(String operation, String object, int errno, String rule, String remedy, @Nullable CmEventType event) {
        this(operation, object, errno, rule, remedy, event, null);
    }

    CmException(
            String operation,
            String object,
            int errno,
            String rule,
            String remedy,
            @Nullable CmEventType event,
            @Nullable Throwable cause) {
        super(new Report(operation, object, errno, rule, "", "", remedy, cause));
        this.event = event;
    }

    /** A value that went past a limit. */
    CmException(String operation, String object, int errno, String asked, String allowed) {
        super(new Report(operation, object, errno, "", asked, allowed, "", null));
        this.event = null;
    }

    /** The event that told of it; null if a call was refused, or the time was up. */
    public final @Nullable CmEventType event() {
        return event;
    }
}

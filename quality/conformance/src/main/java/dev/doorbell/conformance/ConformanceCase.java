package dev.doorbell.conformance;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * Something that a verbs device has to do.
 *
 * @param name its stable name, words between dots from the general to the special; what follows {@code @} is a variation
 * @param origin the man page, the rule of docs/spec/transport.md or the pyverbs test that it follows
 * @param needs what a fabric must offer for it
 * @param deadline the longest that it may take
 * @param body what it does
 */
public record ConformanceCase(String name, String origin, Set<Capability> needs, Duration deadline, CaseBody body) {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    public ConformanceCase {
        if (!name.matches("[a-z0-9]+(\\.[a-z0-9-]+|\\.\\.[0-9]+)+(@[a-z0-9-]+)?")) {
            throw new IllegalArgumentException("not a name for a case: " + name);
        }
        needs = Set.copyOf(needs);
    }

    /** Begins to describe a case. */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** The first word of its name. */
    public String group() {
        return name.substring(0, name.indexOf('.'));
    }

    /** Its name without the variation. */
    public String family() {
        int at = name.indexOf('@');
        return at < 0 ? name : name.substring(0, at);
    }

    @Override
    public String toString() {
        return name;
    }

    /** Describes a case; {@link #runs} completes it. */
    public static final class Builder {
        private final String name;
        private final Set<Capability> needs = EnumSet.noneOf(Capability.class);
        private String origin = "";
        private Duration deadline = DEADLINE;

        private Builder(String name) {
            this.name = name;
        }

        /** Where it comes from, such as {@code "test_qp.query_rc_qp; ibv_query_qp(3)"}. */
        public Builder from(String value) {
            origin = value;
            return this;
        }

        /** What a fabric must offer for it; where one does not, it is skipped with the fabric's reason. */
        public Builder needs(Capability... capabilities) {
            needs.addAll(Set.of(capabilities));
            return this;
        }

        /** The longest that it may take, instead of 20 seconds. */
        public Builder deadline(Duration value) {
            deadline = value;
            return this;
        }

        /** The case. */
        public ConformanceCase runs(CaseBody body) {
            if (origin.isEmpty()) {
                throw new IllegalArgumentException(name + " does not say where it comes from");
            }
            return new ConformanceCase(name, origin, needs, deadline, body);
        }
    }
}

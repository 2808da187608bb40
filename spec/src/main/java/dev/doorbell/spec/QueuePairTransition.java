package dev.doorbell.spec;

import java.util.Set;
import java.util.StringJoiner;

/**
 * What {@link QueuePairTransitions} says about one modify.
 *
 * <p>Thread rules: immutable.
 *
 * @param type the queue pair's type
 * @param from the present state
 * @param to the next state
 * @param exists whether there is a step between these states at all; if not, no attribute is judged
 * @param missing attributes that the step needs and that were not given
 * @param superfluous attributes that were given and that the step does not allow
 * @param unnamedBits bits of the mask that name no attribute
 */
public record QueuePairTransition(
        QueuePairType type,
        QueuePairState from,
        QueuePairState to,
        boolean exists,
        Set<QueuePairAttribute> missing,
        Set<QueuePairAttribute> superfluous,
        int unnamedBits) {

    /** A verdict with its own copies of the sets. */
    public QueuePairTransition {
        missing = Set.copyOf(missing);
        superfluous = Set.copyOf(superfluous);
    }

    /** Whether a kernel should take it. */
    public boolean isAllowed() {
        return exists && missing.isEmpty() && superfluous.isEmpty() && unnamedBits == 0;
    }

    /** The verdict in one sentence, with every attribute by name. */
    public String explain() {
        String step = type + " queue pair from " + from + " to " + to;
        if (!exists) {
            return step + ": no such step; from " + from + " it can go to "
                    + sorted(QueuePairTransitions.next(type, from));
        }
        StringJoiner reasons = new StringJoiner("; ", step + ": ", "").setEmptyValue(step + ": allowed");
        if (!missing.isEmpty()) {
            reasons.add("needs " + sorted(missing));
        }
        if (!superfluous.isEmpty()) {
            reasons.add("does not take " + sorted(superfluous));
        }
        if (unnamedBits != 0) {
            reasons.add("no attribute has the bits 0x" + Integer.toHexString(unnamedBits));
        }
        return reasons.toString();
    }

    private static <E extends Enum<E>> String sorted(Set<E> values) {
        StringJoiner names = new StringJoiner(", ").setEmptyValue("nowhere");
        values.stream().sorted().forEach(value -> names.add(value.name()));
        return names.toString();
    }
}

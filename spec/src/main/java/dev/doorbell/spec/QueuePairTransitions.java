package dev.doorbell.spec;

import static dev.doorbell.spec.QueuePairAttribute.ACCESS_FLAGS;
import static dev.doorbell.spec.QueuePairAttribute.ADDRESS_VECTOR;
import static dev.doorbell.spec.QueuePairAttribute.ALTERNATE_PATH;
import static dev.doorbell.spec.QueuePairAttribute.CURRENT_STATE;
import static dev.doorbell.spec.QueuePairAttribute.DESTINATION_QP;
import static dev.doorbell.spec.QueuePairAttribute.MAX_DEST_READ_ATOMIC;
import static dev.doorbell.spec.QueuePairAttribute.MAX_READ_ATOMIC;
import static dev.doorbell.spec.QueuePairAttribute.MIN_RNR_TIMER;
import static dev.doorbell.spec.QueuePairAttribute.PATH_MIGRATION_STATE;
import static dev.doorbell.spec.QueuePairAttribute.PATH_MTU;
import static dev.doorbell.spec.QueuePairAttribute.PKEY_INDEX;
import static dev.doorbell.spec.QueuePairAttribute.PORT;
import static dev.doorbell.spec.QueuePairAttribute.QKEY;
import static dev.doorbell.spec.QueuePairAttribute.RECEIVE_PSN;
import static dev.doorbell.spec.QueuePairAttribute.RETRY_COUNT;
import static dev.doorbell.spec.QueuePairAttribute.RNR_RETRY;
import static dev.doorbell.spec.QueuePairAttribute.SEND_PSN;
import static dev.doorbell.spec.QueuePairAttribute.SQD_ASYNC_NOTIFY;
import static dev.doorbell.spec.QueuePairAttribute.TIMEOUT;
import static dev.doorbell.spec.QueuePairState.ERROR;
import static dev.doorbell.spec.QueuePairState.INIT;
import static dev.doorbell.spec.QueuePairState.RESET;
import static dev.doorbell.spec.QueuePairState.RTR;
import static dev.doorbell.spec.QueuePairState.RTS;
import static dev.doorbell.spec.QueuePairState.SQD;
import static dev.doorbell.spec.QueuePairState.SQE;
import static dev.doorbell.spec.QueuePairType.RC;
import static dev.doorbell.spec.QueuePairType.UC;
import static dev.doorbell.spec.QueuePairType.UD;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Which steps a queue pair may take between its states, and which attributes each step needs and allows.
 *
 * <pre>
 *   RESET ─→ INIT ─→ RTR ─→ RTS ⇄ SQD        from every state to RESET;
 *                            ↑                from every state but RESET to ERROR
 *                    UC, UD: SQE
 * </pre>
 *
 * <p>The table serves to explain a refusal; what a kernel decides counts.
 *
 * <p>Follows ibv_modify_qp(3) and the InfiniBand Architecture Specification, volume 1, chapter 10 (software transport
 * interface).
 *
 * <p>Thread rules: static methods without state, from any thread.
 */
public final class QueuePairTransitions {
    /**
     * The attributes of one step; {@link QueuePairAttribute#STATE} is understood.
     *
     * @param required which it needs
     * @param optional which it allows besides
     */
    public record Rule(Set<QueuePairAttribute> required, Set<QueuePairAttribute> optional) {
        /** A rule with its own copies of the sets. */
        public Rule {
            required = Set.copyOf(required);
            optional = Set.copyOf(optional);
        }
    }

    private record Step(QueuePairState from, QueuePairState to) {}

    private static final Map<QueuePairType, Map<Step, Rule>> RULES = new EnumMap<>(QueuePairType.class);

    static {
        for (QueuePairType type : QueuePairType.values()) {
            Map<Step, Rule> rules = new HashMap<>();
            for (QueuePairState state : QueuePairState.values()) {
                rules.put(new Step(state, RESET), new Rule(Set.of(), Set.of()));
                if (state != RESET) {
                    rules.put(new Step(state, ERROR), new Rule(Set.of(), Set.of()));
                }
            }
            RULES.put(type, rules);
        }
        defineConnection();
        defineRunning();
        defineDraining();
    }

    private QueuePairTransitions() {}

    /** The attributes of a step; empty if there is no such step. */
    public static Optional<Rule> rule(QueuePairType type, QueuePairState from, QueuePairState to) {
        return Optional.ofNullable(rules(type).get(new Step(from, to)));
    }

    /**
     * Holds a modify against the table.
     *
     * @param type the queue pair's type
     * @param from its present state
     * @param to the state it is to go to; the present one if the mask has no state
     * @param mask bits of {@link QueuePairAttribute}
     */
    public static QueuePairTransition check(QueuePairType type, QueuePairState from, QueuePairState to, int mask) {
        Set<QueuePairAttribute> given = QueuePairAttribute.set(mask);
        int unnamed = mask & ~QueuePairAttribute.mask(EnumSet.allOf(QueuePairAttribute.class));
        Set<QueuePairAttribute> missing = EnumSet.noneOf(QueuePairAttribute.class);
        Set<QueuePairAttribute> superfluous = EnumSet.noneOf(QueuePairAttribute.class);
        Optional<Rule> rule = rule(type, from, to);
        if (rule.isPresent()) {
            missing.addAll(rule.get().required());
            missing.removeAll(given);
            superfluous.addAll(given);
            superfluous.remove(QueuePairAttribute.STATE);
            superfluous.removeAll(rule.get().required());
            superfluous.removeAll(rule.get().optional());
        }
        return new QueuePairTransition(type, from, to, rule.isPresent(), missing, superfluous, unnamed);
    }

    /** The states that can be reached from a state in one step. */
    public static Set<QueuePairState> next(QueuePairType type, QueuePairState from) {
        Set<QueuePairState> states = EnumSet.noneOf(QueuePairState.class);
        for (Step step : rules(type).keySet()) {
            if (step.from == from) {
                states.add(step.to);
            }
        }
        return states;
    }

    private static void defineConnection() {
        Set<QueuePairAttribute> connected = set(PKEY_INDEX, PORT, ACCESS_FLAGS);
        Set<QueuePairAttribute> datagram = set(PKEY_INDEX, PORT, QKEY);
        define(RC, RESET, INIT, connected, set());
        define(UC, RESET, INIT, connected, set());
        define(UD, RESET, INIT, datagram, set());
        define(RC, INIT, INIT, set(), connected);
        define(UC, INIT, INIT, set(), connected);
        define(UD, INIT, INIT, set(), datagram);
        Set<QueuePairAttribute> ready = set(ALTERNATE_PATH, ACCESS_FLAGS, PKEY_INDEX);
        define(UC, INIT, RTR, set(ADDRESS_VECTOR, PATH_MTU, DESTINATION_QP, RECEIVE_PSN), ready);
        define(UD, INIT, RTR, set(), set(PKEY_INDEX, QKEY));
        define(
                RC,
                INIT,
                RTR,
                set(ADDRESS_VECTOR, PATH_MTU, DESTINATION_QP, RECEIVE_PSN, MAX_DEST_READ_ATOMIC, MIN_RNR_TIMER),
                ready);
        define(
                RC,
                RTR,
                RTS,
                set(TIMEOUT, RETRY_COUNT, RNR_RETRY, SEND_PSN, MAX_READ_ATOMIC),
                set(CURRENT_STATE, ALTERNATE_PATH, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIGRATION_STATE));
        define(UC, RTR, RTS, set(SEND_PSN), set(CURRENT_STATE, ALTERNATE_PATH, ACCESS_FLAGS, PATH_MIGRATION_STATE));
        define(UD, RTR, RTS, set(SEND_PSN), set(CURRENT_STATE, QKEY));
    }

    private static void defineRunning() {
        Set<QueuePairAttribute> reliable =
                set(CURRENT_STATE, ACCESS_FLAGS, ALTERNATE_PATH, PATH_MIGRATION_STATE, MIN_RNR_TIMER);
        Set<QueuePairAttribute> unreliable = set(CURRENT_STATE, ACCESS_FLAGS, ALTERNATE_PATH, PATH_MIGRATION_STATE);
        Set<QueuePairAttribute> datagram = set(CURRENT_STATE, QKEY);
        for (QueuePairState from : Arrays.asList(RTS, SQD)) {
            define(RC, from, RTS, set(), reliable);
            define(UC, from, RTS, set(), unreliable);
            define(UD, from, RTS, set(), datagram);
        }
        define(UC, SQE, RTS, set(), set(CURRENT_STATE, ACCESS_FLAGS));
        define(UD, SQE, RTS, set(), datagram);
    }

    private static void defineDraining() {
        for (QueuePairType type : QueuePairType.values()) {
            define(type, RTS, SQD, set(), set(SQD_ASYNC_NOTIFY));
        }
        define(
                UC,
                SQD,
                SQD,
                set(),
                set(ADDRESS_VECTOR, ALTERNATE_PATH, ACCESS_FLAGS, PKEY_INDEX, PATH_MIGRATION_STATE));
        define(UD, SQD, SQD, set(), set(PKEY_INDEX, QKEY));
        Set<QueuePairAttribute> reliable = set(PORT, ADDRESS_VECTOR, TIMEOUT, RETRY_COUNT, RNR_RETRY, MAX_READ_ATOMIC);
        reliable.addAll(set(MAX_DEST_READ_ATOMIC, ALTERNATE_PATH, ACCESS_FLAGS, PKEY_INDEX, MIN_RNR_TIMER));
        reliable.add(PATH_MIGRATION_STATE);
        define(RC, SQD, SQD, set(), reliable);
    }

    private static void define(
            QueuePairType type,
            QueuePairState from,
            QueuePairState to,
            Set<QueuePairAttribute> required,
            Set<QueuePairAttribute> optional) {
        rules(type).put(new Step(from, to), new Rule(required, optional));
    }

    private static Map<Step, Rule> rules(QueuePairType type) {
        return Objects.requireNonNull(RULES.get(type));
    }

    private static Set<QueuePairAttribute> set(QueuePairAttribute... attributes) {
        EnumSet<QueuePairAttribute> set = EnumSet.noneOf(QueuePairAttribute.class);
        set.addAll(Arrays.asList(attributes));
        return set;
    }
}

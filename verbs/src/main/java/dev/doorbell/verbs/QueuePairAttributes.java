package dev.doorbell.verbs;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.Rate;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Attributes of a queue pair ({@code struct ibv_qp_attr}) with the mask that says which are meant. Immutable; made by
 * {@link #builder()} for a modify, and by a query, where all that the kernel reports are set.
 *
 * <p>Timer fields are codes here, as the wire and the kernel have them; {@link dev.doorbell.spec.AckTimeout} and
 * {@link dev.doorbell.spec.RnrTimer} turn durations into codes and back.
 *
 * <p>Follows ibv_modify_qp(3) and ibv_query_qp(3). What no setter was called for has a zero or a first value, and
 * {@link #has} says no.
 *
 * <p>Thread rules: immutable; a builder is for one thread.
 */
public final class QueuePairAttributes {
    private static final AddressVector NO_ADDRESS =
            new AddressVector(Gid.ZERO, 0, 0, 0, 0, 0, 0, 0, false, 0, Rate.MAX);

    private final Builder values;

    private QueuePairAttributes(Builder values) {
        this.values = values;
    }

    /** A builder with nothing set. */
    public static Builder builder() {
        return new Builder();
    }

    /** Which attributes are set. */
    public Set<QueuePairAttribute> mask() {
        return EnumSet.copyOf(values.mask);
    }

    /** Whether an attribute is set. */
    public boolean has(QueuePairAttribute attribute) {
        return values.mask.contains(attribute);
    }

    /** State that the queue pair goes to, or is in. */
    public QueuePairState state() {
        return values.state;
    }

    /** State that the caller takes it to be in. */
    public QueuePairState currentState() {
        return values.currentState;
    }

    /** Bits of {@link dev.doorbell.spec.AccessFlag} for remote peers. */
    public int access() {
        return values.access;
    }

    /** Index of the P_Key. */
    public int pkeyIndex() {
        return values.pkeyIndex;
    }

    /** Local port. */
    public int port() {
        return values.port;
    }

    /** Q_Key (UD). */
    public int qkey() {
        return values.qkey;
    }

    /** Where packets go; a zero vector if it is not set. */
    public AddressVector address() {
        return values.address;
    }

    /** Path MTU. */
    public Mtu pathMtu() {
        return values.pathMtu;
    }

    /** Local ACK timeout code: 4.096 µs · 2^code; 0 waits for ever. */
    public int timeout() {
        return values.timeout;
    }

    /** Retries after a timeout or sequence NAK, 0 to 7. */
    public int retryCount() {
        return values.retryCount;
    }

    /** Retries after receiver-not-ready, 0 to 6; 7 retries for ever. */
    public int rnrRetry() {
        return values.rnrRetry;
    }

    /** Packet sequence number expected first. */
    public int receivePsn() {
        return values.receivePsn;
    }

    /** Packet sequence number sent first. */
    public int sendPsn() {
        return values.sendPsn;
    }

    /** READs and atomics that it may have outstanding as the requester. */
    public int maxReadAtomic() {
        return values.maxReadAtomic;
    }

    /** READs and atomics that it takes as the responder. */
    public int maxDestReadAtomic() {
        return values.maxDestReadAtomic;
    }

    /** Code of the shortest wait that it asks of a peer when it has no receive posted. */
    public int minRnrTimer() {
        return values.minRnrTimer;
    }

    /** Number of the peer's queue pair. */
    public int destinationQueuePair() {
        return values.destinationQueuePair;
    }

    /** Whether SQ_DRAINED is to be reported. */
    public boolean sqdAsyncNotify() {
        return values.sqdAsyncNotify;
    }

    /** Whether the send queue is draining (query). */
    public boolean sqDraining() {
        return values.sqDraining;
    }

    /** The attributes that are set, one line; flags by name, numbers of queue pairs and sequence numbers as tools print them. */
    @Override
    public String toString() {
        return values.mask.stream()
                .map(attribute -> attribute.name().toLowerCase(Locale.ROOT) + '=' + text(attribute))
                .collect(Collectors.joining(", ", "QueuePairAttributes[", "]"));
    }

    private String text(QueuePairAttribute attribute) {
        return switch (attribute) {
            case STATE -> values.state.name();
            case CURRENT_STATE -> values.currentState.name();
            case SQD_ASYNC_NOTIFY -> String.valueOf(values.sqdAsyncNotify);
            case ACCESS_FLAGS -> AccessFlag.set(values.access).toString();
            case PKEY_INDEX -> String.valueOf(values.pkeyIndex);
            case PORT -> String.valueOf(values.port);
            case QKEY -> hex(values.qkey);
            case ADDRESS_VECTOR -> values.address.toString();
            case PATH_MTU -> values.pathMtu.toString();
            case TIMEOUT -> String.valueOf(values.timeout);
            case RETRY_COUNT -> String.valueOf(values.retryCount);
            case RNR_RETRY -> String.valueOf(values.rnrRetry);
            case RECEIVE_PSN -> hex(values.receivePsn);
            case SEND_PSN -> hex(values.sendPsn);
            case MAX_READ_ATOMIC -> String.valueOf(values.maxReadAtomic);
            case MAX_DEST_READ_ATOMIC -> String.valueOf(values.maxDestReadAtomic);
            case MIN_RNR_TIMER -> String.valueOf(values.minRnrTimer);
            case DESTINATION_QP -> hex(values.destinationQueuePair);
            case ALTERNATE_PATH, PATH_MIGRATION_STATE, CAPACITY, RATE_LIMIT -> "not shown";
        };
    }

    private static String hex(int value) {
        return "0x" + Integer.toHexString(value);
    }

    /** Collects attributes; each setter also sets the mask's bit. */
    public static final class Builder {
        private final EnumSet<QueuePairAttribute> mask = EnumSet.noneOf(QueuePairAttribute.class);
        private QueuePairState state = QueuePairState.RESET;
        private QueuePairState currentState = QueuePairState.RESET;
        private int access;
        private int pkeyIndex;
        private int port;
        private int qkey;
        private AddressVector address = NO_ADDRESS;
        private Mtu pathMtu = Mtu.MTU_1024;
        private int timeout;
        private int retryCount;
        private int rnrRetry;
        private int receivePsn;
        private int sendPsn;
        private int maxReadAtomic;
        private int maxDestReadAtomic;
        private int minRnrTimer;
        private int destinationQueuePair;
        private boolean sqdAsyncNotify;
        private boolean sqDraining;

        private Builder() {}

        /** Sets {@link QueuePairAttributes#state()}. */
        public Builder state(QueuePairState value) {
            mask.add(QueuePairAttribute.STATE);
            state = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#currentState()}. */
        public Builder currentState(QueuePairState value) {
            mask.add(QueuePairAttribute.CURRENT_STATE);
            currentState = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#access()}. */
        public Builder access(int value) {
            mask.add(QueuePairAttribute.ACCESS_FLAGS);
            access = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#pkeyIndex()}. */
        public Builder pkeyIndex(int value) {
            mask.add(QueuePairAttribute.PKEY_INDEX);
            pkeyIndex = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#port()}. */
        public Builder port(int value) {
            mask.add(QueuePairAttribute.PORT);
            port = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#qkey()}. */
        public Builder qkey(int value) {
            mask.add(QueuePairAttribute.QKEY);
            qkey = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#address()}. */
        public Builder address(AddressVector value) {
            mask.add(QueuePairAttribute.ADDRESS_VECTOR);
            address = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#pathMtu()}. */
        public Builder pathMtu(Mtu value) {
            mask.add(QueuePairAttribute.PATH_MTU);
            pathMtu = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#timeout()}. */
        public Builder timeout(int value) {
            mask.add(QueuePairAttribute.TIMEOUT);
            timeout = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#retryCount()}. */
        public Builder retryCount(int value) {
            mask.add(QueuePairAttribute.RETRY_COUNT);
            retryCount = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#rnrRetry()}. */
        public Builder rnrRetry(int value) {
            mask.add(QueuePairAttribute.RNR_RETRY);
            rnrRetry = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#receivePsn()}. */
        public Builder receivePsn(int value) {
            mask.add(QueuePairAttribute.RECEIVE_PSN);
            receivePsn = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#sendPsn()}. */
        public Builder sendPsn(int value) {
            mask.add(QueuePairAttribute.SEND_PSN);
            sendPsn = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#maxReadAtomic()}. */
        public Builder maxReadAtomic(int value) {
            mask.add(QueuePairAttribute.MAX_READ_ATOMIC);
            maxReadAtomic = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#maxDestReadAtomic()}. */
        public Builder maxDestReadAtomic(int value) {
            mask.add(QueuePairAttribute.MAX_DEST_READ_ATOMIC);
            maxDestReadAtomic = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#minRnrTimer()}. */
        public Builder minRnrTimer(int value) {
            mask.add(QueuePairAttribute.MIN_RNR_TIMER);
            minRnrTimer = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#destinationQueuePair()}. */
        public Builder destinationQueuePair(int value) {
            mask.add(QueuePairAttribute.DESTINATION_QP);
            destinationQueuePair = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#sqdAsyncNotify()}. */
        public Builder sqdAsyncNotify(boolean value) {
            mask.add(QueuePairAttribute.SQD_ASYNC_NOTIFY);
            sqdAsyncNotify = value;
            return this;
        }

        /** Sets {@link QueuePairAttributes#sqDraining()}, which has no mask bit: only queries report it. */
        public Builder sqDraining(boolean value) {
            sqDraining = value;
            return this;
        }

        /** The attributes as they are now; the builder may be used on. */
        public QueuePairAttributes build() {
            return new QueuePairAttributes(copy());
        }

        private Builder copy() {
            Builder copy = new Builder();
            copy.mask.addAll(mask);
            copy.state = state;
            copy.currentState = currentState;
            copy.access = access;
            copy.pkeyIndex = pkeyIndex;
            copy.port = port;
            copy.qkey = qkey;
            copy.address = address;
            copy.pathMtu = pathMtu;
            copy.timeout = timeout;
            copy.retryCount = retryCount;
            copy.rnrRetry = rnrRetry;
            copy.receivePsn = receivePsn;
            copy.sendPsn = sendPsn;
            copy.maxReadAtomic = maxReadAtomic;
            copy.maxDestReadAtomic = maxDestReadAtomic;
            copy.minRnrTimer = minRnrTimer;
            copy.destinationQueuePair = destinationQueuePair;
            copy.sqdAsyncNotify = sqdAsyncNotify;
            copy.sqDraining = sqDraining;
            return copy;
        }
    }
}

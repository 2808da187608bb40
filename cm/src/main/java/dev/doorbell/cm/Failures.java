package dev.doorbell.cm;

import dev.doorbell.kernel.DurationText;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.spec.CmEventType;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Turns errnos and statuses into exceptions that say what happened and what to do. */
final class Failures {
    private Failures() {}

    /** A command that the kernel refused. */
    static CmException refused(CmCommand command, String object, int errno) {
        return new CmException(command.name(), object, errno, meaning(command, errno), remedy(errno), null);
    }

    /** An address whose name was not found. */
    static CmException unknownHost(CmCommand command, String object, InetSocketAddress address) {
        return new CmException(
                command.name(),
                object,
                Errno.EINVAL,
                "host " + address.getHostString() + " is unknown",
                "Use an address, or a name that this host can resolve",
                null);
    }

    /** A file that could not be opened or read. */
    static CmException failed(String operation, String object, KernelException cause) {
        return new CmException(operation, object, cause.errno(), String.valueOf(cause.getMessage()), "", null, cause);
    }

    /** A wait whose time was up. */
    static CmException timedOut(String operation, String object, String step, Duration limit) {
        return new CmException(
                operation,
                object,
                Errno.ETIMEDOUT,
                step + " took longer than " + DurationText.of(limit),
                "Check that the peer is up and that the path to it carries UDP port 4791, or allow more time",
                null);
    }

    /** What an event that tells of a failure means. */
    static CmException of(CmEvent event, String object) {
        int status = event.status();
        CmEventType type = event.type();
        if (type == CmEventType.REJECTED) {
            return new RejectedException(object, status, event.privateData());
        }
        int errno = status < 0 ? -status : defaultErrno(type);
        return new CmException(operation(type), object, errno, meaning(type, status), remedy(errno), type);
    }

    private static String operation(CmEventType type) {
        return switch (type) {
            case ADDR_ERROR -> "resolve address";
            case ROUTE_ERROR -> "resolve route";
            case MULTICAST_ERROR -> "join multicast";
            case ADDR_RESOLVED,
                    ROUTE_RESOLVED,
                    CONNECT_REQUEST,
                    CONNECT_RESPONSE,
                    CONNECT_ERROR,
                    UNREACHABLE,
                    REJECTED,
                    ESTABLISHED,
                    DISCONNECTED,
                    DEVICE_REMOVAL,
                    MULTICAST_JOIN,
                    ADDR_CHANGE,
                    TIMEWAIT_EXIT,
                    UNKNOWN -> "connect";
        };
    }

    private static int defaultErrno(CmEventType type) {
        return switch (type) {
            case DISCONNECTED -> Errno.ECONNRESET;
            case DEVICE_REMOVAL -> Errno.ENODEV;
            case ADDR_ERROR, ROUTE_ERROR, UNREACHABLE -> Errno.EHOSTUNREACH;
            case ADDR_RESOLVED,
                    ROUTE_RESOLVED,
                    CONNECT_REQUEST,
                    CONNECT_RESPONSE,
                    CONNECT_ERROR,
                    REJECTED,
                    ESTABLISHED,
                    MULTICAST_JOIN,
                    MULTICAST_ERROR,
                    ADDR_CHANGE,
                    TIMEWAIT_EXIT,
                    UNKNOWN -> Errno.EIO;
        };
    }

    private static String meaning(CmEventType type, int status) {
        String what = type + " with status " + status;
        if (type == CmEventType.UNREACHABLE && status > 0) {
            return what + ": " + lookup(status);
        }
        return switch (type) {
            case ADDR_ERROR -> what + ": no device reaches that address, or nobody there answers";
            case ROUTE_ERROR -> what + ": there is no path to that address";
            case UNREACHABLE -> what + ": the peer does not answer";
            case CONNECT_ERROR -> what + ": the connection could not be made";
            case DISCONNECTED -> what + ": the peer ended the connection";
            case DEVICE_REMOVAL -> what + ": the device is going away";
            case MULTICAST_ERROR -> what + ": the group could not be joined";
            case ADDR_RESOLVED,
                    ROUTE_RESOLVED,
                    CONNECT_REQUEST,
                    CONNECT_RESPONSE,
                    REJECTED,
                    ESTABLISHED,
                    MULTICAST_JOIN,
                    ADDR_CHANGE,
                    TIMEWAIT_EXIT,
                    UNKNOWN -> what;
        };
    }

    /** The statuses of a look-up for datagrams (SIDR). */
    private static String lookup(int status) {
        return switch (status) {
            case 1 -> "nobody listens at that port";
            case 2 -> "the program refused";
            case 3 -> "the program has no queue pair for it";
            case 4 -> "the service is elsewhere";
            case 5 -> "the version of the messages is not known";
            default -> "the look-up was refused";
        };
    }

    private static String meaning(CmCommand command, int errno) {
        return switch (errno) {
            case Errno.EINVAL ->
                "the identifier's state does not allow it, or a value is wrong (bind, resolve address, resolve route and"
                        + " connect come in this order)";
            case Errno.ENOENT -> "the identifier is unknown in this channel";
            case Errno.EADDRINUSE -> "another identifier is bound to that port";
            case Errno.EADDRNOTAVAIL ->
                command == CmCommand.BIND
                        ? "no interface of this host has that address, or, where one of the two is the wildcard address,"
                                + " another identifier is bound to that port"
                        : "no interface of this host has that address";
            case Errno.ENODEV -> "no RDMA device has that address, or reaches it";
            case Errno.ENETUNREACH -> "there is no route to that address";
            case Errno.EACCES ->
                command == CmCommand.BIND || command == CmCommand.SET_OPTION
                        ? "this process may not use that port or option"
                        : "the channel was opened with other credentials";
            case Errno.ENOSYS, Errno.EOPNOTSUPP, Errno.EPROTONOSUPPORT -> "this kernel does not have it";
            default -> "";
        };
    }

    private static String remedy(int errno) {
        return switch (errno) {
            case Errno.EADDRINUSE ->
                "Close that one, choose another port, or set the option to reuse addresses on both";
            case Errno.EADDRNOTAVAIL, Errno.ENODEV ->
                "Use an address that is in a GID table of this process (./doorbell devinfo -v), not one of another interface or"
                        + " of the embedded device of another process; DOORBELL_SOFT=soft0@ADDRESS says where this one's is";
            case Errno.ENETUNREACH -> "Check the routes (ip route get ADDRESS)";
            case Errno.EHOSTUNREACH -> "Check that the peer is up (ping)";
            case Errno.ETIMEDOUT -> "Check that the peer is up and that the path to it carries UDP port 4791";
            default -> "";
        };
    }
}

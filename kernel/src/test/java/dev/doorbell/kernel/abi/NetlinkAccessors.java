package dev.doorbell.kernel.abi;

/** The accessors of netlink messages. */
final class NetlinkAccessors {
    private NetlinkAccessors() {}

    static void addTo(Accessors all) {
        all.ints("nlmsghdr", "nlmsg_len", NetlinkHeader::length, NetlinkHeader::setLength);
        all.ints("nlmsghdr", "nlmsg_type", NetlinkHeader::type, NetlinkHeader::setType);
        all.ints("nlmsghdr", "nlmsg_flags", NetlinkHeader::flags, NetlinkHeader::setFlags);
        all.ints("nlmsghdr", "nlmsg_seq", NetlinkHeader::sequence, NetlinkHeader::setSequence);
        all.ints("nlmsghdr", "nlmsg_pid", NetlinkHeader::port, NetlinkHeader::setPort);
        all.ints("nlattr", "nla_len", NetlinkAttribute::length, NetlinkAttribute::setLength);
        all.ints("nlattr", "nla_type", NetlinkAttribute::type, NetlinkAttribute::setType);
        all.ints("nlmsgerr", "error", NetlinkError::error, NetlinkError::setError);
    }
}

/**
 * The RDMA subsystem's netlink interface: which devices there are, who drives them, and how links are made and removed.
 *
 * <pre>
 *   Nldev            questions and orders, answered with records
 *     └─ NetlinkClient      one exchange: request, answers until the kernel says that it is done
 *          ├─ NetlinkRequest      builds a message
 *          ├─ NetlinkAttributes   reads the attributes of an answer, and believes none of its lengths
 *          └─ NetlinkTransport    where messages go: NetlinkSocket, or a script in tests
 * </pre>
 *
 * <p>Layouts and numbers stand in {@code dev.doorbell.kernel.abi}: {@code NetlinkHeader}, {@code NetlinkAttribute},
 * {@code NetlinkError} and {@code NldevIds}.
 */
@NullMarked
package dev.doorbell.linux.netlink;

import org.jspecify.annotations.NullMarked;

package dev.doorbell.kernel.abi;

/**
 * Messages and attributes of the RDMA subsystem's netlink interface, with the numbers of {@code rdma/rdma_netlink.h} and
 * {@code linux/netlink.h}.
 */
public final class NldevIds {
    /** The netlink family of the RDMA subsystem. */
    public static final int FAMILY_RDMA = 20;
    /** The client in that family that lists and makes devices. */
    public static final int CLIENT_NLDEV = 5;

    /** Message type: the request failed, or with error 0 it was done. */
    public static final int MESSAGE_ERROR = 2;
    /** Message type: the end of a list. */
    public static final int MESSAGE_DONE = 3;
    /** Flag of a request. */
    public static final int FLAG_REQUEST = 1;
    /** Flag of an answer: more messages of the list follow. */
    public static final int FLAG_MULTI = 2;
    /** Flag of a request: say when it is done. */
    public static final int FLAG_ACK = 4;
    /** Flag of an answer: the list changed while it was read. */
    public static final int FLAG_DUMP_INTERRUPTED = 0x10;
    /** Flag of a request: a list of all. */
    public static final int FLAG_DUMP = 0x300;
    /** In an attribute's type: its value holds attributes. */
    public static final int FLAG_NESTED = 0x8000;
    /** In an attribute's type: its value is in network order. */
    public static final int FLAG_NETWORK_ORDER = 0x4000;

    /** Devices; can be listed. */
    public static final int GET = 1;
    /** Makes a device on a network interface. */
    public static final int NEW_LINK = 3;
    /** Removes a device that was made so. */
    public static final int DELETE_LINK = 4;
    /** Ports of a device; can be listed. */
    public static final int PORT_GET = 5;
    /** What is set for the whole system. */
    public static final int SYSTEM_GET = 6;
    /** How many objects of each kind a device has. */
    public static final int RESOURCES_GET = 9;
    /** A character device. */
    public static final int CHARDEV_GET = 15;
    /** Open contexts of a device; can be listed. */
    public static final int CONTEXTS_GET = 22;

    /** u32: the device's number. */
    public static final int DEVICE_INDEX = 1;
    /** string: the device's name. */
    public static final int DEVICE_NAME = 2;
    /** u32: a port, from 1; how many there are in answers to {@link #GET}. */
    public static final int PORT_INDEX = 3;
    /** string: the firmware's version. */
    public static final int FIRMWARE_VERSION = 5;
    /** u64: the node's GUID, in host order. */
    public static final int NODE_GUID = 6;
    /** u8: the port's state. */
    public static final int PORT_STATE = 12;
    /** u8: the state of the port's link. */
    public static final int PORT_PHYSICAL_STATE = 13;
    /** u8: what kind of node. */
    public static final int NODE_TYPE = 14;
    /** nested: a list of {@link #RESOURCE}. */
    public static final int RESOURCES = 15;
    /** nested: a kind of object and how many of it there are. */
    public static final int RESOURCE = 16;
    /** string: the kind. */
    public static final int RESOURCE_NAME = 17;
    /** u64: how many. */
    public static final int RESOURCE_COUNT = 18;
    /** u32: the process that owns an object. */
    public static final int PROCESS = 28;
    /** u32: the number of a network interface. */
    public static final int NET_DEVICE_INDEX = 50;
    /** string: the name of a network interface. */
    public static final int NET_DEVICE_NAME = 51;
    /** string: the driver that is to make a device, such as {@code rxe}. */
    public static final int LINK_TYPE = 65;
    /** string: the protocol, such as {@code roce}. */
    public static final int PROTOCOL = 67;
    /** string: which kind of character device, such as {@code uverbs}. */
    public static final int CHARDEV_TYPE = 69;
    /** string: the character device's name, such as {@code uverbs0}. */
    public static final int CHARDEV_NAME = 70;
    /** u64: the ABI version, of the device's driver for uverbs. */
    public static final int CHARDEV_ABI = 71;
    /** u64: the device's number as {@code dev_t}. */
    public static final int CHARDEV_NUMBER = 72;
    /** u32: the kernel driver, see {@link DriverId}. */
    public static final int DRIVER_ID = 73;
    /** nested: a list of {@link #CONTEXT}. */
    public static final int CONTEXTS = 86;
    /** nested: an open context. */
    public static final int CONTEXT = 87;

    private static final int CLIENT_SHIFT = 10;

    private NldevIds() {}

    /** The type of a message for one of this client's commands. */
    public static int type(int command) {
        return CLIENT_NLDEV << CLIENT_SHIFT | command;
    }
}

package dev.doorbell.soft.link;

/** Whether the system is asked to cut sends into datagrams: a decision of the set-up, for all flows of a carrier. */
enum Segmentation {
    /** It is, by each flow until the way of that flow turns out not to do it, see {@link UdpFlow#segments}. */
    ASKED_FOR,
    /** Each datagram is a send. */
    NONE
}

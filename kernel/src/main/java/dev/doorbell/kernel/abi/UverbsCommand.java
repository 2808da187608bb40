package dev.doorbell.kernel.abi;

/**
 * The uverbs commands of the write family, with the numbers of {@code enum ib_uverbs_write_cmds}. Those with an
 * {@code EX_} name use the extended header, and their number carries bit 31 where it travels.
 */
public enum UverbsCommand {
    GET_CONTEXT(0, false),
    QUERY_DEVICE(1, false),
    QUERY_PORT(2, false),
    ALLOC_PD(3, false),
    DEALLOC_PD(4, false),
    CREATE_AH(5, false),
    DESTROY_AH(8, false),
    REG_MR(9, false),
    REREG_MR(11, false),
    DEREG_MR(13, false),
    ALLOC_MW(14, false),
    DEALLOC_MW(16, false),
    CREATE_COMP_CHANNEL(17, false),
    CREATE_CQ(18, false),
    RESIZE_CQ(19, false),
    DESTROY_CQ(20, false),
    POLL_CQ(21, false),
    REQ_NOTIFY_CQ(23, false),
    CREATE_QP(24, false),
    QUERY_QP(25, false),
    MODIFY_QP(26, false),
    DESTROY_QP(27, false),
    POST_SEND(28, false),
    POST_RECV(29, false),
    ATTACH_MCAST(30, false),
    DETACH_MCAST(31, false),
    CREATE_SRQ(32, false),
    MODIFY_SRQ(33, false),
    QUERY_SRQ(34, false),
    DESTROY_SRQ(35, false),
    POST_SRQ_RECV(36, false),
    OPEN_XRCD(37, false),
    CLOSE_XRCD(38, false),
    CREATE_XSRQ(39, false),
    OPEN_QP(40, false),
    EX_QUERY_DEVICE(1, true),
    EX_CREATE_CQ(18, true),
    EX_CREATE_QP(24, true),
    EX_MODIFY_QP(26, true),
    EX_CREATE_FLOW(50, true),
    EX_DESTROY_FLOW(51, true),
    EX_CREATE_WQ(52, true),
    EX_MODIFY_WQ(53, true),
    EX_DESTROY_WQ(54, true),
    EX_CREATE_RWQ_IND_TBL(55, true),
    EX_DESTROY_RWQ_IND_TBL(56, true),
    EX_MODIFY_CQ(57, true);

    /** The bit that marks an extended command in the command word. */
    public static final int EXTENDED_FLAG = 0x8000_0000;

    private final int number;
    private final boolean extended;

    UverbsCommand(int number, boolean extended) {
        this.number = number;
        this.extended = extended;
    }

    /** The command's number, without the extended bit. */
    public int number() {
        return number;
    }

    /** Whether the command uses the extended header. */
    public boolean isExtended() {
        return extended;
    }

    /** The command word as it travels: the number, with bit 31 for an extended command. */
    public int word() {
        return extended ? number | EXTENDED_FLAG : number;
    }
}

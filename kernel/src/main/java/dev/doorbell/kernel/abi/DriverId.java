package dev.doorbell.kernel.abi;

/** Kernel drivers by the number of {@code enum rdma_driver_id}. */
public final class DriverId {
    public static final int UNKNOWN = 0;
    public static final int MLX5 = 1;
    public static final int MLX4 = 2;
    public static final int CXGB3 = 3;
    public static final int CXGB4 = 4;
    public static final int MTHCA = 5;
    public static final int BNXT_RE = 6;
    public static final int OCRDMA = 7;
    public static final int NES = 8;
    public static final int IRDMA = 9;
    public static final int VMW_PVRDMA = 10;
    public static final int QEDR = 11;
    public static final int HNS = 12;
    public static final int USNIC = 13;
    public static final int RXE = 14;
    public static final int HFI1 = 15;
    public static final int QIB = 16;
    public static final int EFA = 17;
    public static final int SIW = 18;
    public static final int ERDMA = 19;
    public static final int MANA = 20;
    public static final int IONIC = 21;

    private DriverId() {}
}

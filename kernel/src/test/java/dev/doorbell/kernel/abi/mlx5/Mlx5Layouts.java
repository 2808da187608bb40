package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import java.util.Map;
import java.util.TreeMap;

/** Every layout in this package, by its class. */
public final class Mlx5Layouts {
    private Mlx5Layouts() {}

    /** All of them. */
    public static Map<String, Layout> all() {
        Map<String, Layout> all = new TreeMap<>();
        all.put("AtomicSegment", AtomicSegment.layout());
        all.put("ControlSegment", ControlSegment.layout());
        all.put("Cqe", Cqe.layout());
        all.put("DataSegment", DataSegment.layout());
        all.put("DatagramSegment", DatagramSegment.layout());
        all.put("ErrorCqe", ErrorCqe.layout());
        all.put("InlineSegment", InlineSegment.layout());
        all.put("MkeySegment", MkeySegment.layout());
        all.put("Mlx5AllocPdResponse", Mlx5AllocPdResponse.layout());
        all.put("Mlx5ClockInfo", Mlx5ClockInfo.layout());
        all.put("Mlx5CreateAhResponse", Mlx5CreateAhResponse.layout());
        all.put("Mlx5CreateCq", Mlx5CreateCq.layout());
        all.put("Mlx5CreateCqResponse", Mlx5CreateCqResponse.layout());
        all.put("Mlx5CreateQp", Mlx5CreateQp.layout());
        all.put("Mlx5CreateQpResponse", Mlx5CreateQpResponse.layout());
        all.put("Mlx5CreateSrq", Mlx5CreateSrq.layout());
        all.put("Mlx5CreateSrqResponse", Mlx5CreateSrqResponse.layout());
        all.put("Mlx5GetContext", Mlx5GetContext.layout());
        all.put("Mlx5GetContextResponse", Mlx5GetContextResponse.layout());
        all.put("Mlx5ModifyQp", Mlx5ModifyQp.layout());
        all.put("Mlx5ModifyQpResponse", Mlx5ModifyQpResponse.layout());
        all.put("Mlx5ResizeCq", Mlx5ResizeCq.layout());
        all.put("RemoteSegment", RemoteSegment.layout());
        all.put("SrqNextSegment", SrqNextSegment.layout());
        all.put("UmrSegment", UmrSegment.layout());
        return all;
    }
}

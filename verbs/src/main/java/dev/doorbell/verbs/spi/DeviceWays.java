package dev.doorbell.verbs.spi;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One device may be listed by two kernels: by the system's own, for the drivers of this project, and by a library that drives it
 * itself. It becomes one entry. First comes the driver that the user {@linkplain DriverWish wished for}, then a way that can be
 * used before one that cannot, then the order of the kernels' ranks.
 */
final class DeviceWays {
    private DeviceWays() {}

    static List<DeviceEntry> merge(List<DeviceEntry> entries, DriverWish wish) {
        Map<String, List<DeviceEntry>> ways = new LinkedHashMap<>();
        int unnamed = 0;
        for (DeviceEntry entry : entries) {
            String node = entry.device().node();
            String key = node.isEmpty() ? " " + unnamed++ : entry.device().name() + " " + node;
            ways.computeIfAbsent(key, name -> new ArrayList<>()).add(entry);
        }
        List<DeviceEntry> merged = new ArrayList<>();
        for (List<DeviceEntry> same : ways.values()) {
            same.sort(Comparator.comparing((DeviceEntry entry) -> !wish.isFor(entry))
                    .thenComparing(entry -> entry.obstacle().isPresent())
                    .thenComparingInt(DeviceEntry::kernelRank));
            merged.add(first(same, wish));
        }
        return merged;
    }

    private static DeviceEntry first(List<DeviceEntry> same, DriverWish wish) {
        DeviceEntry chosen = same.getFirst();
        Optional<String> disappointment = wish.disappointment(chosen);
        return new DeviceEntry(
                chosen.kernel(),
                chosen.kernelRank(),
                chosen.device(),
                chosen.provider(),
                chosen.matchedBy(),
                disappointment.or(chosen::obstacle),
                same.subList(1, same.size()));
    }
}

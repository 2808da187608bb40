package dev.doorbell.soft.kernel;

import dev.doorbell.soft.hca.NanoClock;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.Guid;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a device is made from.
 *
 * @param name its name
 * @param guid its node GUID
 * @param gids its GID table, without holes
 * @param limits what it hands out
 * @param completionVectors completion vectors
 * @param clock its time
 * @param random where keys, numbers and handles come from; safe for use by several threads
 * @param link its way to other devices; null for a device that only reaches itself
 * @param conductor who runs it; null for a device with a thread of its own
 * @param properties what is special about it, for people
 */
public record SoftDeviceSetup(
        String name,
        Guid guid,
        List<GidEntry> gids,
        SoftLimits limits,
        int completionVectors,
        NanoClock clock,
        RandomGenerator random,
        @Nullable PacketLink link,
        @Nullable Conductor conductor,
        Map<String, String> properties) {}

package dev.doorbell.soft.kernel;

import dev.doorbell.soft.hca.NanoClock;
import dev.doorbell.soft.link.PacketLink;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a device is made from.
 *
 * @param name its name
 * @param personality what it is to programs
 * @param placement where it is, until its link says otherwise
 * @param netDevice the network interface that it belongs to
 * @param limits what it hands out
 * @param completionVectors completion vectors
 * @param clock its time
 * @param random where keys, numbers and handles come from; safe for use by several threads
 * @param link its way to other devices; null for a device that only reaches itself
 * @param conductor who runs it; null for a device with a thread of its own
 */
public record SoftDeviceSetup(
        String name,
        Personality personality,
        Placement placement,
        String netDevice,
        SoftLimits limits,
        int completionVectors,
        NanoClock clock,
        RandomGenerator random,
        @Nullable PacketLink link,
        @Nullable Conductor conductor) {}

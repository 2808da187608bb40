package dev.doorbell.quality.misuse;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.verbs.DeviceAttributes;
import dev.doorbell.verbs.PortAttributes;
import dev.doorbell.verbs.spi.AbiRange;
import dev.doorbell.verbs.spi.MatchTable;
import dev.doorbell.verbs.spi.Operation;
import dev.doorbell.verbs.spi.OptionalOperations;
import dev.doorbell.verbs.spi.Provider;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import dev.doorbell.verbs.spi.ProviderContext;
import dev.doorbell.verbs.spi.ProviderMemoryRegion;
import dev.doorbell.verbs.spi.ProviderQueuePair;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** Another driver, and in addition what no device of ours has: memory of the device, a null region, counters. */
record GenerousDriver(Provider driver) implements Provider {
    @Override
    public String name() {
        return driver.name();
    }

    @Override
    public MatchTable matches() {
        return driver.matches();
    }

    @Override
    public AbiRange abi() {
        return driver.abi();
    }

    @Override
    public ProviderContext open(KernelDevice device, CommandChannel channel) {
        return new Opened(driver.open(device, channel));
    }

    private record Opened(ProviderContext context) implements ProviderContext {
        @Override
        public DeviceMemoryHandle allocateDeviceMemory(long length, int logAlignment) {
            return new Memory();
        }

        @Override
        public ProviderMemoryRegion allocateNullRegion(int protectionDomain) {
            return new Region();
        }

        @Override
        public Handle createCounters() {
            return new Memory();
        }

        @Override
        public int completionVectors() {
            return context.completionVectors();
        }

        @Override
        public EventFile asyncEvents() {
            return context.asyncEvents();
        }

        @Override
        public Map<Operation, Class<?>> operations() {
            return context.operations();
        }

        @Override
        public DeviceAttributes queryDevice() {
            return context.queryDevice();
        }

        @Override
        public PortAttributes queryPort(int port) {
            return context.queryPort(port);
        }

        @Override
        public int allocateProtectionDomain() {
            return context.allocateProtectionDomain();
        }

        @Override
        public void deallocateProtectionDomain(int handle) {
            context.deallocateProtectionDomain(handle);
        }

        @Override
        public ProviderMemoryRegion registerMemory(int protectionDomain, MemorySegment memory, long iova, int access) {
            return context.registerMemory(protectionDomain, memory, iova, access);
        }

        @Override
        public ProviderCompletionQueue createCompletionQueue(int entries, int vector, int channel, long cookie) {
            return context.createCompletionQueue(entries, vector, channel, cookie);
        }

        @Override
        public ProviderQueuePair createQueuePair(QueuePairRequest request) {
            return context.createQueuePair(request);
        }
    }

    private record Memory() implements OptionalOperations.DeviceMemoryHandle {
        @Override
        public int number() {
            return 7;
        }

        @Override
        public void write(long offset, MemorySegment source) {}

        @Override
        public void read(long offset, MemorySegment target) {}

        @Override
        public ProviderMemoryRegion register(int protectionDomain, long offset, long length, int access) {
            return new Region();
        }

        @Override
        public void close() {}
    }

    private record Region() implements ProviderMemoryRegion {
        @Override
        public int lkey() {
            return 8;
        }

        @Override
        public int rkey() {
            return 9;
        }

        @Override
        public void close() {}
    }
}

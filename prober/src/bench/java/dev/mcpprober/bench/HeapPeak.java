package dev.mcpprober.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;

/** The most heap that was in use since {@link #reset()}; with the default collector of the launcher. */
final class HeapPeak {
    private static final double MIB = 1 << 20;
    private static final List<MemoryPoolMXBean> POOLS = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP).toList();

    private HeapPeak() {}

    static void reset() {
        System.gc();
        POOLS.forEach(MemoryPoolMXBean::resetPeakUsage);
    }

    /** MiB, garbage included; each pool's peak, so that the sum may be a little more than there ever was at one time. */
    static double used() {
        return POOLS.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum() / MIB;
    }

    /** MiB that the last collection left. */
    static double live() {
        System.gc();
        return POOLS.stream().mapToLong(pool -> pool.getCollectionUsage().getUsed()).sum() / MIB;
    }

    static double limit() {
        return Runtime.getRuntime().maxMemory() / MIB;
    }
}

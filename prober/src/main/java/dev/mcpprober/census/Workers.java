package dev.mcpprober.census;

import com.sun.management.OperatingSystemMXBean;
import dev.mcpprober.sandbox.SandboxPolicy;
import java.lang.management.ManagementFactory;

/**
 * Threads that take targets through a run.
 *
 * @param probe   targets that are probed at a time
 * @param install targets that are installed at a time; zero where those that probe install as well, one target after the other
 */
public record Workers(int probe, int install) {
    public static final int MOST = 64;
    private static final long PROBE_BYTES = SandboxPolicy.probe().memoryBytes();
    private static final long INSTALL_BYTES = SandboxPolicy.install("any").memoryBytes();

    public Workers {
        if (probe < 1 || install < 0) {
            throw new IllegalArgumentException("at least one worker is needed, not " + probe + " and " + install);
        }
    }

    /** Of which each takes its target from install to the last session. */
    public static Workers forBoth(int count) {
        return new Workers(count, 0);
    }

    /** As many as this machine has processors and memory for. */
    public static Workers ofThisMachine() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return of(Runtime.getRuntime().availableProcessors(), system.getTotalMemorySize());
    }

    /**
     * A probe for each processor, since one session keeps hardly more than one busy; half as many installs, which mostly wait for
     * registries and disks. A fifth of the memory is left to the engine and to this program.
     */
    static Workers of(int processors, long memoryBytes) {
        long budget = memoryBytes / 5 * 4;
        int install = clamp(Math.min(processors / 2, budget / 3 / INSTALL_BYTES));
        return new Workers(clamp(Math.min(processors, (budget - install * INSTALL_BYTES) / PROBE_BYTES)), install);
    }

    private static int clamp(long count) {
        return (int) Math.max(1, Math.min(MOST, count));
    }

    /** These, with what somebody asked for; null for nothing. */
    public Workers with(Integer probes, Integer installs) {
        return new Workers(probes == null ? probe : probes, installs == null ? install : installs);
    }

    /** Targets that may be installed, or be in installation, before a probe takes them: enough that no probe waits, few enough that images do not pile up. */
    int ahead() {
        return Math.max(1, install == 0 ? probe : Math.max(probe, install) + 1);
    }
}

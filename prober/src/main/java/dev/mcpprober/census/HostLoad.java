package dev.mcpprober.census;

import dev.mcpprober.io.CpuPressure;
import java.util.Locale;
import java.util.Optional;

/**
 * How much this host has to do, its other work included.
 *
 * @param waiting      percent of the last ten seconds in which something waited for a processor; empty where the kernel does not tell
 * @param perProcessor what wanted to run in the last minute, on average, for each processor; negative where that is not known
 */
public record HostLoad(Optional<Double> waiting, double perProcessor) {
    /** On many processors something always waits a little, so that the first figure alone says too little of them. */
    private static final double WAITING_LIMIT = 80;
    private static final double WITH_WAITING_LIMIT = 1.5;
    private static final double ALONE_LIMIT = 2;

    public static HostLoad now() {
        return new HostLoad(CpuPressure.now().map(CpuPressure::percent), CpuPressure.load());
    }

    /** More work at once would only make all of it slower, and servers miss time limits that they would otherwise keep. */
    public boolean overloaded() {
        return waiting.map(percent -> percent > WAITING_LIMIT && perProcessor > WITH_WAITING_LIMIT).orElse(perProcessor > ALONE_LIMIT);
    }

    @Override
    public String toString() {
        String load = String.format(Locale.ROOT, "a load of %.1f for each processor", perProcessor);
        return waiting.map(percent -> String.format(Locale.ROOT, "something waited for a processor %.0f %% of the time, ", percent) + load).orElse(load);
    }
}

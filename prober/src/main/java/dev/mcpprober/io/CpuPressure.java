package dev.mcpprober.io;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of the time some process of this host waited for a processor, as Linux tells it.
 *
 * @param percent      of the last ten seconds
 * @param totalMicros  since the host came up; differences of it are what counts
 * @param perProcessor what wanted to run in the last minute, on average, for each processor
 */
public record CpuPressure(double percent, long totalMicros, double perProcessor) {
    private static final Path FILE = Path.of("/proc/pressure/cpu");
    private static final Pattern SOME = Pattern.compile("^some avg10=(\\d{1,3}\\.\\d{1,4}) .*total=(\\d{1,18})$", Pattern.MULTILINE);
    /** Half of the time somebody waited, and twice as much wanted to run as there are processors: every program took twice its time or more. */
    private static final int OVERRUN_PERCENT = 50;
    private static final double OVERRUN_LOAD = 2;

    /** Empty where the kernel does not tell. */
    public static Optional<CpuPressure> now() {
        try {
            return parse(Files.readString(FILE, StandardCharsets.US_ASCII), load());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** What wanted to run in the last minute for each processor; negative where that is not known. */
    public static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage() / Runtime.getRuntime().availableProcessors();
    }

    static Optional<CpuPressure> parse(String text, double perProcessor) {
        Matcher some = SOME.matcher(text);
        return some.find() ? Optional.of(new CpuPressure(Double.parseDouble(some.group(1)), Long.parseLong(some.group(2)), perProcessor)) : Optional.empty();
    }

    /** How much of the time between two looks, in percent. */
    public int percentSince(CpuPressure before, long elapsedNanos) {
        long elapsed = Math.max(1, TimeUnit.NANOSECONDS.toMicros(elapsedNanos));
        return (int) Math.max(0, Math.min(100, 100 * (totalMicros - before.totalMicros) / elapsed));
    }

    /** Whether there was so much to do between two looks that a program may have missed a time limit for that alone. */
    public boolean overrunSince(CpuPressure before, long elapsedNanos) {
        return percentSince(before, elapsedNanos) >= OVERRUN_PERCENT && perProcessor >= OVERRUN_LOAD;
    }
}

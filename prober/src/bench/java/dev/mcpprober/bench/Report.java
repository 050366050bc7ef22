package dev.mcpprober.bench;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/** What goes to standard output: figures and ratios with their targets, never a judgement by exit status. */
final class Report {
    private final PrintStream out;

    Report(PrintStream out) {
        this.out = out;
    }

    /** Begins a part. The load average tells how far its times, though hardly its ratios, can be trusted. */
    void part(String title) {
        out.println();
        line("%s  (load average %.1f on %d processors)", title, ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
    }

    void time(String what, Samples samples) {
        line("  %-34s %s", what, samples.text());
    }

    /** Ratio of medians, of minima, and the median of the rounds' own ratios. */
    void ratio(String what, Samples ours, Samples theirs, double target) {
        line("  %-34s %7.2f    (of minima %.2f, round by round %.2f)  target at most %.1f", what, ours.median() / theirs.median(),
                ours.least() / theirs.least(), ours.over(theirs).median(), target);
    }

    void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
        out.flush();
    }
}

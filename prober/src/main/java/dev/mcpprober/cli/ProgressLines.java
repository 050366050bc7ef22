package dev.mcpprober.cli;

import dev.mcpprober.census.Progress;
import dev.mcpprober.model.Fault;
import dev.mcpprober.model.Printable;
import dev.mcpprober.run.TargetState;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/** One line for each finished target; on a terminal, a bar below them of how far it is and what is under way. */
final class ProgressLines implements Progress, AutoCloseable {
    private static final int BAR = 24;
    private static final int UNDER_WAY = 60;
    private final PrintWriter err;
    private final boolean terminal;
    private final Set<String> underWay = new LinkedHashSet<>();
    private int done;
    private int total;
    private boolean drawn;

    ProgressLines(PrintWriter err, int total) {
        // The JDK has a console only where both ends are a terminal; a log gets plain lines.
        this(err, total, System.console() != null && !"dumb".equals(System.getenv("TERM")));
    }

    ProgressLines(PrintWriter err, int total, boolean terminal) {
        this.err = err;
        this.total = total;
        this.terminal = terminal;
    }

    @Override
    public void started(String target) {
        underWay.add(target);
        draw();
    }

    @Override
    public void finished(String target, TargetState state, String summary, boolean before, int doneSoFar, int ofTotal) {
        underWay.remove(target);
        done = doneSoFar;
        total = ofTotal;
        line(String.format(Locale.ROOT, "%" + Integer.toString(total).length() + "d/%d  %-13s %s  %s%s", done, total, state.id(), Printable.text(target, 100),
                Printable.text(summary, 300), before ? " (from before)" : ""));
    }

    @Override
    public void faulted(String target, String session, Fault fault, boolean again) {
        line("fault  " + Printable.text(target, 100) + ", " + session + ": " + fault.kind() + ": " + Printable.text(fault.detail(), 400)
                + (again ? " (will be tried again)" : ""));
    }

    private void line(String text) {
        erase();
        err.println(text);
        draw();
    }

    private void draw() {
        if (!terminal || total == 0) {
            return;
        }
        erase();
        int filled = BAR * done / total;
        String names = Printable.text(String.join(", ", underWay), UNDER_WAY);
        err.print("[" + "#".repeat(filled) + ".".repeat(BAR - filled) + "] " + done + "/" + total + "  " + names);
        err.flush();
        drawn = true;
    }

    private void erase() {
        if (drawn) {
            err.print("\r\u001b[K");
            drawn = false;
        }
    }

    @Override
    public void close() {
        erase();
        err.flush();
    }
}

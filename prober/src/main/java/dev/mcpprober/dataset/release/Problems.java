package dev.mcpprober.dataset.release;

import dev.mcpprober.model.Printable;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with a release, in the order in which it was found; the first thousand. */
final class Problems {
    private static final int KEPT = 1000;

    private final List<String> found = new ArrayList<>();
    private int count;

    /** @param line from 1, or 0 for the file as a whole */
    void add(String file, int line, String what) {
        count++;
        if (found.size() < KEPT) {
            found.add(Printable.text(file, 300) + (line > 0 ? ":" + line : "") + ": " + Printable.text(what, 500));
        }
    }

    boolean none() {
        return count == 0;
    }

    List<String> found() {
        List<String> out = new ArrayList<>(found);
        if (count > KEPT) {
            out.add("and " + (count - KEPT) + " more problems");
        }
        return out;
    }
}

package dev.mcpprober.corpus;

import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * A sampling frame: the targets of a census, and the rows that name none. Every row of the file is in {@code rows}, so that
 * frame = eligible + excluded always holds.
 *
 * @param folder paths in the frame are relative to it
 * @param rows   in the order of the file
 */
public record Frame(Path folder, List<Eligibility> rows) {
    public Frame {
        rows = List.copyOf(rows);
    }

    public List<FrameEntry> eligible() {
        List<FrameEntry> out = new ArrayList<>();
        for (Eligibility row : rows) {
            if (row instanceof Eligibility.Eligible eligible) {
                out.add(eligible.entry());
            }
        }
        return out;
    }

    public List<Eligibility.Excluded> excluded() {
        List<Eligibility.Excluded> out = new ArrayList<>();
        for (Eligibility row : rows) {
            if (row instanceof Eligibility.Excluded excluded) {
                out.add(excluded);
            }
        }
        return out;
    }

    /**
     * SHA-256 of what is to be measured. Notes, blank lines, the order of rows, quoting and the folder do not change it; a target, its
     * arguments or its environment do, and so does a row that was left out.
     */
    public String hash() {
        TreeSet<String> canonical = new TreeSet<>();
        for (Eligibility row : rows) {
            if (row instanceof Eligibility.Eligible eligible) {
                FrameEntry entry = eligible.entry();
                canonical.add("target " + entry.id() + " " + entry.argsJson() + " " + entry.envJson());
            } else if (row instanceof Eligibility.Excluded excluded) {
                canonical.add("excluded " + Json.write(Json.mapper().valueToTree(excluded.text())));
            }
        }
        return Digests.sha256(String.join("\n", canonical));
    }
}

package dev.mcpprober.dataset;

import java.util.ArrayList;
import java.util.List;

/** What a grading changed, as plain text for a terminal; cut, the file holds it whole. */
public final class ChangesText {
    private ChangesText() {}

    public static String render(Changes changes) {
        StringBuilder out = new StringBuilder();
        for (Changes.Part part : changes.parts()) {
            part(out, part);
        }
        return out.toString();
    }

    private static void part(StringBuilder out, Changes.Part part) {
        if (part.before().isEmpty()) {
            out.append(part.after()).append(": nothing in this folder to compare with\n");
            return;
        }
        String pair = part.before().equals(part.after()) ? part.after() + " since the last time" : part.before() + " → " + part.after();
        out.append(pair).append(": ").append(part.same()).append(" the same, ").append(part.differing()).append(" changed\n");
        List<List<String>> rows = new ArrayList<>();
        for (Changes.Group group : part.groups()) {
            rows.add(List.of(" ", group.check(), group.before() + " → " + group.after(), Integer.toString(group.count()),
                    group.targets() + (group.targets() == 1 ? " target: " : " targets: ") + String.join(", ", group.some())
                            + (group.targets() > group.some().size() ? ", …" : "")));
        }
        TextTable.append(out, rows, "lllrl");
        if (part.left() > 0) {
            out.append("  and ").append(part.left()).append(" more kinds of change in the file\n");
        }
    }
}

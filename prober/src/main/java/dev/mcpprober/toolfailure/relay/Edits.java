package dev.mcpprober.toolfailure.relay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Replacements in one text; everything between them stays as it is. */
final class Edits {
    private record Edit(int from, int to, String by) {}

    private final List<Edit> edits = new ArrayList<>();

    Edits replace(JsonText.Span span, String by) {
        edits.add(new Edit(span.from(), span.to(), by));
        return this;
    }

    Edits insert(int at, String what) {
        edits.add(new Edit(at, at, what));
        return this;
    }

    String in(String text) {
        edits.sort(Comparator.comparingInt(Edit::from));
        StringBuilder out = new StringBuilder(text.length() + 64);
        int at = 0;
        for (Edit edit : edits) {
            out.append(text, at, edit.from()).append(edit.by());
            at = edit.to();
        }
        return out.append(text, at, text.length()).toString();
    }
}

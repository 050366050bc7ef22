package dev.mcpprober.corpus;

import dev.mcpprober.io.Digests;
import dev.mcpprober.model.Printable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of {@code count} parts of a frame, for machines that share no database. A row's part depends on its id alone.
 *
 * @param index from 1 to {@code count}
 */
public record Shard(int index, int count) {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,4})/([0-9]{1,4})");

    public Shard {
        if (count < 1 || index < 1 || index > count) {
            throw new IllegalArgumentException("shard " + index + "/" + count + ": the first number counts from 1 to the second");
        }
    }

    /** @throws IllegalArgumentException with a message for the user when the text is not like {@code 2/8} */
    public static Shard parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("\"" + Printable.text(text, 40) + "\" is not like 2/8 (the second of eight parts)");
        }
        return new Shard(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)));
    }

    /** True when the row with this id belongs to this part: SHA-256 of the id, its first 8 hexadecimal digits, modulo the count. */
    public boolean contains(String id) {
        return Long.parseLong(Digests.sha256(id).substring(0, 8), 16) % count == index - 1;
    }

    /** The rows of a frame that are this part's. */
    public Frame of(Frame frame) {
        return new Frame(frame.folder(), frame.rows().stream().filter(row -> contains(id(row))).toList());
    }

    private static String id(Eligibility row) {
        return row instanceof Eligibility.Eligible eligible ? eligible.entry().id() : ((Eligibility.Excluded) row).id();
    }

    @Override
    public String toString() {
        return index + "/" + count;
    }
}

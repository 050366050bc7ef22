package dev.mcpprober.toolfailure.client;

import dev.mcpprober.toolfailure.ExactJson;

/**
 * What a tool says of itself, as far as retries go.
 *
 * @param listed the tool stands in the server's list
 */
public record Hints(boolean listed, Hint readOnly, Hint idempotent) {
    /** A boolean of ToolAnnotations as it was written. */
    public enum Hint {
        TRUE, FALSE, ABSENT,
        /** Not a boolean. */
        MISTYPED;

        private static Hint of(ExactJson annotations, String name) {
            return annotations.member(name).map(value -> !(value instanceof ExactJson.Bool bool) ? MISTYPED : bool.value() ? TRUE : FALSE).orElse(ABSENT);
        }
    }

    /** Of a tool that is not in the list. */
    public static final Hints UNLISTED = new Hints(false, Hint.ABSENT, Hint.ABSENT);

    /** @param tool an entry of a tools/list result */
    public static Hints of(ExactJson tool) {
        ExactJson annotations = tool.member("annotations").orElse(new ExactJson.Null());
        return new Hints(true, Hint.of(annotations, "readOnlyHint"), Hint.of(annotations, "idempotentHint"));
    }

    /** For a reader. */
    public String words() {
        return listed ? "readOnlyHint " + word(readOnly) + ", idempotentHint " + word(idempotent) : "not in the server's list";
    }

    private static String word(Hint hint) {
        return hint == Hint.MISTYPED ? "not a boolean" : hint.name().toLowerCase(java.util.Locale.ROOT);
    }
}

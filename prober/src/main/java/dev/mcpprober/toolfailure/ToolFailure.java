package dev.mcpprober.toolfailure;

import java.util.Optional;

/**
 * The toolFailure object of SEP-3313 as a server sent it. Nothing is taken for granted: members may be absent or of any type,
 * and what is not as declared reads as absent.
 */
public record ToolFailure(ExactJson.Obj object) {
    /** Where it stands: in {@code _meta} of a CallToolResult with {@code isError: true}. */
    public static final String KEY = "io.modelcontextprotocol/toolFailure";

    /** A member as it came, or null. */
    ExactJson member(String name) {
        return object.members().get(name);
    }

    public Optional<FailureClass> failureClass() {
        return text("class").flatMap(FailureClass::of);
    }

    public Optional<String> code() {
        return text("code");
    }

    /** Only the literal {@code true} is. */
    public boolean retryable() {
        return member("retryable") instanceof ExactJson.Bool bool && bool.value();
    }

    /** Empty also for blank text, with which nothing can be correlated. */
    public Optional<String> correlationId() {
        return text("correlationId").filter(id -> !id.codePoints().allMatch(ToolFailure::blank));
    }

    /** Spaces of any kind and characters without a width. */
    private static boolean blank(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
    }

    private Optional<String> text(String name) {
        return member(name) instanceof ExactJson.Text text ? Optional.of(text.value()) : Optional.empty();
    }
}

package dev.mcpprober.rules;

import java.util.Optional;

/** How binding the text behind a rule is. */
public enum Level {
    /** MUST, MUST NOT, or a member or type that the schema requires. */
    MUST("must"),
    /** SHOULD, SHOULD NOT. */
    SHOULD("should"),
    /** Lists without a keyword, lower-case words, examples: by the specification's own keyword rule they do not bind. */
    DESCRIBED("described"),
    /** No text puts a demand; the check describes. */
    NONE("none");

    private final String id;

    Level(String id) {
        this.id = id;
    }

    public String id() {
        return id;
    }

    public static Optional<Level> of(String id) {
        for (Level level : values()) {
            if (level.id.equals(id)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }
}

package dev.mcpprober.toolfailure.client;

import dev.mcpprober.toolfailure.ExactJson;
import java.util.Optional;

/** How much of an object this client reads: a classification is short, and what is not must not reach a log or a model as if it were. */
final class ObjectLimits {
    static final int MAX_DEPTH = 32;
    static final int MAX_TEXT = 4_096;
    static final int MAX_VALUES = 1_000;

    private int values;

    private ObjectLimits() {}

    /** The limit that the value passes, in words; empty where it keeps within all. */
    static Optional<String> passedBy(ExactJson value) {
        return new ObjectLimits().look(value, 1);
    }

    private Optional<String> look(ExactJson value, int depth) {
        if (++values > MAX_VALUES) {
            return Optional.of("more than " + MAX_VALUES + " values");
        }
        if (depth > MAX_DEPTH) {
            return Optional.of("nested deeper than " + MAX_DEPTH);
        }
        if (value instanceof ExactJson.Text text) {
            return longText(text.value());
        } else if (value instanceof ExactJson.Num number) {
            return longText(number.lexeme());
        } else if (value instanceof ExactJson.Arr array) {
            return first(array.items(), depth);
        } else if (value instanceof ExactJson.Obj object) {
            return object.members().keySet().stream().map(ObjectLimits::longText).flatMap(Optional::stream).findFirst()
                    .or(() -> first(object.members().values(), depth));
        }
        return Optional.empty();
    }

    private Optional<String> first(Iterable<ExactJson> children, int depth) {
        for (ExactJson child : children) {
            Optional<String> passed = look(child, depth + 1);
            if (passed.isPresent()) {
                return passed;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> longText(String text) {
        return text.length() > MAX_TEXT ? Optional.of("a text of " + text.length() + " characters, more than " + MAX_TEXT) : Optional.empty();
    }
}

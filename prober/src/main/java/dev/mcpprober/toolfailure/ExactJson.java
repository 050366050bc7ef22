package dev.mcpprober.toolfailure;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A JSON value whose numbers keep the form they were written in: {@code 1e3}, {@code 1000} and {@code 1000.0} stay apart. */
public sealed interface ExactJson {
    /** Members in the order written; of two with one name the later stands. */
    record Obj(Map<String, ExactJson> members) implements ExactJson {
        public Obj {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }
    }

    record Arr(List<ExactJson> items) implements ExactJson {
        public Arr {
            items = List.copyOf(items);
        }
    }

    record Text(String value) implements ExactJson {}

    /** @param lexeme as written, e.g. {@code -1.50E+2} */
    record Num(String lexeme) implements ExactJson {
        /** Negative, zero or positive as the number is less than, equal to or greater than {@code other}; exact for every lexeme. */
        public int compareWith(long other) {
            try {
                return new BigDecimal(lexeme).compareTo(BigDecimal.valueOf(other));
            } catch (NumberFormatException e) {
                return beyondExponents().compareTo(BigDecimal.valueOf(other));
            }
        }

        /** A stand-in for a number whose exponent no BigDecimal holds: nothing, or far beyond every long. */
        private BigDecimal beyondExponents() {
            String[] parts = lexeme.split("[eE]");
            BigDecimal mantissa = new BigDecimal(parts[0]);
            return parts[1].startsWith("-") ? BigDecimal.valueOf(mantissa.signum(), 100) : BigDecimal.valueOf(mantissa.signum(), -100);
        }
    }

    record Bool(boolean value) implements ExactJson {}

    record Null() implements ExactJson {}

    /** Empty where {@code text} is not one JSON value, or passes a limit of {@link Json}. */
    static Optional<ExactJson> parse(String text) {
        try (JsonParser in = Json.mapper().getFactory().createParser(text)) {
            if (in.nextToken() == null) {
                return Optional.empty();
            }
            ExactJson value = read(in);
            return in.nextToken() == null ? Optional.of(value) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static ExactJson read(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case START_OBJECT -> {
                Map<String, ExactJson> members = new LinkedHashMap<>();
                for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
                    in.nextToken();
                    members.put(name, read(in));
                }
                yield new Obj(members);
            }
            case START_ARRAY -> {
                List<ExactJson> items = new ArrayList<>();
                while (in.nextToken() != JsonToken.END_ARRAY) {
                    items.add(read(in));
                }
                yield new Arr(items);
            }
            case VALUE_STRING -> new Text(in.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Num(in.getText());
            case VALUE_TRUE -> new Bool(true);
            case VALUE_FALSE -> new Bool(false);
            default -> new Null();
        };
    }

    /** A member of an object; empty where this is none or has none of that name. */
    default Optional<ExactJson> member(String name) {
        return this instanceof Obj object ? Optional.ofNullable(object.members().get(name)) : Optional.empty();
    }

    /** The text of a string; empty for any other value. */
    default Optional<String> asText() {
        return this instanceof Text text ? Optional.of(text.value()) : Optional.empty();
    }

    /** Compact JSON text in one line, numbers as they came. */
    default String json() {
        return brief(Integer.MAX_VALUE);
    }

    /** Compact JSON text, numbers as they came, for a reader: cut after {@code limit} characters. */
    default String brief(int limit) {
        StringBuilder out = new StringBuilder();
        write(this, out, limit);
        return cut(out.toString(), limit);
    }

    private static void write(ExactJson value, StringBuilder out, int limit) {
        if (value instanceof Obj object) {
            String before = "{";
            for (Map.Entry<String, ExactJson> member : object.members().entrySet()) {
                if (out.length() > limit) {
                    return;
                }
                write(new Text(member.getKey()), out.append(before), limit);
                write(member.getValue(), out.append(':'), limit);
                before = ",";
            }
            out.append(object.members().isEmpty() ? "{}" : "}");
        } else if (value instanceof Arr array) {
            String before = "[";
            for (ExactJson item : array.items()) {
                if (out.length() > limit) {
                    return;
                }
                write(item, out.append(before), limit);
                before = ",";
            }
            out.append(array.items().isEmpty() ? "[]" : "]");
        } else if (value instanceof Text text) {
            out.append(Json.write(TextNode.valueOf(cut(text.value(), limit))));
        } else if (value instanceof Num number) {
            out.append(number.lexeme());
        } else {
            out.append(value instanceof Bool bool ? String.valueOf(bool.value()) : "null");
        }
    }

    private static String cut(String text, int limit) {
        if (text.length() <= limit) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(limit - 1)) ? limit - 1 : limit) + "…";
    }
}

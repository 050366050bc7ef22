package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Takes the values that were sent out of a text that may echo them, in the forms in which common languages print them, so that
 * what two calls answered can be compared without what they were asked.
 */
final class ArgumentMask {
    private static final String MARK = "\u0001";
    /** Forms in which a value that is absent or no scalar shows up in a sloppy program's text. */
    private static final List<String> ABSENT_FORMS = List.of("[object Object]", "undefined", "null", "None", "NaN", "nil");

    private ArgumentMask() {}

    /** The text with every value of {@code arguments} replaced by one mark, runs of marks by a single one. */
    static String mask(String text, JsonNode arguments) {
        List<String> forms = new ArrayList<>(ABSENT_FORMS);
        for (JsonNode value : arguments) {
            forms(value, forms);
        }
        forms.sort(Comparator.comparingInt(String::length).reversed());
        String out = text;
        for (String form : forms) {
            if (!form.isBlank()) {
                out = Pattern.compile("(?<![\\w.])" + Pattern.quote(form) + "(?![\\w])|" + repeated(form)).matcher(out).replaceAll(MARK);
            }
        }
        return out.replaceAll(MARK + "(?:\\s*" + MARK + ")+", MARK);
    }

    /** A text may be repeated without a gap; single characters would match anything. */
    private static String repeated(String form) {
        return form.length() >= 4 ? Pattern.quote(form) : "(?!)";
    }

    private static void forms(JsonNode value, List<String> out) {
        if (value.isTextual()) {
            out.add(value.textValue());
            return;
        }
        out.add(Json.write(value));
        if (value.isBoolean()) {
            out.add(value.booleanValue() ? "True" : "False");
        } else if (value.isContainerNode()) {
            out.add(spaced(value, '"', false));
            out.add(spaced(value, '\'', true));
            out.add(go(value));
            if (value.isArray()) {
                List<String> parts = new ArrayList<>();
                value.forEach(part -> parts.add(part.asText()));
                out.add(String.join(",", parts));
            }
            value.forEach(part -> forms(part, out));
        }
    }

    /** As Python prints it: {@code json.dumps} with double quotes, {@code repr} with single ones. */
    private static String spaced(JsonNode value, char quote, boolean python) {
        if (value.isObject()) {
            List<String> parts = new ArrayList<>();
            for (Iterator<Map.Entry<String, JsonNode>> members = value.fields(); members.hasNext();) {
                Map.Entry<String, JsonNode> member = members.next();
                parts.add(quote + member.getKey() + quote + ": " + spaced(member.getValue(), quote, python));
            }
            return "{" + String.join(", ", parts) + "}";
        }
        if (value.isArray()) {
            List<String> parts = new ArrayList<>();
            value.forEach(part -> parts.add(spaced(part, quote, python)));
            return "[" + String.join(", ", parts) + "]";
        }
        if (value.isTextual()) {
            return quote + value.textValue() + quote;
        }
        return !python ? Json.write(value) : value.isNull() ? "None" : value.isBoolean() ? value.booleanValue() ? "True" : "False" : value.asText();
    }

    private static String go(JsonNode value) {
        if (value.isObject()) {
            List<String> parts = new ArrayList<>();
            value.fields().forEachRemaining(member -> parts.add(member.getKey() + ":" + go(member.getValue())));
            return "map[" + String.join(" ", parts) + "]";
        }
        List<String> parts = new ArrayList<>();
        value.forEach(part -> parts.add(go(part)));
        return value.isArray() ? "[" + String.join(" ", parts) + "]" : value.asText();
    }
}

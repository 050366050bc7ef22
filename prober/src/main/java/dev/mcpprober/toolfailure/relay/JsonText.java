package dev.mcpprober.toolfailure.relay;

import dev.mcpprober.toolfailure.ExactJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * JSON text cut apart without being read: where the members of an object and the items of an array stand. What a relay does not have to
 * change it copies as it is, so that numbers keep their digits, and no limit on depth or size of the rest can be passed. The text has to be
 * JSON; of any other text the answers mean nothing, but come and end.
 */
final class JsonText {
    /** A piece of the text: {@code from} inclusive, {@code to} exclusive. */
    record Span(int from, int to) {
        String of(String text) {
            return text.substring(from, to);
        }
    }

    /**
     * @param name  with its quotes and escapes, as written
     * @param value where the value stands
     */
    record Member(Span name, Span value) {}

    private final String text;
    private int at;

    private JsonText(String text, int at) {
        this.text = text;
        this.at = at;
    }

    /** The whole text without white space around it. */
    static Span whole(String text) {
        JsonText scan = new JsonText(text, 0);
        scan.space();
        int from = scan.at;
        scan.value();
        return new Span(from, scan.at);
    }

    static boolean isObject(String text, Span value) {
        return value.from() < value.to() && text.charAt(value.from()) == '{';
    }

    static boolean isArray(String text, Span value) {
        return value.from() < value.to() && text.charAt(value.from()) == '[';
    }

    /** The members of an object, in order; none of anything else. */
    static List<Member> members(String text, Span object) {
        List<Member> out = new ArrayList<>();
        if (!isObject(text, object)) {
            return out;
        }
        JsonText scan = new JsonText(text, object.from() + 1);
        scan.space();
        while (scan.at < object.to() - 1) {
            Span name = scan.value();
            scan.skip(':');
            out.add(new Member(name, scan.value()));
            scan.skip(',');
        }
        return out;
    }

    /** The items of an array; none of anything else. */
    static List<Span> items(String text, Span array) {
        List<Span> out = new ArrayList<>();
        if (!isArray(text, array)) {
            return out;
        }
        JsonText scan = new JsonText(text, array.from() + 1);
        scan.space();
        while (scan.at < array.to() - 1) {
            out.add(scan.value());
            scan.skip(',');
        }
        return out;
    }

    /** Of members with one name the last, as most readers take it. */
    static Optional<Span> member(String text, Span object, String name) {
        Optional<Span> found = Optional.empty();
        for (Member member : members(text, object)) {
            if (named(member.name().of(text), name)) {
                found = Optional.of(member.value());
            }
        }
        return found;
    }

    /** A name may be written with escapes, {@code "\\u0069d"} for {@code "id"}. */
    private static boolean named(String written, String name) {
        return written.indexOf('\\') < 0 ? written.equals("\"" + name + "\"")
                : ExactJson.parse(written).flatMap(ExactJson::asText).filter(name::equals).isPresent();
    }

    private void space() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private void skip(char separator) {
        space();
        if (at < text.length() && text.charAt(at) == separator) {
            at++;
        }
        space();
    }

    /** Passes one value; at least one character, so that every loop ends. */
    private Span value() {
        int from = at;
        int depth = 0;
        do {
            if (at >= text.length()) {
                return new Span(from, at);
            }
            char c = text.charAt(at);
            if (c == '"') {
                string();
            } else if (c == '{' || c == '[') {
                depth++;
                at++;
            } else if (c == '}' || c == ']') {
                depth--;
                at++;
            } else if (depth == 0) {
                literal();
            } else {
                at++;
            }
        } while (depth > 0);
        return new Span(from, at);
    }

    private void string() {
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        at = Math.min(at + 1, text.length());
    }

    private void literal() {
        do {
            at++;
        } while (at < text.length() && ",:{}[]\" \t\n\r".indexOf(text.charAt(at)) < 0);
    }
}

package dev.mcpprober.observation.shape;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a JSON value has to look like under one revision. Objects are open: members that are not named are free. */
public sealed interface Shape {
    /** Any value of one kind. */
    record Plain(Kind kind) implements Shape {}

    /** One of these texts. */
    record Words(Set<String> words) implements Shape {}

    record ListOf(Shape item) implements Shape {}

    /** An object whose every member looks like {@code member}. */
    record MapOf(Shape member) implements Shape {}

    record Members(Map<String, Member> members) implements Shape {}

    /** Any of these. */
    record AnyOf(List<Shape> shapes) implements Shape {}

    /** A named member of an object. */
    record Member(boolean required, Shape shape) {}

    /** Kinds of value, with the words for what is none of them. */
    enum Kind {
        ANY("any", ""), TEXT("text", "is no string"), BOOL("bool", "is no boolean"), INT("int", "is no integer"), NUM("num", "is no number"),
        OBJECT("object", "is no object"), NULL("null", "is not null"), COUNT("count", "is no whole number from 0 on"),
        UNIT("unit", "is no number from 0 to 1");

        private final String word;
        private final String fault;

        Kind(String word, String fault) {
            this.word = word;
            this.fault = fault;
        }

        String word() {
            return word;
        }

        String fault() {
            return fault;
        }
    }
}

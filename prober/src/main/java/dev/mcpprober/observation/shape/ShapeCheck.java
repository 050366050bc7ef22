package dev.mcpprober.observation.shape;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Holds a value against a shape. Every value of it is visited once for each alternative that it may be, of which there are few: work
 * grows with the size of the value and no faster.
 */
public final class ShapeCheck {
    /** Of one value; a list with more is as wrong as it gets. */
    private static final int MAX_FAULTS = 10_000;
    private static final int MAX_QUOTE = 60;

    /** @param words what is wrong there, e.g. {@code is missing} */
    public record Fault(Place place, String words) {
        @Override
        public String toString() {
            return place + " " + words;
        }
    }

    private final Consumer<Fault> sink;
    private int found;

    private ShapeCheck(Consumer<Fault> sink) {
        this.sink = sink;
    }

    /** Tells {@code sink} what is wrong with {@code value}, which stands at {@code place}. */
    public static void faults(Shape shape, JsonNode value, Place place, Consumer<Fault> sink) {
        new ShapeCheck(sink).check(shape, value, place);
    }

    private void fault(Place place, String words) {
        found++;
        sink.accept(new Fault(place, words));
    }

    private void check(Shape shape, JsonNode value, Place place) {
        if (found >= MAX_FAULTS) {
            return;
        }
        if (shape instanceof Shape.Plain plain) {
            if (!fits(plain.kind(), value)) {
                fault(place, plain.kind().fault() + but(value));
            }
        } else if (shape instanceof Shape.Words words) {
            if (!value.isTextual() || !words.words().contains(value.textValue())) {
                fault(place, "is not " + list(new TreeSet<>(words.words())) + but(value));
            }
        } else if (shape instanceof Shape.ListOf list) {
            list(list, value, place);
        } else if (shape instanceof Shape.MapOf map) {
            map(map, value, place);
        } else if (shape instanceof Shape.Members object) {
            object(object, value, place);
        } else {
            anyOf(((Shape.AnyOf) shape).shapes(), value, place);
        }
    }

    private void list(Shape.ListOf list, JsonNode value, Place place) {
        if (!value.isArray()) {
            fault(place, "is no list" + but(value));
            return;
        }
        int i = 0;
        for (JsonNode item : value) {
            check(list.item(), item, place.at(Integer.toString(i++)));
        }
    }

    private void map(Shape.MapOf map, JsonNode value, Place place) {
        if (!value.isObject()) {
            fault(place, "is no object" + but(value));
            return;
        }
        for (Iterator<Map.Entry<String, JsonNode>> each = value.fields(); each.hasNext();) {
            Map.Entry<String, JsonNode> member = each.next();
            check(map.member(), member.getValue(), place.at(member.getKey()));
        }
    }

    private void object(Shape.Members object, JsonNode value, Place place) {
        if (!value.isObject()) {
            fault(place, "is no object" + but(value));
            return;
        }
        for (Map.Entry<String, Shape.Member> member : object.members().entrySet()) {
            JsonNode there = value.get(member.getKey());
            if (there != null) {
                check(member.getValue().shape(), there, place.at(member.getKey()));
            } else if (member.getValue().required()) {
                fault(place.at(member.getKey()), "is missing");
            }
        }
    }

    /** Where a word such as {@code type} says which alternative is meant, its faults are told; else those of the one with the fewest. */
    private void anyOf(List<Shape> shapes, JsonNode value, Place place) {
        List<Shape> meant = shapes.stream().filter(shape -> meant(shape, value)).toList();
        if (meant.isEmpty()) {
            none(shapes, value, place);
            return;
        }
        List<Fault> best = null;
        for (Shape shape : meant) {
            List<Fault> faults = new ArrayList<>();
            new ShapeCheck(faults::add).check(shape, value, place);
            if (faults.isEmpty()) {
                return;
            }
            best = best == null || faults.size() < best.size() ? faults : best;
        }
        best.forEach(one -> fault(one.place(), one.words()));
    }

    private static boolean meant(Shape shape, JsonNode value) {
        if (shape instanceof Shape.Plain plain) {
            return fits(plain.kind(), value);
        } else if (shape instanceof Shape.ListOf) {
            return value.isArray();
        } else if (shape instanceof Shape.Words words) {
            return value.isTextual() && words.words().contains(value.textValue());
        }
        return value.isObject() && (!(shape instanceof Shape.Members object) || object.members().entrySet().stream().allMatch(member -> wordFits(member, value)));
    }

    /** A member that is a word in the shape has one of its words. */
    private static boolean wordFits(Map.Entry<String, Shape.Member> member, JsonNode value) {
        if (!(member.getValue().shape() instanceof Shape.Words words)) {
            return true;
        }
        JsonNode there = value.get(member.getKey());
        return there == null ? !member.getValue().required() : there.isTextual() && words.words().contains(there.textValue());
    }

    private void none(List<Shape> shapes, JsonNode value, Place place) {
        TreeSet<String> words = new TreeSet<>();
        String key = "";
        for (Shape shape : value.isObject() ? shapes : List.<Shape>of()) {
            for (Map.Entry<String, Shape.Member> member : shape instanceof Shape.Members object ? object.members().entrySet() : java.util.Set.<Map.Entry<String, Shape.Member>>of()) {
                if (member.getValue().required() && member.getValue().shape() instanceof Shape.Words some && (key.isEmpty() || key.equals(member.getKey()))) {
                    key = member.getKey();
                    words.addAll(some.words());
                }
            }
        }
        JsonNode there = value.get(key);
        if (key.isEmpty()) {
            fault(place, "is of none of the types that it may have" + but(value));
        } else {
            fault(place.at(key), there == null ? "is missing" : "is not " + list(words) + but(there));
        }
    }

    private static String list(Iterable<String> words) {
        return String.join(" or ", words);
    }

    private static boolean fits(Shape.Kind kind, JsonNode value) {
        return switch (kind) {
            case ANY -> true;
            case TEXT -> value.isTextual();
            case BOOL -> value.isBoolean();
            case INT -> whole(value);
            case NUM -> value.isNumber();
            case OBJECT -> value.isObject();
            case NULL -> value.isNull();
            case COUNT -> whole(value) && value.doubleValue() >= 0;
            case UNIT -> value.isNumber() && value.doubleValue() >= 0 && value.doubleValue() <= 1;
        };
    }

    /** {@code 1.0} is whole, as in JSON Schema. */
    private static boolean whole(JsonNode value) {
        if (value.isIntegralNumber() || !value.isNumber()) {
            return value.isNumber();
        }
        double number = value.doubleValue();
        return !Double.isNaN(number) && (Double.isInfinite(number) || new BigDecimal(number).stripTrailingZeros().scale() <= 0);
    }

    private static String but(JsonNode value) {
        String what = value.isObject() ? "an object" : value.isArray() ? "a list" : value.isTextual() ? '"' + cut(value.textValue()) + '"' : cut(value.asText());
        return " but " + what;
    }

    private static String cut(String text) {
        return text.length() <= MAX_QUOTE ? text : text.substring(0, Character.isHighSurrogate(text.charAt(MAX_QUOTE - 1)) ? MAX_QUOTE - 1 : MAX_QUOTE) + "…";
    }
}

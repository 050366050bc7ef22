package dev.mcpprober.toolfailure.relay;

import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.ToolFailure;
import dev.mcpprober.toolfailure.client.Answer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compares what a server sent with what came through a relay: as JSON values, members in any order, numbers by the characters they are written in. */
public final class Losses {
    private static final int QUOTE = 80;
    private static final int MOST = 20;

    private final List<Loss> found = new ArrayList<>();

    private Losses() {}

    /** What was lost of one result; empty where nothing was. */
    public static List<Loss> between(ExactJson sent, Answer came) {
        Losses losses = new Losses();
        losses.compare(sent, came);
        return losses.found.subList(0, Math.min(MOST, losses.found.size()));
    }

    private void compare(ExactJson sent, Answer came) {
        if (came instanceof Answer.Missing missing) {
            add(Loss.Kind.NO_ANSWER, missing.why());
        } else if (came instanceof Answer.ProtocolError error) {
            add(Loss.Kind.PROTOCOL_ERROR, "the result became the protocol error " + error.error().brief(QUOTE));
        } else {
            results(sent, ((Answer.Result) came).value());
        }
    }

    private void results(ExactJson sent, ExactJson came) {
        boolean wasError = isError(sent);
        if (wasError != isError(came)) {
            add(Loss.Kind.ERROR_FLAG, wasError ? "isError is not true any more" : "isError became true");
        }
        Optional<ExactJson> before = key(sent);
        Optional<ExactJson> after = key(came);
        if (before.isPresent() && after.isPresent()) {
            values(before.get(), after.get(), "");
        } else if (before.isPresent()) {
            gone(came);
        } else if (after.isPresent()) {
            add(Loss.Kind.KEY_INVENTED, "the server sent no object, and the relay made " + after.get().brief(QUOTE));
        }
    }

    private void gone(ExactJson came) {
        String place = place(came, "/result", 0);
        if (place != null) {
            add(Loss.Kind.KEY_MOVED, "the object stands in " + place + " now");
        } else if (came.member("_meta").isEmpty()) {
            add(Loss.Kind.META_DROPPED, "the result has no _meta any more");
        } else {
            add(Loss.Kind.KEY_DROPPED, "_meta is there, the object is not");
        }
    }

    private static boolean isError(ExactJson result) {
        return result.member("isError").filter(new ExactJson.Bool(true)::equals).isPresent();
    }

    private static Optional<ExactJson> key(ExactJson result) {
        return result.member("_meta").flatMap(meta -> meta.member(ToolFailure.KEY));
    }

    /** JSON pointer to the value that has the key; null where none has. */
    private static String place(ExactJson value, String at, int depth) {
        if (value.member(ToolFailure.KEY).isPresent()) {
            return at;
        }
        List<Map.Entry<String, ExactJson>> children = new ArrayList<>();
        if (value instanceof ExactJson.Obj object) {
            children.addAll(object.members().entrySet());
        } else if (value instanceof ExactJson.Arr array) {
            for (int i = 0; i < array.items().size(); i++) {
                children.add(Map.entry(String.valueOf(i), array.items().get(i)));
            }
        }
        return depth > 16 ? null : children.stream().map(child -> place(child.getValue(), at + "/" + escaped(child.getKey()), depth + 1))
                .filter(found -> found != null).findFirst().orElse(null);
    }

    private void values(ExactJson before, ExactJson after, String at) {
        if (before instanceof ExactJson.Obj x && after instanceof ExactJson.Obj y) {
            x.members().forEach((name, value) -> {
                String place = at + "/" + escaped(name);
                if (y.members().containsKey(name)) {
                    values(value, y.members().get(name), place);
                } else {
                    add(Loss.Kind.MEMBER_DROPPED, place + " is gone, it was " + value.brief(QUOTE));
                }
            });
            y.members().forEach((name, value) -> {
                if (!x.members().containsKey(name)) {
                    add(Loss.Kind.MEMBER_ADDED, at + "/" + escaped(name) + " is new: " + value.brief(QUOTE));
                }
            });
        } else if (before instanceof ExactJson.Arr x && after instanceof ExactJson.Arr y && x.items().size() == y.items().size()) {
            for (int i = 0; i < x.items().size(); i++) {
                values(x.items().get(i), y.items().get(i), at + "/" + i);
            }
        } else if (before instanceof ExactJson.Num x && after instanceof ExactJson.Num y && !x.equals(y) && same(x, y)) {
            add(Loss.Kind.NUMBER_REWRITTEN, at + ": " + x.brief(QUOTE) + " became " + y.brief(QUOTE) + ", the same number written differently");
        } else if (!before.equals(after)) {
            add(Loss.Kind.VALUE_CHANGED, (at.isEmpty() ? "the value" : at) + ": " + before.brief(QUOTE) + " became " + after.brief(QUOTE));
        }
    }

    private static boolean same(ExactJson.Num x, ExactJson.Num y) {
        try {
            BigDecimal a = new BigDecimal(x.lexeme());
            BigDecimal b = new BigDecimal(y.lexeme());
            return a.compareTo(b) == 0;
        } catch (NumberFormatException e) {
            // An exponent past every range: written differently, it cannot be called the same.
            return false;
        }
    }

    private static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }

    private void add(Loss.Kind kind, String words) {
        found.add(new Loss(kind, words));
    }
}

package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What came of a call with bad arguments that was met with no refusal. It is judged by comparison with the twin, a call of
 * the same tool with good arguments: a result proves execution only where it resembles what the tool gives when it runs, and
 * a report of failure proves a refusal only where the twin does not report the same one too. Without a twin only output made from the
 * other arguments proves execution. What shows neither is undetermined.
 */
final class ConsequenceJudge {
    private static final int MAX_WORDS = 200;

    /**
     * A call with its result.
     *
     * @param arguments as sent; an object
     */
    record Call(JsonNode arguments, CallResult result) {
        String masked() {
            return ArgumentMask.mask(result.text(), arguments);
        }
    }

    private ConsequenceJudge() {}

    /**
     * @param twin     the same tool called with good arguments, or null where that was not done or gave no usable result
     * @param property the argument under test
     */
    static String judge(Call bad, Call twin, String property) {
        CallResult result = bad.result();
        if (result.inputRequired()) {
            return Consequence.UNDETERMINED;
        }
        if (result.claimsError()) {
            return Consequence.IN_BAND_ERROR;
        }
        if (result.empty()) {
            return Consequence.EMPTY_RESULT;
        }
        String text = bad.masked();
        ErrorSigns signs = ErrorSigns.in(result, text);
        if (twin == null || twin.result().claimsError() || twin.result().inputRequired()) {
            return signs.any() ? Consequence.IN_BAND_ERROR
                    : usesOthers(bad, property) && !names(text, property) ? Consequence.SILENT_EXECUTION : Consequence.UNDETERMINED;
        }
        String twinText = twin.masked();
        ErrorSigns twinSigns = ErrorSigns.in(twin.result(), twinText);
        boolean blames = names(text, property) && !names(twinText, property);
        boolean alike = alike(bad, twin, text, twinText);
        if (signs.any()) {
            // A word alone, in a result that is else like the twin's, may belong to the output.
            boolean news = signs.marked() && (!twinSigns.marked() || otherReport(bad, twin)) || signs.worded() && !twinSigns.worded() && !alike;
            return blames || news ? Consequence.IN_BAND_ERROR : Consequence.UNDETERMINED;
        }
        return alike ? Consequence.SILENT_EXECUTION : blames ? Consequence.IN_BAND_ERROR : Consequence.UNDETERMINED;
    }

    /** Both report a failure by construction, but what the bad call's says in words is another thing than the twin's: the argument made the difference. */
    private static boolean otherReport(Call bad, Call twin) {
        Map<String, String> said = prose(bad);
        return prose(twin).entrySet().stream().anyMatch(leaf -> said.containsKey(leaf.getKey()) && !sharedWords(said.get(leaf.getKey()), leaf.getValue()));
    }

    /** The texts of more than one word in a result's data, by where they stand, without the arguments. */
    private static Map<String, String> prose(Call call) {
        Map<String, String> out = new HashMap<>();
        if (call.result().data() != null) {
            prose(call.result().data(), "", call.arguments(), out);
        }
        return out;
    }

    private static void prose(JsonNode node, String at, JsonNode arguments, Map<String, String> out) {
        if (node.isTextual() && node.textValue().strip().contains(" ")) {
            out.put(at, ArgumentMask.mask(node.textValue(), arguments));
        }
        for (Iterator<Map.Entry<String, JsonNode>> each = node.fields(); each.hasNext() && out.size() < MAX_WORDS;) {
            Map.Entry<String, JsonNode> member = each.next();
            prose(member.getValue(), at + "/" + member.getKey(), arguments, out);
        }
        for (int i = 0; node.isArray() && i < Math.min(node.size(), MAX_WORDS); i++) {
            prose(node.get(i), at + "/" + i, arguments, out);
        }
    }

    /** Without a twin, that the output is made from the other arguments' values too is what shows that the tool ran. */
    private static boolean usesOthers(Call bad, String property) {
        for (Iterator<Map.Entry<String, JsonNode>> each = bad.arguments().fields(); each.hasNext();) {
            Map.Entry<String, JsonNode> argument = each.next();
            String value = argument.getValue().asText();
            if (!argument.getKey().equals(property) && argument.getValue().isTextual() && value.length() >= 3
                    && Pattern.compile("(?<!\\w)" + Pattern.quote(value) + "(?!\\w)").matcher(bad.result().text()).find()) {
                return true;
            }
        }
        return false;
    }

    /** The text speaks of the argument: by a name long enough to mean it, or one in quotes or before a colon. */
    static boolean names(String text, String property) {
        if (property == null || property.isEmpty()) {
            return false;
        }
        String name = Pattern.quote(property);
        String plain = property.length() >= 3 ? "(?<!\\w)" + name + "(?!\\w)|" : "";
        return Pattern.compile(plain + "['\"`]" + name + "['\"`]|(?<!\\w)" + name + "\\s*:", Pattern.CASE_INSENSITIVE).matcher(text).find();
    }

    private static boolean alike(Call bad, Call twin, String text, String twinText) {
        JsonNode data = bad.result().data();
        JsonNode twinData = twin.result().data();
        if (data != null && twinData != null) {
            return data.isArray() == twinData.isArray() && (data.isArray() || sharedKeys(data, twinData));
        }
        if (data != null || twinData != null) {
            return false;
        }
        if (text.isBlank() || twinText.isBlank()) {
            return text.isBlank() && twinText.isBlank() && blocks(bad).equals(blocks(twin));
        }
        return text.contains(twinText.strip()) || twinText.contains(text.strip()) || sharedWords(text, twinText);
    }

    private static List<String> blocks(Call call) {
        List<String> types = new ArrayList<>();
        call.result().node().path("content").forEach(block -> types.add(block.path("type").asText()));
        return types;
    }

    private static boolean sharedKeys(JsonNode a, JsonNode b) {
        Set<String> keys = new HashSet<>();
        a.fieldNames().forEachRemaining(keys::add);
        Set<String> common = new HashSet<>();
        b.fieldNames().forEachRemaining(key -> {
            if (!keys.add(key)) {
                common.add(key);
            }
        });
        return keys.isEmpty() || common.size() * 2 >= keys.size();
    }

    /** At least half of the shorter text's words stand in the other in the same order. */
    static boolean sharedWords(String a, String b) {
        List<String> x = words(a);
        List<String> y = words(b);
        int shorter = Math.min(x.size(), y.size());
        return shorter > 0 && commonInOrder(x, y) * 2 >= shorter;
    }

    private static List<String> words(String text) {
        List<String> all = Arrays.stream(text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}\\x01]+")).filter(word -> !word.isEmpty()).toList();
        return all.subList(0, Math.min(all.size(), MAX_WORDS));
    }

    private static int commonInOrder(List<String> x, List<String> y) {
        int[] row = new int[y.size() + 1];
        for (String word : x) {
            int diagonal = 0;
            for (int j = 1; j <= y.size(); j++) {
                int above = row[j];
                row[j] = word.equals(y.get(j - 1)) ? diagonal + 1 : Math.max(above, row[j - 1]);
                diagonal = above;
            }
        }
        return row[y.size()];
    }
}

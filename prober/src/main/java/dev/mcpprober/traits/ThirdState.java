package dev.mcpprober.traits;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.YamlTree;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks in a tool's texts for words that announce a third state beside success and failure: acknowledged, and nobody has verified it. */
public final class ThirdState {
    public static final List<String> PLACES = List.of("name", "title", "description", "input-name", "input-value", "input-description", "output-name", "output-value",
            "output-description");
    public static final List<String> CLASSES = List.of("state", "deferral", "unproven");
    private static final List<String> TERM_KEYS = List.of("id", "class", "text", "examples");
    private static final List<String> NOT_ONE_KEYS = List.of("id", "why", "terms", "places", "verbs", "text", "unless", "examples");
    /** Of one text; what a tool is for stands at its beginning. */
    private static final int SEARCHED = 20_000;
    private static final int MAX_TEXTS = 5_000;
    private static final int MAX_HITS = 50;
    private static final int MAX_DEPTH = 60;
    /** Characters to either side in which a rule may look. */
    private static final int AROUND = 120;
    private static final int CONTEXT = 60;

    /** @param kind one of {@link #CLASSES} */
    record Term(String id, String kind, Pattern text, List<String> examples) {}

    record NotOne(String id, String why, List<String> terms, List<String> places, List<String> verbs, Optional<Pattern> text, Optional<Pattern> unless,
                  List<String> examples) {
        boolean marks(Term term, Text at, String verb, int start, int end) {
            return (terms.isEmpty() || terms.contains(term.id()) || terms.contains(term.kind())) && (places.isEmpty() || places.contains(at.place()))
                    && (verbs.isEmpty() || verbs.contains(verb)) && text.map(pattern -> over(pattern, at.text(), start, end)).orElse(true)
                    && !unless.map(pattern -> over(pattern, at.text(), start, end)).orElse(false);
        }

        private static boolean over(Pattern pattern, String text, int start, int end) {
            Matcher matcher = pattern.matcher(text).region(Math.max(0, start - AROUND), Math.min(text.length(), end + AROUND));
            matcher.useTransparentBounds(true);
            while (matcher.find()) {
                if (matcher.start() < end && matcher.end() > start) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * One place where a term stands.
     *
     * @param place   one of {@link #PLACES}
     * @param pointer where in the tool, raw, a JSON pointer
     * @param term    its id
     * @param kind    class of the term, one of {@link #CLASSES}
     * @param notOne  id of the rule that marks it as something else; empty where it counts
     * @param context what stands around it, raw
     */
    public record Hit(String place, String pointer, String term, String kind, String notOne, String context) {
        public boolean counts() {
            return notOne.isEmpty();
        }
    }

    /** @param hits at most {@value #MAX_HITS}; {@code whole} is false where there is more than is looked through or kept */
    record Found(List<Hit> hits, boolean whole) {}

    private record Text(String place, String pointer, String text) {}

    private final List<Term> terms;
    private final List<NotOne> notOnes;

    ThirdState(YamlTree file) {
        terms = file.list("terms").stream().map(node -> new Term(node.only(TERM_KEYS).text("id"), node.text("class"), Pattern.compile(node.text("text")),
                node.texts("examples"))).toList();
        notOnes = file.list("not-one").stream().map(node -> new NotOne(node.only(NOT_ONE_KEYS).text("id"), node.text("why"), node.texts("terms"), node.texts("places"),
                node.texts("verbs"), node.optional("text").map(Pattern::compile), node.optional("unless").map(Pattern::compile), node.texts("examples"))).toList();
    }

    List<Term> terms() {
        return terms;
    }

    List<NotOne> notOnes() {
        return notOnes;
    }

    /** @param verb kind of the tool by its name */
    Found in(JsonNode tool, String verb) {
        List<Text> texts = new ArrayList<>();
        boolean all = true;
        for (String place : List.of("name", "title", "description")) {
            if (tool.path(place).isTextual()) {
                texts.add(new Text(place, "/" + place, tool.get(place).textValue()));
            }
        }
        if (tool.path("annotations").path("title").isTextual()) {
            texts.add(new Text("title", "/annotations/title", tool.path("annotations").get("title").textValue()));
        }
        all &= collect(tool.path("inputSchema"), "input", "/inputSchema", 0, false, texts);
        all &= collect(tool.path("outputSchema"), "output", "/outputSchema", 0, false, texts);
        List<Hit> hits = new ArrayList<>();
        for (Text text : texts) {
            all &= text.text().length() <= SEARCHED && look(text, verb, hits);
        }
        return new Found(hits, all);
    }

    private boolean look(Text text, String verb, List<Hit> hits) {
        // Of names, underscores part words as spaces do.
        boolean name = text.place().endsWith("name");
        String said = name ? String.join(" ", ToolNames.words(text.text())) : text.text();
        Text searched = new Text(text.place(), text.pointer(), said);
        for (Term term : terms) {
            Matcher matcher = term.text().matcher(said);
            while (matcher.find()) {
                if (hits.size() == MAX_HITS) {
                    return false;
                }
                String marked = notOnes.stream().filter(rule -> rule.marks(term, searched, verb, matcher.start(), matcher.end())).map(NotOne::id).findFirst().orElse("");
                hits.add(new Hit(text.place(), text.pointer(), term.id(), term.kind(), marked, context(name ? text.text() : said, name, matcher.start(), matcher.end())));
            }
        }
        return true;
    }

    private static String context(String text, boolean whole, int start, int end) {
        int from = whole ? 0 : Math.max(0, start - CONTEXT);
        int to = whole ? Math.min(text.length(), 2 * CONTEXT) : Math.min(text.length(), end + CONTEXT);
        return (from > 0 ? "…" : "") + text.substring(from, to) + (to < text.length() ? "…" : "");
    }

    /** The texts of a schema. @return false where there were too many of them */
    private static boolean collect(JsonNode node, String side, String pointer, int depth, boolean names, List<Text> out) {
        if (depth > MAX_DEPTH || out.size() >= MAX_TEXTS) {
            return node.isMissingNode() || node.isEmpty();
        }
        boolean all = true;
        if (node.isArray()) {
            int i = 0;
            for (JsonNode element : node) {
                all &= collect(element, side, pointer + "/" + i++, depth + 1, false, out);
            }
            return all;
        }
        for (Iterator<Map.Entry<String, JsonNode>> members = node.fields(); members.hasNext();) {
            Map.Entry<String, JsonNode> member = members.next();
            String key = member.getKey();
            String at = pointer + "/" + escaped(key);
            if (out.size() >= MAX_TEXTS) {
                return false;
            }
            if (names) {
                out.add(new Text(side + "-name", at, key));
                all &= collect(member.getValue(), side, at, depth + 1, false, out);
            } else if (List.of("enum", "const", "default", "examples").contains(key)) {
                values(member.getValue(), side, at, out);
            } else if (member.getValue().isTextual() && List.of("description", "title", "$comment").contains(key)) {
                out.add(new Text(side + "-description", at, member.getValue().textValue()));
            } else if (member.getValue().isContainerNode()) {
                all &= collect(member.getValue(), side, at, depth + 1, List.of("properties", "$defs", "definitions").contains(key), out);
            }
        }
        return all;
    }

    private static void values(JsonNode value, String side, String at, List<Text> out) {
        if (value.isTextual()) {
            out.add(new Text(side + "-value", at, value.textValue()));
        } else if (value.isArray()) {
            int i = 0;
            for (JsonNode element : value) {
                if (element.isTextual() && out.size() < MAX_TEXTS) {
                    out.add(new Text(side + "-value", at + "/" + i, element.textValue()));
                }
                i++;
            }
        }
    }

    private static String escaped(String key) {
        String shown = key.length() > 100 ? key.substring(0, Character.isHighSurrogate(key.charAt(99)) ? 99 : 100) : key;
        return shown.replace("~", "~0").replace("/", "~1");
    }
}

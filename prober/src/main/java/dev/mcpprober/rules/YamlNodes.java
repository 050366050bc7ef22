package dev.mcpprober.rules;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads YAML as nodes, which know their lines, and collects what is wrong instead of stopping at the first. After a problem the
 * reading methods give an empty value, so that one mistake is reported once.
 */
final class YamlNodes {
    /** Rules share outcomes by alias. An alias is read as often as it stands, never expanded within itself, so many are harmless. */
    private static final int MAX_ALIASES = 10_000;

    private final String source;
    private final List<Problem> problems = new ArrayList<>();

    YamlNodes(String source) {
        this.source = source;
    }

    private record Problem(int line, String what) {}

    /** What is wrong so far, in the order of lines, each as {@code source:line: what}. */
    List<String> problems() {
        return problems.stream().sorted(Comparator.comparingInt(Problem::line)).map(p -> source + ":" + p.line() + ": " + p.what()).toList();
    }

    /** The one document of {@code text}; empty after a problem. */
    Optional<Node> document(String text) {
        LoadSettings settings = LoadSettings.builder().setLabel(source).setMaxAliasesForCollections(MAX_ALIASES).build();
        try {
            Node found = null;
            for (Node node : new Compose(settings).composeAllFromString(text)) {
                if (found != null) {
                    problem(node, "a second YAML document: a rule file is one document");
                    return Optional.empty();
                }
                found = node;
            }
            if (found == null) {
                problem(1, "empty");
            }
            return Optional.ofNullable(found);
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().or(e::getContextMark).map(Mark::getLine).orElse(0) + 1;
            problem(line, "not YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            problem(1, "not YAML: " + e.getMessage());
        }
        return Optional.empty();
    }

    void problem(Node at, String what) {
        problem(line(at), what);
    }

    void problem(int line, String what) {
        problems.add(new Problem(line, what));
    }

    static int line(Node node) {
        return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
    }

    /** The members of a mapping, each key once; keys that are neither required nor optional are reported and left out. */
    Map<String, Node> members(Node node, String what, Set<String> required, Set<String> optional) {
        Map<String, Node> members = mapping(node, what);
        for (String key : new ArrayList<>(members.keySet())) {
            if (!required.contains(key) && !optional.contains(key)) {
                Set<String> known = new TreeSet<>(required);
                known.addAll(optional);
                problem(members.remove(key), "unknown key '" + key + "' in " + what + "; known: " + String.join(", ", known));
            }
        }
        if (node instanceof MappingNode) {
            for (String key : new TreeSet<>(required)) {
                if (!members.containsKey(key)) {
                    problem(node, what + " lacks '" + key + "'");
                }
            }
        }
        return members;
    }

    /** All members of a mapping in order, each key once. */
    Map<String, Node> mapping(Node node, String what) {
        Map<String, Node> members = new LinkedHashMap<>();
        if (!(node instanceof MappingNode mapping)) {
            problem(node, what + " has to be a mapping");
            return members;
        }
        for (NodeTuple tuple : mapping.getValue()) {
            String key = text(tuple.getKeyNode(), "a key of " + what);
            if (!key.isEmpty() && members.putIfAbsent(key, tuple.getValueNode()) != null) {
                problem(tuple.getKeyNode(), "'" + key + "' stands twice in " + what);
            }
        }
        return members;
    }

    /** A text that is not blank; "" after a problem, or where {@code node} is null (reported as lacking already). */
    String text(Node node, String what) {
        if (node == null) {
            return "";
        }
        if (node instanceof ScalarNode scalar && !scalar.getValue().isBlank()) {
            return scalar.getValue().strip();
        }
        problem(node, what + (node instanceof ScalarNode ? " is empty" : " has to be a text"));
        return "";
    }

    /** The items of a sequence; a single value counts as a sequence of one. */
    List<Node> items(Node node) {
        if (node == null) {
            return List.of();
        }
        return node instanceof SequenceNode sequence ? sequence.getValue() : List.of(node);
    }
}

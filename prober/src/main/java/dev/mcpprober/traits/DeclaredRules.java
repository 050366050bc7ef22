package dev.mcpprober.traits;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.io.YamlTree;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Message;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.WireLine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Trait {@code declared}: what a server says of its tools before anything is called. */
public final class DeclaredRules {
    /** Of one server; whoever lists more is counted by its first ones. */
    public static final int MAX_TOOLS = 5_000;
    /** Requests that ask something else than what tools there are. */
    private static final Set<String> OTHER_PROBES = Set.of("liveness", "tools-capability");

    private final String label;
    private final ToolNames names;
    private final ThirdState thirdState;

    private DeclaredRules(String label, ToolNames names, ThirdState thirdState) {
        this.label = label;
        this.names = names;
        this.thirdState = thirdState;
    }

    /** The bundled file. */
    public static DeclaredRules read() {
        YamlTree file = YamlTree.ofResource("/traits/declared.yaml");
        return new DeclaredRules(file.text("id") + "@" + file.text("version"), new ToolNames(file.tree("verbs")), new ThirdState(file));
    }

    /** {@code id@version}. */
    public String label() {
        return label;
    }

    /** Ids of the terms, in the order of the file. */
    public List<String> terms() {
        return thirdState.terms().stream().map(ThirdState.Term::id).toList();
    }

    /** Ids of the rules that mark false positives, with the reason. */
    public Map<String, String> notOnes() {
        Map<String, String> out = new LinkedHashMap<>();
        thirdState.notOnes().forEach(rule -> out.put(rule.id(), rule.why()));
        return out;
    }

    ToolNames names() {
        return names;
    }

    ThirdState thirdState() {
        return thirdState;
    }

    /** The tools of a session's first listing over all its pages, each name once, the first entry of a name. */
    public List<DeclaredTool> of(Transcript transcript) {
        List<DeclaredTool> out = new ArrayList<>();
        Set<String> open = new HashSet<>();
        Set<String> known = new HashSet<>();
        Set<String> cursors = new HashSet<>();
        String listing = null;
        String probe = "";
        for (Event event : transcript.events()) {
            if (event instanceof Event.StepBegan began) {
                probe = began.probe();
            } else if (event instanceof Event.Sent sent && !OTHER_PROBES.contains(probe) && (listing == null || listing.equals(sent.step())) && asked(sent, open)) {
                listing = sent.step();
            } else if (event instanceof Event.Received received && !open.isEmpty()) {
                for (Message message : WireLine.read(received.bytes()).messages()) {
                    // Ids as text: some servers turn numbers into strings.
                    if (message instanceof Message.Response response && response.id() != null && open.remove(response.id().asText()) && !response.hasError()) {
                        JsonNode result = response.node().path("result");
                        page(result.path("tools"), transcript.header().session(), received.index(), known, out);
                        if (result.path("nextCursor").isTextual() && !cursors.add(result.get("nextCursor").textValue())) {
                            return out;
                        }
                    }
                }
            }
        }
        return out;
    }

    private static boolean asked(Event.Sent sent, Set<String> open) {
        String line = new String(sent.bytes(), StandardCharsets.UTF_8);
        return line.contains("tools/list") && Json.parse(line) instanceof Json.Parsed.Value value && value.node().path("method").asText().equals("tools/list")
                && value.node().hasNonNull("id") && open.add(value.node().get("id").asText());
    }

    private void page(JsonNode tools, String session, int event, Set<String> known, List<DeclaredTool> out) {
        for (JsonNode tool : tools.isArray() ? tools : Json.mapper().createArrayNode()) {
            String name = tool.path("name").isTextual() ? tool.get("name").textValue() : null;
            if (out.size() < MAX_TOOLS && (name == null || known.add(name))) {
                out.add(tool(tool, name, session, event));
            }
        }
    }

    DeclaredTool tool(JsonNode tool, String name, String session, int event) {
        String given = name == null ? "" : name;
        ToolNames.Verb verb = names.verb(given);
        JsonNode annotations = tool.path("annotations");
        Map<String, String> hints = new HashMap<>();
        for (String hint : DeclaredTool.HINTS) {
            JsonNode value = annotations.path(hint);
            hints.put(hint, value.isMissingNode() ? "absent" : value.isBoolean() ? value.asText() : "other");
        }
        ThirdState.Found found = thirdState.in(tool, verb.kind());
        SchemaTraits input = SchemaTraits.of(tool.path("inputSchema"));
        SchemaTraits output = SchemaTraits.of(tool.path("outputSchema"));
        return new DeclaredTool(session, given, ToolNames.form(name), given.isEmpty() ? "" : ToolNames.style(given), verb, annotations.isObject() && !annotations.isEmpty(),
                hints, DeclaredTool.effect(hints), input, output, taskSupport(tool.path("execution").path("taskSupport")),
                tool.path("description").isTextual() ? tool.get("description").textValue().length() : 0, found.hits(), found.whole() && input.whole() && output.whole(), event);
    }

    private static String taskSupport(JsonNode value) {
        return value.isMissingNode() ? "absent" : DeclaredTool.TASK_SUPPORT.subList(1, 4).contains(value.asText()) ? value.asText() : "other";
    }
}

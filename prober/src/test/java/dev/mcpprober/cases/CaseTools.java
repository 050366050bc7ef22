package dev.mcpprober.cases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import java.util.ArrayList;
import java.util.List;

/** The tools of {@link CaseServer}, which look at their arguments as their schemas say. */
final class CaseTools {
    /** A tool that works, one with a closed schema, one that declares its output, one that needs a network. */
    static final String ALL = """
            [{"name":"repeat","description":"Repeats a text.","inputSchema":{"type":"object","properties":{"text":{"type":"string"},
            "count":{"type":"integer","minimum":1}},"required":["text","count"]},"annotations":{"readOnlyHint":true}},
            {"name":"closed","description":"Says a word.","inputSchema":{"type":"object","properties":{"word":{"type":"string"}},"required":["word"],
            "additionalProperties":false},"annotations":{"readOnlyHint":true}},
            {"name":"measure","description":"Measures a text.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},
            "outputSchema":{"type":"object","properties":{"length":{"type":"integer"}},"required":["length"]},"annotations":{"readOnlyHint":true}}]"""
            .replace("\n", "");

    private CaseTools() {}

    static ObjectNode call(JsonNode params, JsonNode id, Era era, CaseSpec spec) {
        JsonNode name = params.path("name");
        JsonNode arguments = params.path("arguments");
        if (!name.isTextual()) {
            return CaseServer.error(id, -32602, "Invalid params: name is not a string", null);
        }
        if (!arguments.isMissingNode() && !arguments.isObject()) {
            return CaseServer.error(id, -32602, "Invalid params: arguments is not an object", null);
        }
        JsonNode tool = tool(spec, name.textValue());
        if (tool == null) {
            return CaseServer.error(id, -32602, "Unknown tool: " + name.textValue(), null);
        }
        List<String> faults = faults(tool.path("inputSchema"), arguments);
        if (!faults.isEmpty()) {
            return says(id, era, "Input validation error: " + String.join("; ", faults), true, null);
        }
        if (tool.has("outputSchema")) {
            return says(id, era, null, false, Json.object().put("length", arguments.path("text").asText().length()));
        }
        return says(id, era, "done: " + arguments.path("text").asText(arguments.path("word").asText()), false, null);
    }

    private static JsonNode tool(CaseSpec spec, String name) {
        for (JsonNode tool : ((Json.Parsed.Value) Json.parse(spec.tools())).node()) {
            if (tool.path("name").asText().equals(name)) {
                return tool;
            }
        }
        return null;
    }

    private static List<String> faults(JsonNode schema, JsonNode arguments) {
        List<String> out = new ArrayList<>();
        schema.path("required").forEach(name -> {
            if (!arguments.has(name.asText())) {
                out.add("'" + name.asText() + "' is a required property");
            }
        });
        arguments.fieldNames().forEachRemaining(name -> {
            JsonNode property = schema.path("properties").path(name);
            if (property.isMissingNode() && schema.path("additionalProperties").isBoolean() && !schema.get("additionalProperties").booleanValue()) {
                out.add("additional property '" + name + "' is not allowed");
            } else if (property.path("type").asText().equals("string") && !arguments.get(name).isTextual()) {
                out.add("'" + name + "' is not of type string");
            } else if (property.path("type").asText().equals("integer") && !arguments.get(name).isIntegralNumber()) {
                out.add("'" + name + "' is not of type integer");
            }
        });
        return out;
    }

    /** A result with one text block; the text is the JSON of {@code structured} where that is given. */
    static ObjectNode says(JsonNode id, Era era, String text, boolean error, JsonNode structured) {
        ObjectNode reply = CaseServer.result(id, "{}", era);
        ObjectNode result = (ObjectNode) reply.get("result");
        result.putArray("content").addObject().put("type", "text").put("text", structured == null ? text : Json.write(structured));
        if (structured != null) {
            result.set("structuredContent", structured);
        }
        if (error) {
            result.put("isError", true);
        }
        return reply;
    }

    /** A to E, as the requirements name the revisions. */
    static ProtocolRevision revision(char letter) {
        return ProtocolRevision.values()[letter - 'A'];
    }

    static String date(char letter) {
        return revision(letter).date();
    }
}

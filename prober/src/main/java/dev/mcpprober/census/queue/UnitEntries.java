package dev.mcpprober.census.queue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Frame entries as they travel: JSON with all that a worker needs. A path is the same on every worker, or is not there. */
final class UnitEntries {
    private UnitEntries() {}

    static String write(FrameEntry entry) {
        ObjectNode node = Json.object().put("line", entry.line()).put("label", entry.label()).put("note", entry.note());
        if (entry.target() instanceof Target.OnDisk disk) {
            node.put("path", disk.path().toAbsolutePath().toString());
        } else {
            node.put("package", entry.url().purl());
        }
        node.set("args", Json.mapper().valueToTree(entry.args()));
        node.set("env", Json.mapper().valueToTree(entry.env()));
        return Json.write(node);
    }

    static FrameEntry read(String text) {
        JsonNode node = ((Json.Parsed.Value) Json.parse(text)).node();
        Target target = node.has("path") ? new Target.OnDisk(Path.of(node.get("path").asText()))
                : new Target.InRegistry(PackageUrl.parse(node.get("package").asText()));
        List<String> args = new ArrayList<>();
        node.get("args").forEach(arg -> args.add(arg.asText()));
        Map<String, String> env = new LinkedHashMap<>();
        node.get("env").fields().forEachRemaining(field -> env.put(field.getKey(), field.getValue().asText()));
        return new FrameEntry(node.get("line").asInt(), node.get("label").asText(), target, args, env, node.get("note").asText());
    }
}

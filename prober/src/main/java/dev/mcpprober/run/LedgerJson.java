package dev.mcpprober.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Ledger events as JSON objects: {@code event} names the kind, the other members are those of the record. */
final class LedgerJson {
    private static final Map<String, Class<? extends LedgerEvent>> KINDS = new LinkedHashMap<>();
    private static final Map<Class<?>, String> NAMES = new HashMap<>();

    static {
        KINDS.put("opened", LedgerEvent.Opened.class);
        KINDS.put("closed", LedgerEvent.Closed.class);
        KINDS.put("excluded", LedgerEvent.Excluded.class);
        KINDS.put("planned", LedgerEvent.Planned.class);
        KINDS.put("started", LedgerEvent.Started.class);
        KINDS.put("installed", LedgerEvent.Installed.class);
        KINDS.put("completed", LedgerEvent.Completed.class);
        KINDS.put("faulted", LedgerEvent.Faulted.class);
        KINDS.put("finished", LedgerEvent.Finished.class);
        KINDS.put("retry-allowed", LedgerEvent.RetryAllowed.class);
        KINDS.forEach((name, type) -> NAMES.put(type, name));
    }

    private LedgerJson() {}

    static String write(LedgerEvent event) {
        ObjectNode node = Json.object();
        node.put("event", NAMES.get(event.getClass()));
        node.setAll((ObjectNode) Json.mapper().valueToTree(event));
        return Json.write(node);
    }

    /** @throws IllegalArgumentException when the line is no event */
    static LedgerEvent read(String line) {
        if (!(Json.parse(line) instanceof Json.Parsed.Value value) || !(value.node() instanceof ObjectNode node)) {
            throw new IllegalArgumentException("not a JSON object");
        }
        JsonNode kind = node.remove("event");
        Class<? extends LedgerEvent> type = kind == null ? null : KINDS.get(kind.asText());
        if (type == null) {
            throw new IllegalArgumentException("no event of this program's ledgers");
        }
        for (var component : type.getRecordComponents()) {
            if (!node.hasNonNull(component.getName())) {
                throw new IllegalArgumentException("\"" + kind.asText() + "\" event without \"" + component.getName() + "\"");
            }
        }
        try {
            return Json.mapper().treeToValue(node, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("\"" + kind.asText() + "\" event: " + e.getOriginalMessage(), e);
        }
    }
}

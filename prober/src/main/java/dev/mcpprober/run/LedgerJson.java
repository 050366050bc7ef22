package dev.mcpprober.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Printable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

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

    private static final Pattern ATTEMPT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]{0,80}-[0-9]{1,9}");

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
            LedgerEvent event = Json.mapper().treeToValue(node, type);
            check(node, event);
            return event;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("\"" + kind.asText() + "\" event: " + e.getOriginalMessage(), e);
        }
    }

    /** Attempts are names of files, and a state is one that a target can be in. */
    private static void check(ObjectNode node, LedgerEvent event) {
        List<String> attempts = new ArrayList<>(event instanceof LedgerEvent.Finished finished ? finished.attempts() : List.of());
        if (node.has("attempt")) {
            attempts.add(node.get("attempt").asText());
        }
        for (String attempt : attempts) {
            if (!ATTEMPT.matcher(attempt).matches()) {
                throw new IllegalArgumentException("no name of an attempt: \"" + Printable.text(attempt, 80) + "\"");
            }
        }
        if (event instanceof LedgerEvent.Finished finished && !TargetState.of(finished.state()).measured()) {
            throw new IllegalArgumentException("a target that is measured is not " + finished.state());
        }
    }
}

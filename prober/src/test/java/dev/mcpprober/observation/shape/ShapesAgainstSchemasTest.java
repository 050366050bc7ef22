package dev.mcpprober.observation.shape;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.ProtocolRevision;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Our shapes and the published schemas say the same of random messages, good ones and such as were spoilt. */
class ShapesAgainstSchemasTest {
    private static final Path SCHEMAS = schemas();
    private static final int GOOD = 60;
    private static final int SPOILT = 240;
    /** What a definition of the published schema is called here; the letters are the revisions that have it. */
    private static final String[][] PAIRS = {
        {"result:initialize", "InitializeResult"}, {"result:server/discover", "DiscoverResult"}, {"Result", "EmptyResult"}, {"result:tools/list", "ListToolsResult"},
        {"CallToolResult", "CallToolResult"}, {"InputRequired", "InputRequiredResult"}, {"result:resources/list", "ListResourcesResult"},
        {"result:resources/templates/list", "ListResourceTemplatesResult"}, {"result:resources/read", "ReadResourceResult"},
        {"result:prompts/list", "ListPromptsResult"}, {"result:prompts/get", "GetPromptResult"}, {"result:completion/complete", "CompleteResult"},
        {"result:subscriptions/listen", "SubscriptionsListenResult"}, {"error:-32042", "URLElicitationRequiredError"},
        {"error:-32021", "MissingRequiredClientCapabilityError"}, {"error:-32022", "UnsupportedProtocolVersionError"},
        {"request:ping", "PingRequest"}, {"request:sampling/createMessage", "CreateMessageRequest"}, {"request:roots/list", "ListRootsRequest"},
        {"request:elicitation/create", "ElicitRequest"}, {"request:tasks/get", "GetTaskRequest"}, {"request:tasks/result", "GetTaskPayloadRequest"},
        {"request:tasks/cancel", "CancelTaskRequest"}, {"request:tasks/list", "ListTasksRequest"},
        {"notification:notifications/cancelled", "CancelledNotification"}, {"notification:notifications/progress", "ProgressNotification"},
        {"notification:notifications/message", "LoggingMessageNotification"}, {"notification:notifications/resources/updated", "ResourceUpdatedNotification"},
        {"notification:notifications/resources/list_changed", "ResourceListChangedNotification"},
        {"notification:notifications/prompts/list_changed", "PromptListChangedNotification"},
        {"notification:notifications/tools/list_changed", "ToolListChangedNotification"},
        {"notification:notifications/elicitation/complete", "ElicitationCompleteNotification"}, {"notification:notifications/tasks/status", "TaskStatusNotification"},
        {"notification:notifications/subscriptions/acknowledged", "SubscriptionsAcknowledgedNotification"}};

    /** In the folder {@code shared} beside the project, or beside a folder above it. */
    private static Path schemas() {
        Path home = Path.of(System.getProperty("prober.home", ".")).toAbsolutePath().normalize();
        for (Path folder = home; folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve("shared/spec-schema"))) {
                return folder.resolve("shared/spec-schema");
            }
        }
        return home.resolve("../../shared/spec-schema");
    }

    @ParameterizedTest
    @EnumSource(ProtocolRevision.class)
    void bothSayTheSame(ProtocolRevision revision) throws Exception {
        Path file = SCHEMAS.resolve(revision.date() + ".json");
        assumeTrue(Files.exists(file), () -> "SKIPPED: the published schemas are not at " + SCHEMAS);
        ObjectNode document = (ObjectNode) Json.mapper().readTree(file.toFile());
        String key = document.has("$defs") ? "$defs" : "definitions";
        ObjectNode definitions = (ObjectNode) document.get(key);
        if (definitions.has("JSONValue")) {
            // The source text of the schema has null and every number here; the generator of the file lost them.
            ((ArrayNode) definitions.path("JSONValue").path("anyOf").path(2).path("type")).add("null").add("number");
        }
        Random random = new Random(20260728 + revision.ordinal());
        int[] count = new int[2];
        List<String> bad = new ArrayList<>();
        for (String[] pair : PAIRS) {
            boolean ours = Shapes.of(revision).find(pair[0]).isPresent();
            // In the modern revision these are no messages of their own, but part of an input_required result.
            boolean theirs = definitions.has(pair[1]) && !(revision == ProtocolRevision.V2026_07_28 && pair[0].startsWith("request:"));
            if (ours != theirs) {
                bad.add(pair[1] + (ours ? " is only here" : " is only in the schema"));
            } else if (ours) {
                new Comparison(revision, document, key, pair, random).run(bad, count);
            }
        }
        assertTrue(bad.isEmpty(), () -> revision.date() + ": " + bad.size() + " differences\n" + String.join("\n", bad.subList(0, Math.min(20, bad.size()))));
        assertTrue(count[0] > 500 && count[1] > 500, "valid " + count[0] + ", invalid " + count[1]);
    }

    private static final class Comparison {
        private final ProtocolRevision revision;
        private final String[] pair;
        private final Random random;
        private final SchemaSample sample;
        private final List<Schema> theirs = new ArrayList<>();
        private final String kind;

        Comparison(ProtocolRevision revision, ObjectNode document, String key, String[] pair, Random random) {
            this.revision = revision;
            this.pair = pair;
            this.random = random;
            this.kind = pair[0].contains(":") ? pair[0].substring(0, pair[0].indexOf(':')) : "result";
            this.sample = new SchemaSample((ObjectNode) document.get(key), random);
            theirs.add(schema(document, key, pair[1]));
            if (kind.equals("request") || kind.equals("notification")) {
                theirs.add(schema(document, key, kind.equals("request") ? "JSONRPCRequest" : "JSONRPCNotification"));
            }
        }

        private static Schema schema(ObjectNode document, String key, String name) {
            ObjectNode root = Json.object();
            root.set("$schema", document.get("$schema"));
            root.put("$ref", "#/" + key + "/" + name);
            root.set(key, document.get(key));
            boolean old = document.path("$schema").asText().contains("draft-07");
            return SchemaRegistry.withDefaultDialect(old ? SpecificationVersion.DRAFT_7 : SpecificationVersion.DRAFT_2020_12, builder -> builder
                    .schemaRegistryConfig(SchemaRegistryConfig.builder().formatAssertionsEnabled(false).build())).getSchema(root);
        }

        void run(List<String> bad, int[] count) {
            for (int i = 0; i < GOOD + SPOILT; i++) {
                JsonNode value = sample.of(pair[1]);
                if (kind.equals("request") || kind.equals("notification") || kind.equals("error")) {
                    envelope((ObjectNode) value);
                }
                if (i >= GOOD) {
                    for (int times = 1 + random.nextInt(2); times > 0; times--) {
                        value = sample.spoil(value);
                    }
                    if (!value.isObject()) {
                        continue;
                    }
                    if (!kind.equals("result")) {
                        envelope((ObjectNode) value);
                    }
                }
                boolean valid = true;
                for (Schema schema : theirs) {
                    valid &= schema.validate(value).isEmpty();
                }
                List<String> faults = faults(value);
                count[valid ? 0 : 1]++;
                if (valid != faults.isEmpty()) {
                    bad.add(pair[1] + ": the schema says " + (valid ? "valid" : theirs.get(0).validate(value)) + ", here " + faults + ": " + Json.write(value));
                }
            }
        }

        /** What our shapes leave out, because other checks look at it, is made right. */
        private void envelope(ObjectNode value) {
            value.put("jsonrpc", "2.0").put("id", 1);
            if (kind.equals("error")) {
                if (value.path("error").isObject()) {
                    ((ObjectNode) value.get("error")).put("code", Integer.parseInt(pair[0].substring(6))).put("message", "m");
                } else {
                    value.putObject("error").put("code", Integer.parseInt(pair[0].substring(6))).put("message", "m");
                }
            } else {
                value.put("method", pair[0].substring(pair[0].indexOf(':') + 1));
            }
        }

        private List<String> faults(JsonNode value) {
            List<String> out = new ArrayList<>();
            JsonNode part = kind.equals("error") ? value.get("error") : value;
            ShapeCheck.faults(Shapes.of(revision).find(pair[0]).orElseThrow(), part, Place.ROOT, fault -> out.add(fault.toString()));
            if (kind.equals("request") || kind.equals("notification")) {
                String any = kind.equals("request") ? "AnyRequest" : "AnyNotification";
                ShapeCheck.faults(Shapes.of(revision).find(any).orElseThrow(), part, Place.ROOT, fault -> out.add(fault.toString()));
            }
            return out;
        }
    }

    /** Every name that the file uses is there, in each revision; a map keeps the message readable. */
    @ParameterizedTest
    @EnumSource(ProtocolRevision.class)
    void theFileIsRead(ProtocolRevision revision) {
        Map<String, Boolean> wanted = new TreeMap<>();
        for (String name : List.of("result:tools/list", "result:tools/call", "AnyRequest", "AnyNotification", "Result", "notification:notifications/message")) {
            wanted.put(name, Shapes.of(revision).find(name).isPresent());
        }
        assertTrue(!wanted.containsValue(false), wanted::toString);
    }
}

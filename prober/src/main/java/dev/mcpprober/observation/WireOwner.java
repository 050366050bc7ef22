package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Which check finds a fault of shape by itself, so that one cause is one finding. */
final class WireOwner {
    /** A place in the result of a method, as a pattern of its JSON Pointer. */
    private record Place(String method, Pattern place, Check check) {
        static Place of(String method, String place, Check check) {
            return new Place(method, Pattern.compile(place), check);
        }
    }

    /** What else is known of the result. */
    record Told(boolean schemaJudged, boolean nullCursor) {
        /** @param misfits see {@link #misfits} */
        static Told of(SessionLog log, Exchange exchange, JsonNode result, Set<String> misfits) {
            boolean judged = exchange.method().equals("tools/call")
                    && (misfits.contains(exchange.params().path("name").asText()) || outputJudged(log, exchange, result));
            return new Told(judged, result.path("nextCursor").isNull());
        }

        /** The tools whose call with good arguments gave structured content that is no object; what else they are called with is no second cause. */
        static Set<String> misfits(List<SessionLog> logs) {
            Set<String> out = new HashSet<>();
            for (SessionLog log : logs) {
                for (Exchange exchange : log.exchanges()) {
                    JsonNode result = exchange.readable() == null ? null : exchange.readable().response().node().path("result");
                    if (result != null && exchange.method().equals("tools/call") && result.has("structuredContent") && !result.get("structuredContent").isObject()
                            && outputJudged(log, exchange, result)) {
                        out.add(exchange.params().path("name").asText());
                    }
                }
            }
            return out;
        }

        /** A call with good arguments to a tool that declares its output: there the structured content is looked at. */
        private static boolean outputJudged(SessionLog log, Exchange exchange, JsonNode result) {
            boolean twin = log.steps().stream().anyMatch(step -> step.contains(exchange.sentAt()) && step.probe().equals(Probe.VALID_TWIN));
            return twin && !result.path("isError").asBoolean()
                    && ToolList.of(log).tool(exchange.params().path("name").asText()).map(tool -> tool.node().path("outputSchema").isObject()).orElse(false);
        }
    }

    private static final List<Place> PLACES = List.of(
            Place.of("initialize", "/result|/result/(protocolVersion|capabilities|serverInfo|serverInfo/name|serverInfo/version)", Check.SERVER_INITIALIZE),
            Place.of("server/discover", "/result|/result/(supportedVersions(/.*)?|capabilities)", Check.DISCOVER),
            Place.of("server/discover", "/result/(ttlMs|cacheScope)", Check.DISCOVER_CACHING),
            Place.of("ping", "/result", Check.PING),
            Place.of("tools/list", "/result/tools/\\d+/inputSchema/type", Check.TOOLS_SCHEMA_ROOT),
            Place.of("tools/list", "/result/tools/\\d+/inputSchema/\\$schema", Check.TOOLS_SCHEMA_VALID),
            Place.of("tools/list", "/result|/result/tools|/result/tools/\\d+|/result/tools/\\d+/(name|description|inputSchema.*)", Check.TOOLS_LIST),
            Place.of("tools/list", "/result/(ttlMs|cacheScope)", Check.TOOLS_LIST_CACHING),
            Place.of("tools/call", "/result|/result/(content.*|isError)", Check.CONTENT_BLOCKS));
    private static final Pattern OUTPUT_ROOT = Pattern.compile("/result/tools/\\d+/outputSchema(/type)?");

    private WireOwner() {}

    static Optional<Check> ofResult(String method, String place, ProtocolRevision revision, Told told) {
        if (place.equals("/result/resultType") && revision.era() == Era.MODERN) {
            return Optional.of(Check.RESULT_TYPE);
        }
        // A null cursor is the end of the list to every reader; that it breaches the schema is said by nobody else.
        if (method.equals("tools/list") && place.equals("/result/nextCursor")) {
            return told.nullCursor() ? Optional.empty() : Optional.of(Check.TOOLS_LIST_PAGINATION);
        }
        if (method.equals("tools/list") && revision.era() == Era.LEGACY && OUTPUT_ROOT.matcher(place).matches()) {
            return Optional.of(Check.OUTPUT_SCHEMA_ROOT);
        }
        if (method.equals("tools/call") && place.equals("/result/structuredContent") && told.schemaJudged()) {
            return Optional.of(Check.OUTPUT_SCHEMA);
        }
        return PLACES.stream().filter(one -> one.method().equals(method) && one.place().matcher(place).matches()).map(Place::check).findFirst();
    }

    static Optional<Check> ofError(String code) {
        return code.equals("-32022") ? Optional.of(Check.UNSUPPORTED_VERSION) : Optional.empty();
    }
}

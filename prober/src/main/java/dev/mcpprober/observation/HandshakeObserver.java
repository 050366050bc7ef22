package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The opening requests: {@code initialize}, {@code server/discover}, and what a modern server says of versions. */
final class HandshakeObserver {
    private static final Pattern VERSION = Pattern.compile("\\b20\\d\\d-\\d\\d-\\d\\d\\b");

    private HandshakeObserver() {}

    /** {@code initialize} to a server that has a legacy era, or no era at all. */
    static Observation initialize(SessionLog log, StepView step) {
        return initializeReading(log, step).observation(Subjects.of(Check.SERVER_INITIALIZE, log), null);
    }

    /** {@code initialize} to a server that answers {@code server/discover} but has no legacy era. */
    static Observation initializeOnModern(SessionLog log, StepView step, String modernRevision) {
        Subject subject = new Subject(Check.INITIALIZE_ON_MODERN.id(), log.name(), Era.MODERN, modernRevision, null, null, false);
        return initializeReading(log, step).observation(subject, null);
    }

    static Reading initializeReading(SessionLog log, StepView step) {
        Exchange exchange = log.handshake().exchange();
        if (exchange == null) {
            return Reading.notRun("initialize was not sent", List.of());
        }
        Reading reading = Reactions.toRequest(log, step, exchange);
        if (reading.observed().equals(Observed.PROTOCOL_ERROR)) {
            return namesVersions(exchange.answer().response().node().get("error")) ? reading.plus(Set.of(Flag.NAMES_VERSIONS)) : reading;
        }
        if (!reading.observed().equals(Observed.RESULT)) {
            return reading;
        }
        List<String> faults = initializeFaults(reading.result());
        if (!faults.isEmpty()) {
            return reading.as(Observed.INVALID_RESPONSE, String.join(", ", faults) + ": " + reading.detail()).plus(Set.of(Flag.SCHEMA));
        }
        return log.handshake().done() ? reading : reading.plus(Set.of(Flag.UNKNOWN_REVISION));
    }

    private static boolean namesVersions(JsonNode error) {
        return VERSION.matcher(error.path("message").asText() + " " + error.path("data")).find();
    }

    /** What InitializeResult demands and the result does not have. */
    static List<String> initializeFaults(JsonNode result) {
        List<String> faults = new ArrayList<>();
        member(faults, result, "protocolVersion", result.path("protocolVersion").isTextual(), "string");
        member(faults, result, "capabilities", result.path("capabilities").isObject(), "object");
        member(faults, result, "serverInfo", result.path("serverInfo").isObject(), "object");
        if (result.path("serverInfo").isObject()) {
            JsonNode info = result.get("serverInfo");
            member(faults, info, "serverInfo.name", info.path("name").isTextual(), "string");
            member(faults, info, "serverInfo.version", info.path("version").isTextual(), "string");
        }
        return faults;
    }

    private static void member(List<String> faults, JsonNode parent, String name, boolean right, String type) {
        if (!right) {
            String key = name.substring(name.lastIndexOf('.') + 1);
            faults.add(parent.has(key) ? name + " is no " + type : name + " is missing");
        }
    }

    static Observation discover(SessionLog log, StepView step) {
        Subject subject = Subjects.of(Check.DISCOVER, log);
        Exchange exchange = log.handshake().exchange();
        if (exchange == null) {
            return new Observation.NotRun(subject, "server/discover was not sent", "", List.of());
        }
        Reading reading = Reactions.toRequest(log, step, exchange);
        if (reading.observed().equals(Observed.RESULT)) {
            List<String> faults = new ArrayList<>();
            JsonNode result = reading.result();
            member(faults, result, "supportedVersions", texts(result.path("supportedVersions")), "list of strings");
            member(faults, result, "capabilities", result.path("capabilities").isObject(), "object");
            member(faults, result, "ttlMs", result.path("ttlMs").isNumber(), "number");
            member(faults, result, "cacheScope", result.path("cacheScope").isTextual(), "string");
            member(faults, result, "resultType", result.path("resultType").isTextual(), "string");
            if (!faults.isEmpty()) {
                reading = reading.as(Observed.INVALID_RESPONSE, String.join(", ", faults) + ": " + reading.detail()).plus(Set.of(Flag.SCHEMA));
            }
        }
        return reading.observation(subject, null);
    }

    private static boolean texts(JsonNode array) {
        if (!array.isArray()) {
            return false;
        }
        for (JsonNode element : array) {
            if (!element.isTextual()) {
                return false;
            }
        }
        return true;
    }

    /** Whether the version that the discover request named, and that was served, stands in the list of those supported. */
    static List<Observation> listsVersion(SessionLog log) {
        Handshake handshake = log.handshake();
        JsonNode versions = handshake.result().path("supportedVersions");
        List<String> listed = Handshake.strings(versions);
        if (!versions.isArray() || !listed.isEmpty() && listed.stream().allMatch(HandshakeObserver::legacyRevision)) {
            return List.of();
        }
        String offered = log.header().offeredRevision();
        Subject subject = new Subject(Check.DISCOVER_LISTS_VERSION.id(), log.name(), Era.MODERN, offered, null, null, false);
        return List.of(new Observation.Finding(subject, listed.contains(offered) ? "listed" : "unlisted", Set.of(), Phrase.quote(versions),
                List.of(handshake.exchange().sentAt(), handshake.event())));
    }

    /** A refused version whose error lists other supported versions than {@code server/discover} does; empty where none was seen. */
    static Optional<Observation> disagreeing(List<SessionLog> logs, String modernRevision) {
        Set<String> listed = new HashSet<>();
        logs.stream().filter(log -> log.handshake().done()).findFirst()
                .ifPresent(log -> listed.addAll(Handshake.strings(log.handshake().result().path("supportedVersions"))));
        for (SessionLog log : listed.isEmpty() ? List.<SessionLog>of() : logs) {
            for (Exchange exchange : log.exchanges()) {
                JsonNode error = exchange.answer() == null ? null : exchange.answer().response().node().path("error");
                JsonNode supported = error == null ? null : error.path("data").path("supported");
                if (supported != null && error.path("code").asInt() == -32022 && texts(supported) && !listed.equals(new HashSet<>(Handshake.strings(supported)))) {
                    Subject subject = new Subject(Check.DISCOVER_LISTS_VERSION.id(), log.name(), Era.MODERN, modernRevision, null, null, false);
                    return Optional.of(new Observation.Finding(subject, "unlisted", Set.of(), Phrase.detail("the error lists " + Phrase.quote(supported)
                            + ", server/discover " + String.join(", ", listed)), List.of(exchange.sentAt(), exchange.answer().event())));
                }
            }
        }
        return Optional.empty();
    }

    /** A version that no server has, named in the {@code _meta} of the first request of a process. */
    static Observation unsupportedVersion(SessionLog log, StepView step, String modernRevision) {
        Subject subject = new Subject(Check.UNSUPPORTED_VERSION.id(), log.name(), Era.MODERN, modernRevision, null, null, false);
        List<Exchange> exchanges = log.exchanges(step);
        if (exchanges.isEmpty()) {
            return new Observation.NotRun(subject, step.detail(), "", List.of());
        }
        Exchange exchange = exchanges.get(0);
        Reading reading = Reactions.toRequest(log, step, exchange);
        if (reading.observed().equals(Observed.PROTOCOL_ERROR)) {
            JsonNode data = exchange.answer().response().node().path("error").path("data");
            Set<String> flags = new LinkedHashSet<>();
            if (texts(data.path("supported")) && !data.path("supported").isEmpty()) {
                flags.add(Flag.DATA_SUPPORTED);
            }
            JsonNode asked = exchange.params().path("_meta").path("io.modelcontextprotocol/protocolVersion");
            if (data.path("requested").isTextual() && data.path("requested").textValue().equals(asked.asText())) {
                flags.add(Flag.DATA_REQUESTED);
            }
            reading = reading.plus(flags);
        }
        return reading.observation(subject, null);
    }

    /** The era that a probe with {@code server/discover} and handshakes in processes of their own show. */
    static Observation era(SessionLog log, StepView step, boolean legacyHandshake) {
        Subject subject = new Subject(Check.ERA_DETECT.id(), log.name(), Era.MODERN, log.handshake().revision(), null, null, false);
        Exchange exchange = log.handshake().exchange();
        if (exchange == null) {
            return new Observation.NotRun(subject, step.skipped() ? step.detail() : "server/discover was not sent", "", List.of());
        }
        Reading reading = Reactions.toRequest(log, step, exchange);
        Set<String> flags = new LinkedHashSet<>();
        String modern = null;
        if (log.handshake().done()) {
            modern = "modern";
        } else if (log.handshake().result().path("supportedVersions").isArray()) {
            modern = "modern-unsupported";
        } else if (reading.observed().equals(Observed.PROTOCOL_ERROR) && reading.code() != null) {
            JsonNode data = exchange.answer().response().node().path("error").path("data");
            boolean draft = reading.code() == -32004 && (data.has("supported") || data.has("supportedVersions"));
            boolean version = reading.code() == -32022 || draft;
            modern = version ? "modern-unsupported" : reading.code() == -32020 || reading.code() == -32021 ? "modern" : null;
            if (draft) {
                flags.add(Flag.DRAFT_CODE);
            }
        }
        if (modern == null && namesModern(log.handshake().result())) {
            flags.add(Flag.CLAIMS_MODERN);
        }
        if (legacyHandshake) {
            flags.add(Flag.LEGACY_HANDSHAKE);
        }
        String era = modern == null ? legacyHandshake ? "legacy" : "none" : modern.equals("modern") && legacyHandshake ? "dual" : modern;
        String detail = "server/discover: " + (reading.ran() ? reading.observed() + " " : "") + reading.detail();
        return new Observation.Finding(subject, era, flags, Phrase.detail(detail), reading.witness());
    }

    /** The server is of the modern era, and of the versions that it names none is ours and none is one of the handshake's. */
    static boolean modernOfAnotherVersion(SessionLog log, StepView step) {
        String era = era(log, step, false).observed();
        Exchange.Reply answer = log.handshake().exchange() == null ? null : log.handshake().exchange().answer();
        if (answer == null || !era.equals("modern-unsupported")) {
            return false;
        }
        JsonNode data = answer.response().node().path("error").path("data");
        return Stream.of(log.handshake().result().path("supportedVersions"), data.path("supported"), data.path("supportedVersions"))
                .flatMap(list -> Handshake.strings(list).stream()).noneMatch(HandshakeObserver::legacyRevision);
    }

    /** A result that is no DiscoverResult, but in some member of its own says that the server speaks a modern revision. */
    private static boolean namesModern(JsonNode result) {
        for (JsonNode member : result) {
            List<String> said = member.isTextual() ? List.of(member.textValue()) : Handshake.strings(member);
            if (said.stream().anyMatch(text -> ProtocolRevision.of(text).map(revision -> revision.era() == Era.MODERN).orElse(false))) {
                return true;
            }
        }
        return false;
    }

    private static boolean legacyRevision(String text) {
        return ProtocolRevision.of(text).map(revision -> revision.era() == Era.LEGACY).orElse(false);
    }
}

package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.transcript.Message;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What only the modern era demands of results and errors. */
final class ModernObserver {
    private static final Set<String> RESULT_TYPES = Set.of("complete", "input_required");
    /** Codes of the reserved range that the revision defines. */
    private static final Set<Long> DEFINED = Set.of(-32020L, -32021L, -32022L);

    private ModernObserver() {}

    static List<Observation> observe(List<SessionLog> all) {
        List<SessionLog> logs = all.stream().filter(log -> log.handshake().done()).toList();
        if (logs.isEmpty()) {
            return List.of();
        }
        List<Observation> out = new ArrayList<>();
        out.add(Breaches.over(logs, Breaches.Rule.conformity(Check.RESULT_TYPE, ModernObserver::resultTypes), Set.of()));
        out.add(Breaches.over(logs, Breaches.Rule.conformity(Check.INPUT_REQUIRED_SCOPE, ModernObserver::inputRequired), Set.of()));
        out.add(serverInfo(logs));
        out.add(codes(logs));
        out.addAll(caching(Check.DISCOVER_CACHING, logs.get(0), List.of(logs.get(0).handshake().exchange())));
        return out;
    }

    private static List<Matching.Seen<Message.Response>> results(SessionLog log) {
        Set<Integer> foreign = log.exchanges().stream().filter(exchange -> exchange.answer() != null && IllegalFrames.foreign(log, exchange))
                .map(exchange -> exchange.answer().event()).collect(Collectors.toSet());
        return log.matching().responses().stream().filter(seen -> !foreign.contains(seen.event()))
                .filter(seen -> seen.message().hasResult() && !seen.message().hasError() && seen.message().node().get("result").isObject()).toList();
    }

    private static Breaches resultTypes(SessionLog log) {
        Breaches out = new Breaches();
        for (Matching.Seen<Message.Response> seen : results(log)) {
            JsonNode result = seen.message().node().get("result");
            JsonNode type = result.path("resultType");
            if (!type.isTextual() || !RESULT_TYPES.contains(type.textValue())) {
                out.add(type.isMissingNode() ? Flag.MISSING : Flag.UNKNOWN_VALUE,
                        () -> "resultType is " + Phrase.quote(type) + " in " + Phrase.quote(result), seen.event());
            }
        }
        return out;
    }

    private static Breaches inputRequired(SessionLog log) {
        Breaches out = new Breaches();
        for (Exchange exchange : log.exchanges()) {
            JsonNode result = exchange.answer() == null ? null : exchange.answer().response().node().get("result");
            if (result != null && result.isObject() && CallResult.of(result).inputRequired()) {
                InputRequest.faults(exchange, result).forEach(fault ->
                        out.add(fault.flag(), () -> fault.words() + ": " + Phrase.quote(result), exchange.sentAt(), exchange.answer().event()));
            }
        }
        return out;
    }

    private static Observation serverInfo(List<SessionLog> logs) {
        SessionLog first = logs.get(0);
        JsonNode discovered = first.handshake().result();
        boolean topLevel = discovered.path("serverInfo").isObject() && !discovered.path("_meta").path(Handshake.SERVER_INFO).isObject();
        if (topLevel) {
            return new Observation.Finding(Subjects.of(Check.SERVER_INFO_META, first), "top-level-only", Set.of(), Phrase.quote(discovered),
                    List.of(first.handshake().event()));
        }
        return Breaches.over(logs, new Breaches.Rule(Check.SERVER_INFO_META, Observed.PRESENT, Observed.ABSENT, ModernObserver::withoutServerInfo), Set.of());
    }

    private static Breaches withoutServerInfo(SessionLog log) {
        Breaches out = new Breaches();
        for (Matching.Seen<Message.Response> seen : results(log)) {
            JsonNode result = seen.message().node().get("result");
            JsonNode info = result.path("_meta").path(Handshake.SERVER_INFO);
            if (!info.path("name").isTextual() || !info.path("version").isTextual()) {
                out.add("", () -> "no serverInfo in _meta of " + Phrase.quote(result), seen.event());
            }
        }
        return out;
    }

    private static Observation codes(List<SessionLog> logs) {
        Set<Long> seen = new TreeSet<>();
        logs.forEach(log -> log.matching().responses().forEach(r -> code(r.message()).ifPresent(seen::add)));
        if (seen.isEmpty()) {
            return new Observation.NotRun(Subjects.of(Check.ERROR_CODE_RANGE, logs.get(0)), "no error was received", "", List.of());
        }
        Set<String> notes = seen.stream().anyMatch(code -> code <= -32000 && code >= -32019 && code != -32002) ? Set.of(Flag.LEGACY_CODES) : Set.of();
        Observation.Finding finding = Breaches.over(logs, Breaches.Rule.conformity(Check.ERROR_CODE_RANGE, ModernObserver::forbiddenCodes), notes);
        String all = "codes seen: " + seen.stream().limit(20).map(String::valueOf).collect(Collectors.joining(", "));
        return new Observation.Finding(finding.subject(), finding.observed(), finding.flags(),
                Phrase.detail(finding.observed().equals(Observed.CONFORMS) ? all : finding.detail() + "; " + all), finding.witness());
    }

    private static Optional<Long> code(Message.Response response) {
        JsonNode code = response.node().path("error").path("code");
        return code.isIntegralNumber() && code.canConvertToLong() ? Optional.of(code.longValue()) : Optional.empty();
    }

    private static Breaches forbiddenCodes(SessionLog log) {
        Breaches out = new Breaches();
        for (Matching.Seen<Message.Response> seen : log.matching().responses()) {
            code(seen.message()).filter(code -> code <= -32020 && code >= -32099 && !DEFINED.contains(code) || code == -32002)
                    .ifPresent(code -> out.add("", () -> "code " + code + ": " + Phrase.quote(seen.message().node()), seen.event()));
        }
        return out;
    }

    /** {@code ttlMs} and {@code cacheScope} of the results of {@code exchanges}. */
    static List<Observation> caching(Check check, SessionLog log, List<Exchange> exchanges) {
        Set<String> scopes = new LinkedHashSet<>();
        Set<String> flags = new LinkedHashSet<>();
        List<Integer> witness = new ArrayList<>();
        String observed = Observed.PRESENT;
        String detail = "";
        for (Exchange exchange : exchanges) {
            JsonNode result = exchange.answer() == null ? null : exchange.answer().response().node().get("result");
            if (result == null || !result.isObject()) {
                continue;
            }
            witness.add(exchange.sentAt());
            witness.add(exchange.answer().event());
            JsonNode ttl = result.path("ttlMs");
            JsonNode scope = result.path("cacheScope");
            boolean whole = ttl.isNumber() && ttl.doubleValue() == Math.rint(ttl.doubleValue()) && ttl.doubleValue() >= 0;
            if (ttl.isMissingNode() || scope.isMissingNode()) {
                observed = Observed.ABSENT;
                detail = (ttl.isMissingNode() ? "ttlMs" : "cacheScope") + " is missing";
                break;
            }
            scopes.add(scope.asText());
            if (!whole || !(scope.isTextual() && Set.of("public", "private").contains(scope.textValue())) || scopes.size() > 1) {
                observed = Observed.VIOLATES;
                detail = scopes.size() > 1 ? "cacheScope differs from page to page" : "ttlMs " + Phrase.quote(ttl) + ", cacheScope " + Phrase.quote(scope);
                break;
            }
            if (!ttl.isIntegralNumber()) {
                flags.add(Flag.FRACTION_FORM);
            }
            detail = "ttlMs " + ttl.asText() + ", cacheScope " + scope.asText();
        }
        // How one page writes its number says nothing of what another lacks.
        Set<String> notes = observed.equals(Observed.PRESENT) ? flags : Set.of();
        return witness.isEmpty() ? List.of() : List.of(new Observation.Finding(Subjects.of(check, log), observed, notes, Phrase.detail(detail), witness));
    }
}

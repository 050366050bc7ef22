package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.observation.shape.Place;
import dev.mcpprober.observation.shape.Shape;
import dev.mcpprober.observation.shape.ShapeCheck;
import dev.mcpprober.observation.shape.Shapes;
import dev.mcpprober.transcript.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every message of an era's sessions, held against the shapes of the revision in force: {@code wire-schema}, and {@code content-blocks}
 * for what is in the results of calls. What another check looks at by name is its finding, not a second one here.
 */
final class WireObserver {
    private static final Place RESULT = Place.of("result");

    /** What one session shows. */
    private static final class Found {
        private final Breaches own = new Breaches();
        /** Faults that are findings of other checks, and which. */
        private final Breaches owned = new Breaches();
        private final Set<String> owners = new TreeSet<>();
        private final Breaches content = new Breaches();
        private boolean calls;
        private boolean emptyError;
    }

    private final Map<SessionLog, Found> found = new HashMap<>();

    private WireObserver() {}

    static List<Observation> observe(List<SessionLog> all) {
        List<SessionLog> logs = all.stream().filter(log -> revision(log).isPresent() || saidSomething(log)).toList();
        if (logs.stream().noneMatch(log -> revision(log).isPresent())) {
            return new WireObserver().withoutRevision(logs, all.get(0));
        }
        return new WireObserver().read(logs);
    }

    private static Optional<ProtocolRevision> revision(SessionLog log) {
        return log.handshake().known().filter(revision -> revision.era() == log.era());
    }

    private static boolean saidSomething(SessionLog log) {
        return !log.matching().responses().isEmpty() || !log.matching().notifications().isEmpty() || !log.matching().serverRequests().isEmpty();
    }

    /** Which shapes hold is not known; that a message names its version holds under all. */
    private List<Observation> withoutRevision(List<SessionLog> logs, SessionLog any) {
        logs.forEach(log -> found.put(log, versions(log, new Found())));
        Observation.Finding wire = logs.isEmpty() ? null : over(Check.WIRE_SCHEMA, logs, false);
        List<Observation> out = new ArrayList<>();
        out.add(wire != null && wire.observed().equals(Observed.VIOLATES) ? wire : notRun(Check.WIRE_SCHEMA, any, "no revision was agreed on"));
        out.add(notRun(Check.CONTENT_BLOCKS, any, "no revision was agreed on"));
        return out;
    }

    private static Observation.NotRun notRun(Check check, SessionLog log, String reason) {
        return new Observation.NotRun(Subjects.of(check, log), reason, "", List.of());
    }

    private List<Observation> read(List<SessionLog> logs) {
        Set<String> misfits = WireOwner.Told.misfits(logs);
        for (SessionLog log : logs) {
            Found here = versions(log, new Found());
            revision(log).ifPresent(revision -> shapes(log, revision, misfits, here));
            found.put(log, here);
        }
        Observation.Finding wire = over(Check.WIRE_SCHEMA, logs, false);
        if (wire.observed().equals(Observed.CONFORMS)) {
            Observation.Finding elsewhere = over(Check.WIRE_SCHEMA, logs, true);
            if (elsewhere.observed().equals(Observed.VIOLATES)) {
                Set<String> owners = new TreeSet<>();
                found.values().forEach(one -> owners.addAll(one.owners));
                wire = new Observation.Finding(elsewhere.subject(), elsewhere.observed(), Set.of(Flag.REPORTED_ELSEWHERE),
                        Phrase.detail("found by " + String.join(", ", owners) + ": " + elsewhere.detail()), elsewhere.witness());
            }
        }
        List<SessionLog> called = logs.stream().filter(log -> found.get(log).calls).toList();
        List<Observation> out = new ArrayList<>(List.of(wire));
        if (called.isEmpty()) {
            out.add(notRun(Check.CONTENT_BLOCKS, logs.get(0), "no result of a call was received"));
        } else {
            Set<String> notes = called.stream().anyMatch(log -> found.get(log).emptyError) ? Set.of(Flag.EMPTY) : Set.of();
            out.add(Breaches.over(called, Breaches.Rule.conformity(Check.CONTENT_BLOCKS, log -> found.get(log).content), notes));
        }
        return out;
    }

    private Observation.Finding over(Check check, List<SessionLog> logs, boolean owned) {
        return Breaches.over(logs, Breaches.Rule.conformity(check, log -> owned ? found.get(log).owned : found.get(log).own), Set.of());
    }

    private static Found versions(SessionLog log, Found out) {
        List<Matching.Seen<? extends Message>> all = new ArrayList<>(log.matching().responses());
        all.addAll(log.matching().serverRequests());
        all.addAll(log.matching().notifications());
        for (Matching.Seen<? extends Message> message : all) {
            JsonNode version = message.message().node().path("jsonrpc");
            if (!(version.isTextual() && version.textValue().equals("2.0"))) {
                out.own.add("jsonrpc", () -> "/jsonrpc is " + Phrase.quote(version) + " instead of \"2.0\"", message.event());
            }
        }
        return out;
    }

    private static void shapes(SessionLog log, ProtocolRevision revision, Set<String> misfits, Found out) {
        Shapes shapes = Shapes.of(revision);
        for (Exchange exchange : log.exchanges()) {
            Exchange.Reply reply = IllegalFrames.foreign(log, exchange) ? null : exchange.readable();
            if (reply != null && reply.response().hasResult() && !reply.response().hasError()) {
                result(shapes, revision, log, exchange, reply, misfits, out);
            } else if (reply != null && reply.response().hasError() && !reply.response().hasResult()) {
                error(shapes, exchange, reply, out);
            }
        }
        for (Matching.Seen<Message.Request> seen : log.matching().serverRequests()) {
            JsonNode id = seen.message().id();
            if (!id.isTextual() && !id.isIntegralNumber() && !(id.isNumber() && id.doubleValue() == Math.rint(id.doubleValue()))) {
                out.own.add("", () -> "/id of a request is " + Phrase.quote(id), seen.event());
            }
            // In the modern era no request may come at all, which is another check's finding.
            if (log.era() == Era.LEGACY) {
                named(shapes, "request:" + seen.message().method(), "AnyRequest", seen, out);
            }
        }
        for (Matching.Seen<Message.Notification> seen : log.matching().notifications()) {
            named(shapes, "notification:" + seen.message().method(), "AnyNotification", seen, out);
        }
    }

    /** By the shape of its method, where there is one, and by that of every request or notification. */
    private static void named(Shapes shapes, String name, String any, Matching.Seen<? extends Message> seen, Found out) {
        Set<String> told = new LinkedHashSet<>();
        for (String shape : List.of(name, any)) {
            shapes.find(shape).ifPresent(known -> ShapeCheck.faults(known, seen.message().node(), Place.ROOT, fault -> {
                if (told.add(fault.place().toString())) {
                    out.own.add("", () -> name.substring(name.indexOf(':') + 1) + ": " + fault, seen.event());
                }
            }));
        }
    }

    private static void error(Shapes shapes, Exchange exchange, Exchange.Reply reply, Found out) {
        JsonNode error = reply.response().node().get("error");
        shapes.find("error:" + error.path("code").asText()).ifPresent(shape -> ShapeCheck.faults(shape, error, Place.of("error"), fault -> {
            Optional<Check> owner = WireOwner.ofError(error.path("code").asText());
            put(owner, "error " + error.path("code").asText() + ": " + fault, exchange, reply, out);
        }));
    }

    private static void result(Shapes shapes, ProtocolRevision revision, SessionLog log, Exchange exchange, Exchange.Reply reply, Set<String> misfits,
            Found out) {
        JsonNode result = reply.response().node().get("result");
        String method = exchange.method();
        boolean call = method.equals("tools/call");
        boolean asks = log.era() == Era.MODERN && CallResult.of(result).inputRequired();
        out.calls |= call && !asks;
        out.emptyError |= call && result.path("isError").asBoolean() && result.path("content").isArray() && result.get("content").isEmpty();
        Optional<Shape> shape = asks ? shapes.find("InputRequired") : shapes.find("result:" + method).or(() -> shapes.find("Result"));
        shape.ifPresent(known -> ShapeCheck.faults(known, result, RESULT, fault -> {
            String place = fault.place().toString();
            Optional<Check> owner = WireOwner.ofResult(method, place, revision, WireOwner.Told.of(log, exchange, result, misfits));
            if (owner.filter(Check.CONTENT_BLOCKS::equals).isPresent()) {
                out.content.add(place.equals("/result/isError") ? Flag.IS_ERROR_TYPE : "", fault::toString, exchange.sentAt(), reply.event());
            }
            put(owner, method + ": " + fault, exchange, reply, out);
        }));
    }

    private static void put(Optional<Check> owner, String words, Exchange exchange, Exchange.Reply reply, Found out) {
        owner.ifPresent(check -> out.owners.add(check.id()));
        (owner.isPresent() ? out.owned : out.own).add("", () -> words, exchange.sentAt(), reply.event());
    }
}

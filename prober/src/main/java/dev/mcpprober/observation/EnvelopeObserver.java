package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.transcript.Message;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The JSON-RPC envelope of every response of an era's sessions. */
final class EnvelopeObserver {
    private EnvelopeObserver() {}

    static List<Observation> observe(List<SessionLog> logs) {
        List<SessionLog> answered = logs.stream().filter(log -> !log.matching().responses().isEmpty()).toList();
        List<SessionLog> erred = answered.stream().filter(log -> log.matching().responses().stream().anyMatch(r -> r.message().hasError())).toList();
        List<Observation> out = new ArrayList<>();
        if (answered.isEmpty()) {
            for (Check check : List.of(Check.ID_ECHO, Check.RESPONSE_EXCLUSIVE, Check.ERROR_OBJECT, Check.RESPONSE_ORPHAN, Check.RESPONSE_DUPLICATE)) {
                out.add(new Observation.NotRun(Subjects.of(check, logs.get(0)), "no response was received", "", List.of()));
            }
            return out;
        }
        Set<String> late = answered.stream().flatMap(log -> log.exchanges().stream()).anyMatch(x -> x.answer() != null && x.answer().late())
                ? Set.of(Flag.LATE) : Set.of();
        out.add(finding(Check.ID_ECHO, answered, EnvelopeObserver::ids, Set.of()));
        out.add(finding(Check.RESPONSE_EXCLUSIVE, answered, EnvelopeObserver::members, Set.of()));
        if (erred.isEmpty()) {
            out.add(new Observation.NotRun(Subjects.of(Check.ERROR_OBJECT, answered.get(0)), "no error was received", "", List.of()));
        } else {
            out.add(finding(Check.ERROR_OBJECT, erred, EnvelopeObserver::errors, Set.of()));
        }
        out.add(finding(Check.RESPONSE_ORPHAN, answered, EnvelopeObserver::orphans, late));
        out.add(finding(Check.RESPONSE_DUPLICATE, answered, EnvelopeObserver::duplicates, Set.of()));
        // The envelope alone is no proof that a message validates, but it can prove that one does not.
        Observation.Finding wire = finding(Check.WIRE_SCHEMA, answered, EnvelopeObserver::version, Set.of());
        if (wire.observed().equals(Observed.VIOLATES)) {
            out.add(wire);
        }
        return out;
    }

    private static Observation.Finding finding(Check check, List<SessionLog> logs, java.util.function.Function<SessionLog, List<Breach>> find, Set<String> notes) {
        return Breach.over(check, logs, find, Observed.CONFORMS, Observed.VIOLATES, notes);
    }

    private static List<Breach> ids(SessionLog log) {
        List<Breach> out = new ArrayList<>();
        for (Exchange exchange : log.exchanges()) {
            Exchange.NearMiss miss = exchange.nearMiss();
            if (miss != null && !miss.flag().equals(Flag.FRAMING)) {
                out.add(Breach.of(miss.flag(), "request " + Phrase.quote(exchange.id()) + " was answered with id "
                        + (miss.response().id() == null ? "left out" : Phrase.quote(miss.response().id())), exchange.sentAt(), miss.event()));
            }
        }
        for (StepView step : log.steps()) {
            for (Exchange exchange : step.probe().equals(Check.ID_ECHO.id()) ? log.exchanges(step) : List.<Exchange>of()) {
                if (!exchange.reacted()) {
                    Reading reading = Reactions.toRequest(log, step, exchange);
                    if (reading.ran()) {
                        out.add(new Breach(reading.observed(), "request " + Phrase.quote(exchange.id()) + ": " + reading.detail(), reading.witness()));
                    }
                }
            }
        }
        return out;
    }

    private static List<Breach> members(SessionLog log) {
        List<Breach> out = new ArrayList<>();
        for (Matching.Seen<Message.Response> seen : log.matching().responses()) {
            JsonNode node = seen.message().node();
            if (node.has("result") && node.has("error")) {
                boolean said = seen.message().hasResult() && seen.message().hasError();
                out.add(Breach.of(said ? Flag.BOTH_MEMBERS : Flag.NULL_MEMBER, "both result and error: " + Phrase.quote(node), seen.event()));
            } else if (!seen.message().hasResult() && !seen.message().hasError()) {
                out.add(Breach.of(Flag.NO_MEMBERS, "neither result nor error: " + Phrase.quote(node), seen.event()));
            }
        }
        return out;
    }

    private static List<Breach> errors(SessionLog log) {
        List<Breach> out = new ArrayList<>();
        for (Matching.Seen<Message.Response> seen : log.matching().responses()) {
            if (seen.message().hasError()) {
                JsonNode error = seen.message().node().get("error");
                JsonNode code = error.path("code");
                boolean integer = code.isIntegralNumber() || code.isNumber() && code.doubleValue() == Math.rint(code.doubleValue());
                if (!error.isObject()) {
                    out.add(Breach.of("no-object", "error is no object: " + Phrase.quote(error), seen.event()));
                } else if (!integer) {
                    out.add(Breach.of(Flag.NO_CODE, "code is no integer: " + Phrase.quote(error), seen.event()));
                } else if (!error.path("message").isTextual()) {
                    out.add(Breach.of("no-message", "message is no string: " + Phrase.quote(error), seen.event()));
                }
            }
        }
        return out;
    }

    private static List<Breach> orphans(SessionLog log) {
        return log.matching().orphans().stream()
                .map(seen -> Breach.of(Ids.missing(seen.message().id()) ? Flag.ID_NULL : Flag.ID_OTHER,
                        "answers no request of ours: " + Phrase.quote(seen.message().node()), seen.event())).toList();
    }

    private static List<Breach> duplicates(SessionLog log) {
        List<Breach> out = new ArrayList<>();
        for (Exchange exchange : log.exchanges()) {
            for (Exchange.Reply reply : exchange.more()) {
                out.add(Breach.of("", "second answer to request " + Phrase.quote(exchange.id()) + ": " + Phrase.quote(reply.response().node()),
                        exchange.sentAt(), exchange.answer().event(), reply.event()));
            }
        }
        return out;
    }

    private static List<Breach> version(SessionLog log) {
        List<Breach> out = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        List<Matching.Seen<? extends Message>> all = new ArrayList<>(log.matching().responses());
        all.addAll(log.matching().serverRequests());
        all.addAll(log.matching().notifications());
        for (Matching.Seen<? extends Message> message : all) {
            JsonNode version = message.message().node().path("jsonrpc");
            if (!(version.isTextual() && version.textValue().equals("2.0")) && seen.add(message.event())) {
                out.add(Breach.of("jsonrpc", "/jsonrpc is " + Phrase.quote(version) + " instead of \"2.0\": " + Phrase.quote(message.message().node()), message.event()));
            }
        }
        return out;
    }
}

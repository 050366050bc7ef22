package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.transcript.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The JSON-RPC envelope of every response of an era's sessions. */
final class EnvelopeObserver {
    private static final int MAX_WITNESS = 12;

    private EnvelopeObserver() {}

    static List<Observation> observe(List<SessionLog> logs) {
        List<SessionLog> answered = logs.stream().filter(log -> !log.matching().responses().isEmpty()).toList();
        List<Observation> out = new ArrayList<>();
        if (answered.isEmpty()) {
            for (Check check : List.of(Check.ID_ECHO, Check.RESPONSE_EXCLUSIVE, Check.ERROR_OBJECT, Check.RESPONSE_ORPHAN, Check.RESPONSE_DUPLICATE)) {
                out.add(notRun(check, logs.get(0), "no response was received"));
            }
            return out;
        }
        List<SessionLog> erred = answered.stream().filter(log -> log.matching().responses().stream().anyMatch(r -> r.message().hasError())).toList();
        out.add(idEcho(answered));
        out.add(finding(Check.RESPONSE_EXCLUSIVE, answered, EnvelopeObserver::members));
        out.add(erred.isEmpty() ? notRun(Check.ERROR_OBJECT, answered.get(0), "no error was received")
                : finding(Check.ERROR_OBJECT, erred, EnvelopeObserver::errors));
        out.add(orphan(answered));
        out.add(finding(Check.RESPONSE_DUPLICATE, answered, EnvelopeObserver::duplicates));
        return out;
    }

    private static Observation.NotRun notRun(Check check, SessionLog log, String reason) {
        return new Observation.NotRun(Subjects.of(check, log), reason, "", List.of());
    }

    private static Observation.Finding finding(Check check, List<SessionLog> logs, Function<SessionLog, Breaches> find) {
        return Breaches.over(logs, Breaches.Rule.conformity(check, find), Set.of());
    }

    /** A response that came late is the witness where none is an orphan: it is why the verdict is no plain pass. */
    private static Observation orphan(List<SessionLog> logs) {
        SessionLog shown = null;
        Exchange late = null;
        for (SessionLog log : logs) {
            for (Exchange exchange : log.exchanges()) {
                if (late == null && exchange.answer() != null && exchange.answer().late()) {
                    shown = log;
                    late = exchange;
                }
            }
        }
        Observation.Finding finding = Breaches.over(logs, Breaches.Rule.conformity(Check.RESPONSE_ORPHAN, EnvelopeObserver::orphans),
                late == null ? Set.of() : Set.of(Flag.LATE));
        return late == null || !finding.observed().equals(Observed.CONFORMS) ? finding
                : new Observation.Finding(Subjects.of(Check.RESPONSE_ORPHAN, shown), finding.observed(), finding.flags(), finding.detail(),
                        List.of(late.sentAt(), late.answer().event()));
    }

    /** Every id of every session; where all are right, the requests with unusual ids are the witness. */
    private static Observation idEcho(List<SessionLog> logs) {
        Observation.Finding finding = finding(Check.ID_ECHO, logs, EnvelopeObserver::ids);
        for (SessionLog log : finding.observed().equals(Observed.CONFORMS) ? logs : List.<SessionLog>of()) {
            List<Integer> witness = new ArrayList<>();
            for (StepView step : log.steps()) {
                for (Exchange exchange : step.probe().equals(Check.ID_ECHO.id()) ? log.exchanges(step) : List.<Exchange>of()) {
                    if (exchange.answer() != null && witness.size() < MAX_WITNESS) {
                        witness.add(exchange.sentAt());
                        witness.add(exchange.answer().event());
                    }
                }
            }
            if (!witness.isEmpty()) {
                return new Observation.Finding(Subjects.of(Check.ID_ECHO, log), finding.observed(), finding.flags(), finding.detail(), witness);
            }
        }
        return finding;
    }

    private static Breaches ids(SessionLog log) {
        Breaches out = new Breaches();
        for (Exchange exchange : log.exchanges()) {
            Exchange.NearMiss miss = exchange.nearMiss();
            if (miss != null && !miss.flag().equals(Flag.FRAMING)) {
                out.add(miss.flag(), () -> "request " + Phrase.quote(exchange.id()) + " was answered "
                        + (miss.response().id() == null ? "without an id" : "with id " + Phrase.quote(miss.response().id())), exchange.sentAt(), miss.event());
            }
        }
        for (StepView step : log.steps()) {
            for (Exchange exchange : step.probe().equals(Check.ID_ECHO.id()) ? log.exchanges(step) : List.<Exchange>of()) {
                Reading reading = exchange.reacted() || !answeredWithPlainId(log, exchange) ? null : Reactions.toRequest(log, step, exchange);
                if (reading != null && reading.ran()) {
                    out.add(reading.observed(), () -> "request " + Phrase.quote(exchange.id()) + ": " + reading.detail(), reading.witness());
                }
            }
        }
        return out;
    }

    /** The same method was answered before in this process, so that it is the id that the server minds. */
    private static boolean answeredWithPlainId(SessionLog log, Exchange exchange) {
        return log.exchanges().stream().anyMatch(other -> other.sentAt() < exchange.sentAt() && other.method().equals(exchange.method())
                && other.id().isNumber() && other.answer() != null);
    }

    private static Breaches members(SessionLog log) {
        Breaches out = new Breaches();
        for (Matching.Seen<Message.Response> seen : log.matching().responses()) {
            JsonNode node = seen.message().node();
            if (node.has("result") && node.has("error")) {
                boolean said = !node.get("result").isNull() && !node.get("error").isNull();
                out.add(said ? Flag.BOTH_MEMBERS : Flag.NULL_MEMBER, () -> "both result and error: " + Phrase.quote(node), seen.event());
            } else if (!seen.message().hasResult() && !seen.message().hasError()) {
                out.add(Flag.NO_MEMBERS, () -> "neither result nor error: " + Phrase.quote(node), seen.event());
            }
        }
        return out;
    }

    private static Breaches errors(SessionLog log) {
        Breaches out = new Breaches();
        for (Matching.Seen<Message.Response> seen : log.matching().responses()) {
            if (seen.message().hasError()) {
                JsonNode error = seen.message().node().get("error");
                JsonNode code = error.path("code");
                boolean integer = code.isIntegralNumber() || code.isNumber() && code.doubleValue() == Math.rint(code.doubleValue());
                if (!error.isObject()) {
                    out.add(Flag.NO_OBJECT, () -> "error is no object: " + Phrase.quote(error), seen.event());
                } else if (!integer) {
                    out.add(Flag.NO_CODE, () -> "code is no integer: " + Phrase.quote(error), seen.event());
                } else if (!error.path("message").isTextual()) {
                    out.add(Flag.NO_MESSAGE, () -> "message is no string: " + Phrase.quote(error), seen.event());
                }
            }
        }
        return out;
    }

    private static Breaches orphans(SessionLog log) {
        Breaches out = new Breaches();
        log.matching().orphans().forEach(seen -> out.add(Ids.missing(seen.message().id()) ? Flag.ID_NULL : Flag.ID_OTHER,
                () -> "answers no request of ours: " + Phrase.quote(seen.message().node()), seen.event()));
        return out;
    }

    private static Breaches duplicates(SessionLog log) {
        Breaches out = new Breaches();
        for (Exchange exchange : log.exchanges()) {
            for (Exchange.Reply reply : exchange.more()) {
                out.add("", () -> "second answer to request " + Phrase.quote(exchange.id()) + ": " + Phrase.quote(reply.response().node()),
                        exchange.sentAt(), exchange.answer().event(), reply.event());
            }
        }
        return out;
    }
}

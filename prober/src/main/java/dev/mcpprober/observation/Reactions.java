package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.model.Era;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Message;
import dev.mcpprober.transcript.StepOutcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads how a request was met: the answer, a near miss, or what the absence of one was. */
final class Reactions {
    static final String OVER_LIMIT = "reply past a limit of ours";

    private Reactions() {}

    /** A request of any method but tools/call. */
    static Reading toRequest(SessionLog log, StepView step, Exchange exchange) {
        return FailureText.withoutNetwork(read(log, step, exchange, false), exchange);
    }

    /** A tools/call. */
    static Reading toCall(SessionLog log, StepView step, Exchange exchange) {
        return read(log, step, exchange, true);
    }

    private static Reading read(SessionLog log, StepView step, Exchange exchange, boolean call) {
        Exchange.Reply answer = exchange.answer();
        if (answer != null) {
            Reading reading = body(exchange, answer.response(), List.of(exchange.sentAt(), answer.event()), log, call);
            return answer.late() ? reading.plus(Set.of(Flag.LATE)) : reading;
        }
        Exchange.NearMiss miss = exchange.nearMiss();
        if (miss != null) {
            Reading inside = body(exchange, miss.response(), List.of(exchange.sentAt(), miss.event()), log, call);
            String why = switch (miss.flag()) {
                case Flag.ID_NULL -> "the reply carries no id: ";
                case Flag.FRAMING -> "the reply is not one line of its own: ";
                default -> "the reply carries id " + Phrase.quote(miss.response().id()) + " instead of " + Phrase.quote(exchange.id()) + ": ";
            };
            return inside.as(Observed.INVALID_RESPONSE, why + inside.detail()).plus(Set.of(miss.flag()));
        }
        return unanswered(log, step, exchange);
    }

    /** What a response says; {@code observed} is for a response that was matched. */
    private static Reading body(Exchange exchange, Message.Response response, List<Integer> witness, SessionLog log, boolean call) {
        JsonNode node = response.node();
        if (response.hasError() && response.hasResult()) {
            return new Reading(Observed.INVALID_RESPONSE, code(node), Set.of(Flag.BOTH_MEMBERS), "both result and error: " + Phrase.quote(node),
                    witness, node.get("result"));
        }
        if (response.hasError()) {
            Long code = code(node);
            return new Reading(Observed.PROTOCOL_ERROR, code, code == null ? Set.of(Flag.NO_CODE) : Set.of(), Phrase.quote(node.get("error")), witness, null);
        }
        if (!node.has("result")) {
            return new Reading(Observed.INVALID_RESPONSE, null, Set.of(Flag.NO_MEMBERS), "neither result nor error: " + Phrase.quote(node), witness, null);
        }
        JsonNode result = node.get("result");
        if (!result.isObject()) {
            return new Reading(Observed.INVALID_RESPONSE, null, Set.of(Flag.SCHEMA), "result is no object: " + Phrase.quote(result), witness, result);
        }
        if (call) {
            return CallResult.of(result).reading(witness, log.era(), exchange);
        }
        boolean input = log.era() == Era.MODERN && CallResult.of(result).inputRequired();
        return new Reading(input ? Observed.INPUT_REQUIRED : Observed.RESULT, null, Set.of(), Phrase.quote(result), witness, result);
    }

    /** {@code -32601.0} is the integer -32601. */
    private static Long code(JsonNode node) {
        JsonNode code = node.path("error").path("code");
        boolean whole = code.isIntegralNumber() || code.isNumber() && code.doubleValue() == Math.rint(code.doubleValue());
        return whole && code.canConvertToLong() ? code.longValue() : null;
    }

    private static Reading unanswered(SessionLog log, StepView step, Exchange exchange) {
        Optional<Integer> unread = log.stdout().unreadableJson().stream().filter(event -> event > exchange.sentAt() && event < step.until()).findFirst();
        if (unread.isPresent() || log.cappedAt() < step.until()) {
            List<Integer> witness = new ArrayList<>(List.of(exchange.sentAt()));
            unread.ifPresent(witness::add);
            return Reading.notRun(OVER_LIMIT, witness);
        }
        if (step.timeUp() && exchange.afterEof() == null) {
            return Reading.notRun(StepView.TIME_UP, List.of(exchange.sentAt()));
        }
        Optional<Event.Terminated> ended = log.ownEnd();
        boolean exited = step.outcome() == StepOutcome.EXITED;
        boolean closed = step.outcome() == StepOutcome.CLOSED;
        Set<String> flags = new LinkedHashSet<>();
        List<Integer> witness = new ArrayList<>(List.of(exchange.sentAt()));
        if (exchange.afterEof() != null) {
            flags.add(Flag.ANSWERED_AT_EOF);
            witness.add(exchange.afterEof().event());
            return new Reading(Observed.NO_RESPONSE, null, flags, "no answer while stdin was open; it came after stdin was closed: "
                    + Phrase.quote(exchange.afterEof().response().node()), witness, null);
        }
        if (!exited && !closed) {
            Life life = Life.after(log, exchange.sentAt());
            exited = life == Life.EXITED;
            closed = life == Life.CLOSED;
            if (!exited && !closed) {
                witness.add(step.ended() == Integer.MAX_VALUE ? exchange.sentAt() : step.ended());
                return life == Life.UNRESPONSIVE
                        ? new Reading(Observed.UNRESPONSIVE, null, flags, "no answer, nor to the request after it; the process runs", witness, null)
                        : new Reading(Observed.NO_RESPONSE, null, flags, "no answer in time", witness, null);
            }
        }
        if (closed && ended.isEmpty()) {
            log.ownClose().ifPresent(event -> witness.add(event.index()));
            return new Reading(Observed.CLOSED, null, flags, "stdout was closed, the process runs", witness, null);
        }
        return exit(ended, witness, flags);
    }

    private static Reading exit(Optional<Event.Terminated> ended, List<Integer> witness, Set<String> flags) {
        if (ended.isEmpty()) {
            return new Reading(Observed.EXITED, null, flags, "the process ended", witness, null);
        }
        Event.Terminated end = ended.get();
        witness.add(end.index());
        flags.addAll(Life.flags(end));
        return new Reading(Observed.EXITED, (long) end.status(), flags, "the process ended: " + Life.words(end), witness, null);
    }
}

package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Pairs what we asked with what came, by id and by nothing else: order proves nothing (a server may answer twice, late or not
 * at all). Responses that pair with nothing are kept apart by what they can mean.
 */
final class Matching {
    /** Step name that the driver gives to our answers to server requests. */
    private static final String ANSWER = "answer";

    /** Messages of one kind that are looked at; a server that sends more has shown enough. */
    private static final int MAX_KEPT = 10_000;

    /** A message of the server with its place. */
    record Seen<M extends Message>(int event, M message) {}

    private final SessionLog log;
    private final Retained retained;
    private final List<Exchange> exchanges = new ArrayList<>();
    private final List<Seen<Message.Response>> responses = new ArrayList<>();
    private final List<Seen<Message.Response>> orphans = new ArrayList<>();
    private final List<Seen<Message.Request>> requests = new ArrayList<>();
    private final List<Seen<Message.Notification>> notifications = new ArrayList<>();
    private final Map<Integer, List<Seen<Message.Response>>> badLines = new HashMap<>();
    /** The last frame that was no request, until something reacted to it; -1 when there is none. */
    private int openBadLine = -1;
    private int lastBadLine = -1;

    Matching(SessionLog log, Retained retained) {
        this.log = log;
        this.retained = retained;
    }

    /** No further event comes. */
    void finish(Misframing misframing) {
        misframed(misframing);
        leftovers();
    }

    /** Our requests in the order sent. */
    List<Exchange> exchanges() {
        return exchanges;
    }

    /** Responses that were readable, whatever they answer. */
    List<Seen<Message.Response>> responses() {
        return responses;
    }

    /** Responses that answer nothing we asked. */
    List<Seen<Message.Response>> orphans() {
        return orphans;
    }

    List<Seen<Message.Request>> serverRequests() {
        return requests;
    }

    List<Seen<Message.Notification>> notifications() {
        return notifications;
    }

    /** Responses without an id that came for the line sent at {@code event}, which was no message. */
    List<Seen<Message.Response>> reactionsTo(int event) {
        return badLines.getOrDefault(event, List.of());
    }

    void sent(Event.Sent sent) {
        if (sent.step().equals(ANSWER)) {
            return;
        }
        Json.Parsed parsed = Json.parse(new String(sent.bytes(), StandardCharsets.UTF_8));
        if (!(parsed instanceof Json.Parsed.Value value)) {
            openBadLine = sent.index();
            lastBadLine = sent.index();
            return;
        }
        JsonNode node = value.node();
        if (node.path("method").isTextual() && node.has("id")) {
            exchanges.add(new Exchange(sent.index(), sent.step(), node));
        }
    }

    /** False where a message of the line was not looked at, because too much is kept already. */
    boolean received(Line line) {
        if (!line.terminated() || !line.readable()) {
            return true;
        }
        boolean all = true;
        List<Message> messages = line.wire().messages();
        int share = messages.isEmpty() ? 0 : Retained.bytes(line.wire().text()) / messages.size();
        for (Message message : messages) {
            if (message instanceof Message.Response response) {
                boolean fits = retained.fits(response.node(), share);
                all &= fits;
                if (fits) {
                    keep(responses, line.event(), response);
                    response(line.event(), response);
                }
            } else if (message instanceof Message.Request request) {
                keep(requests, line.event(), request, share);
            } else if (message instanceof Message.Notification notification) {
                keep(notifications, line.event(), notification, share);
            }
        }
        return all;
    }

    private <M extends Message> void keep(List<Seen<M>> list, int event, M message, int bytes) {
        if (list.size() < MAX_KEPT && retained.fits(message.node(), bytes)) {
            list.add(new Seen<>(event, message));
        }
    }

    private static <M extends Message> void keep(List<Seen<M>> list, int event, M message) {
        if (list.size() < MAX_KEPT) {
            list.add(new Seen<>(event, message));
        }
    }

    private void response(int event, Message.Response response) {
        if (Ids.missing(response.id())) {
            withoutId(event, response);
            return;
        }
        Exchange exact = null;
        Exchange alike = null;
        for (Exchange exchange : exchanges) {
            if (Ids.same(exchange.id(), response.id())) {
                exact = exchange;
            } else if (!exchange.reacted() && Ids.alike(exchange.id(), response.id())) {
                alike = exchange;
            }
        }
        boolean second = exact != null && exact.answer() != null;
        if (second && alike != null && alike == pending(event)) {
            // "1" was asked last and 1 came: that is a converted id, not a second answer to an old request.
            alike.takeNearMiss(new Exchange.NearMiss(event, response, Flag.ID_OTHER));
        } else if (exact != null) {
            Exchange.Reply reply = new Exchange.Reply(event, response, late(exact, event));
            if (event > log.stdinClosedAt() && !second) {
                exact.takeAfterEof(reply);
            } else {
                exact.take(reply);
            }
        } else if (alike == null || !alike.takeNearMiss(new Exchange.NearMiss(event, response, Flag.ID_OTHER))) {
            stray(event, response, Flag.ID_OTHER);
        }
    }

    /** An error that names no request may be the reaction to a line that was none; else it was meant for what is pending. */
    private void withoutId(int event, Message.Response response) {
        if (openBadLine >= 0) {
            badLines.computeIfAbsent(openBadLine, key -> new ArrayList<>()).add(new Seen<>(event, response));
            openBadLine = -1;
        } else {
            stray(event, response, Flag.ID_NULL);
        }
    }

    private void stray(int event, Message.Response response, String flag) {
        Exchange pending = pending(event);
        if (pending == null || !pending.takeNearMiss(new Exchange.NearMiss(event, response, flag))) {
            keep(orphans, event, response);
        }
    }

    /** The request of the running step that still waits. */
    private Exchange pending(int event) {
        Exchange last = exchanges.isEmpty() ? null : exchanges.get(exchanges.size() - 1);
        return last != null && !last.reacted() && event < stepOf(last).until() && event < log.stdinClosedAt() ? last : null;
    }

    private boolean late(Exchange exchange, int event) {
        return event > stepOf(exchange).ended();
    }

    private StepView stepOf(Exchange exchange) {
        return log.steps().stream().filter(step -> step.contains(exchange.sentAt())).findFirst().orElse(StepView.NONE);
    }

    /** Answers that are there, but over several lines, glued together or unfinished. */
    private void misframed(Misframing misframing) {
        for (Misframing.Found found : misframing.found()) {
            for (Message message : found.messages()) {
                if (!(message instanceof Message.Response response) || Ids.missing(response.id())) {
                    continue;
                }
                for (Exchange exchange : exchanges) {
                    if (!exchange.reacted() && exchange.sentAt() < found.lastEvent() && Ids.same(exchange.id(), response.id())) {
                        exchange.takeNearMiss(new Exchange.NearMiss(found.lastEvent(), response, Flag.FRAMING));
                    }
                }
            }
        }
    }

    /** A stray response was not the answer after all: it goes to the bad line before it, or to nothing. */
    private void leftovers() {
        for (Exchange exchange : exchanges) {
            Exchange.NearMiss miss = exchange.leftover();
            if (miss == null || miss.flag().equals(Flag.FRAMING)) {
                continue;
            }
            if (miss.flag().equals(Flag.ID_NULL) && lastBadLine >= 0 && miss.event() > lastBadLine) {
                badLines.computeIfAbsent(lastBadLine, key -> new ArrayList<>()).add(new Seen<>(miss.event(), miss.response()));
            } else {
                orphans.add(new Seen<>(miss.event(), miss.response()));
            }
        }
    }
}

package dev.mcpprober.observation;

import dev.mcpprober.io.Json;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
    private final List<OddFrame> odd = new ArrayList<>();

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

    /** What we sent that is not one plain request, in the order sent. */
    List<OddFrame> oddFrames() {
        return odd;
    }

    void sent(Event.Sent sent) {
        if (sent.step().equals(ANSWER)) {
            return;
        }
        StepView step = log.steps().stream().filter(candidate -> candidate.contains(sent.index())).findFirst().orElse(StepView.NONE);
        OddFrame frame = OddFrame.of(sent, step);
        if (frame != null) {
            odd.add(frame);
        } else if (Json.parse(new String(sent.bytes(), StandardCharsets.UTF_8)) instanceof Json.Parsed.Value value) {
            exchanges.add(new Exchange(sent.index(), sent.step(), value.node()));
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
        Optional<OddFrame> frame = odd.stream().filter(sent -> sent.asks(response.id())).findFirst();
        boolean second = exact != null && exact.answer() != null;
        if (second && inventedId(event, response, exact)) {
            lastOdd(event).take(new Seen<>(event, response));
        } else if (second && alike != null && alike == pending(event)) {
            // "1" was asked last and 1 came: that is a converted id, not a second answer to an old request.
            alike.takeNearMiss(new Exchange.NearMiss(event, response, Flag.ID_OTHER));
        } else if (exact != null) {
            Exchange.Reply reply = new Exchange.Reply(event, response, late(exact, event));
            int asked = exact.sentAt();
            odd.stream().filter(earlier -> earlier.sentAt() < asked).forEach(OddFrame::close);
            if (event > log.stdinClosedAt() && !second) {
                exact.takeAfterEof(reply);
            } else {
                exact.take(reply);
            }
        } else if (frame.isPresent()) {
            frame.get().take(new Seen<>(event, response));
        } else if (alike == null || !alike.takeNearMiss(new Exchange.NearMiss(event, response, Flag.ID_OTHER))) {
            stray(event, response, Flag.ID_OTHER);
        }
    }

    /** An error right after a frame without an id, under the id of a request that was answered before that frame: an id made up for it. */
    private boolean inventedId(int event, Message.Response response, Exchange answered) {
        OddFrame last = lastOdd(event);
        return last != null && !last.notification() && last.open() && last.reactions().isEmpty() && response.node().has("error")
                && last.sentAt() > answered.answer().event() && exchanges.stream().noneMatch(exchange -> exchange.sentAt() > last.sentAt());
    }

    /** A response that names no request may be the reaction to a frame that gave no id; else it was meant for what is pending. */
    private void withoutId(int event, Message.Response response) {
        OddFrame last = lastOdd(event);
        if (last != null && last.open() && (!last.notification() || pending(event) == null)) {
            last.take(new Seen<>(event, response));
        } else {
            stray(event, response, Flag.ID_NULL);
        }
    }

    private void stray(int event, Message.Response response, String flag) {
        Exchange pending = pending(event);
        if (pending != null && pending.takeNearMiss(new Exchange.NearMiss(event, response, flag))) {
            return;
        }
        OddFrame last = lastOdd(event);
        boolean since = last == null || exchanges.stream().anyMatch(exchange -> exchange.sentAt() > last.sentAt());
        boolean slow = last != null && flag.equals(Flag.ID_NULL) && !last.notification() && last.reactions().isEmpty();
        if (last != null && (slow || !since && last.ownsStrays())) {
            last.take(new Seen<>(event, response));
        } else {
            keep(orphans, event, response);
        }
    }

    private OddFrame lastOdd(int event) {
        return odd.isEmpty() || event > log.stdinClosedAt() ? null : odd.get(odd.size() - 1);
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
            OddFrame before = odd.stream().filter(frame -> frame.sentAt() < miss.event()).reduce((a, b) -> b).orElse(null);
            boolean meant = before != null && miss.flag().equals(Flag.ID_NULL) && (!before.notification() || exchanges.stream()
                    .noneMatch(other -> other.sentAt() > before.sentAt() && other.answer() != null && other.answer().event() < miss.event()));
            if (meant) {
                before.take(new Seen<>(miss.event(), miss.response()));
            } else {
                orphans.add(new Seen<>(miss.event(), miss.response()));
            }
        }
    }
}

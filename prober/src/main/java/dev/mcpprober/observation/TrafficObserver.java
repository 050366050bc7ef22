package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.model.Era;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Messages that a server sends without being asked, in sessions that had a handshake. */
final class TrafficObserver {
    private static final String LOG = "notifications/message";

    private TrafficObserver() {}

    static List<Observation> observe(Era era, List<SessionLog> all) {
        List<SessionLog> logs = all.stream().filter(log -> log.handshake().done()).toList();
        if (logs.isEmpty()) {
            return List.of();
        }
        List<Observation> out = new ArrayList<>();
        if (era == Era.MODERN) {
            out.add(presence(Check.SERVER_REQUEST, logs, log -> requests(log, seen -> true)));
            Observation.Finding unasked = Breaches.over(logs, Breaches.Rule.presence(Check.LOG_WITHOUT_LEVEL, log -> logs(log, false)), Set.of());
            out.add(unasked.observed().equals(Observed.PRESENT) ? unasked : presence(Check.LOG_WITHOUT_LEVEL, logs, log -> logs(log, true)));
            out.add(presence(Check.SERVER_CANCELLED, logs, log -> notifications(log, "notifications/cancelled")));
        } else {
            // We declare no client capability, so nothing but ping may be asked.
            out.add(presence(Check.SERVER_REQUEST_UNDECLARED, logs, log -> requests(log, seen -> !seen.message().method().equals("ping"))));
            out.add(presence(Check.SERVER_REQUEST_EARLY, logs, TrafficObserver::early));
        }
        out.add(logCapability(logs));
        out.add(presence(Check.LIST_CHANGED_UNSOLICITED, logs, TrafficObserver::listChanged));
        out.add(presence(Check.PROGRESS_UNREQUESTED, logs, TrafficObserver::progress));
        return out;
    }

    private static Observation presence(Check check, List<SessionLog> logs, Function<SessionLog, Breaches> find) {
        return Breaches.over(logs, Breaches.Rule.presence(check, find), Set.of());
    }

    private static Breaches requests(SessionLog log, Predicate<Matching.Seen<Message.Request>> which) {
        Breaches out = new Breaches();
        log.matching().serverRequests().stream().filter(which)
                .forEach(seen -> out.add("", () -> seen.message().method() + ": " + Phrase.quote(seen.message().node()), seen.event()));
        return out;
    }

    private static Breaches early(SessionLog log) {
        int initialized = log.events().stream().filter(event -> event instanceof Event.Sent sent
                        && new String(sent.bytes(), StandardCharsets.UTF_8).contains("\"notifications/initialized\""))
                .mapToInt(Event::index).findFirst().orElse(Integer.MAX_VALUE);
        return requests(log, seen -> seen.event() < initialized && !seen.message().method().equals("ping"));
    }

    private static Breaches notifications(SessionLog log, String method) {
        Breaches out = new Breaches();
        log.matching().notifications().stream().filter(seen -> seen.message().method().equals(method) && !SubscriptionObserver.ofStream(log, seen))
                .forEach(seen -> out.add("", () -> Phrase.quote(seen.message().node()), seen.event()));
        return out;
    }

    /** Log messages that came of themselves or while a legal request was served, or else those in reaction to illegal frames. */
    private static Breaches logs(SessionLog log, boolean provoked) {
        Breaches out = new Breaches();
        log.matching().notifications().stream().filter(seen -> seen.message().method().equals(LOG) && IllegalFrames.provoked(log, seen.event()) == provoked)
                .forEach(seen -> out.add(provoked ? Flag.AFTER_ILLEGAL_FRAME : "", () -> Phrase.quote(seen.message().node()), seen.event()));
        return out;
    }

    private static Breaches listChanged(SessionLog log) {
        Breaches out = new Breaches();
        for (Matching.Seen<Message.Notification> seen : log.matching().notifications()) {
            String method = seen.message().method();
            if (method.startsWith("notifications/") && method.endsWith("/list_changed") && !SubscriptionObserver.ofStream(log, seen)) {
                String kind = method.substring("notifications/".length(), method.length() - "/list_changed".length());
                JsonNode declared = log.handshake().result().path("capabilities").path(kind).path("listChanged");
                out.add(declared.asBoolean(false) ? "" : Flag.UNDECLARED, () -> Phrase.quote(seen.message().node()),
                        List.of(log.handshake().event(), seen.event()));
            }
        }
        return out;
    }

    /** Progress for which no request of ours gave a token. */
    private static Breaches progress(SessionLog log) {
        List<JsonNode> tokens = log.exchanges().stream().map(x -> x.params().path("_meta").path("progressToken")).filter(t -> !t.isMissingNode()).toList();
        Breaches out = new Breaches();
        for (Matching.Seen<Message.Notification> seen : log.matching().notifications()) {
            if (seen.message().method().equals("notifications/progress") && !tokens.contains(seen.message().node().path("params").path("progressToken"))) {
                out.add("", () -> Phrase.quote(seen.message().node()), seen.event());
            }
        }
        return out;
    }

    /** The reaction to a frame that no client may send breaches nothing, so that one counts only where there is no other. */
    private static Observation logCapability(List<SessionLog> logs) {
        Observation provoked = null;
        for (SessionLog log : logs) {
            for (Matching.Seen<Message.Notification> seen : log.matching().notifications()) {
                if (!seen.message().method().equals(LOG)) {
                    continue;
                }
                boolean declared = log.handshake().declares("logging");
                boolean reaction = !declared && IllegalFrames.provoked(log, seen.event());
                Observation finding = new Observation.Finding(Subjects.of(Check.LOG_CAPABILITY, log), declared ? "declared" : "undeclared",
                        reaction ? Set.of(Flag.AFTER_ILLEGAL_FRAME) : Set.of(), Phrase.quote(seen.message().node()),
                        List.of(log.handshake().event(), seen.event()).stream().sorted().toList());
                if (!reaction) {
                    return finding;
                }
                provoked = provoked == null ? finding : provoked;
            }
        }
        return provoked != null ? provoked
                : new Observation.Finding(Subjects.of(Check.LOG_CAPABILITY, logs.get(0)), "none", Set.of(), Phrase.sessions(logs), List.of());
    }
}

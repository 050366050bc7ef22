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

/** Messages that a server sends without being asked, in sessions that had a handshake. */
final class TrafficObserver {
    private TrafficObserver() {}

    static List<Observation> observe(Era era, List<SessionLog> all) {
        List<SessionLog> logs = all.stream().filter(log -> log.handshake().done()).toList();
        if (logs.isEmpty()) {
            return List.of();
        }
        List<Observation> out = new ArrayList<>();
        if (era == Era.MODERN) {
            out.add(presence(Check.SERVER_REQUEST, logs, TrafficObserver::requests));
            out.add(presence(Check.LOG_WITHOUT_LEVEL, logs, log -> notifications(log, "notifications/message")));
            out.add(presence(Check.SERVER_CANCELLED, logs, log -> notifications(log, "notifications/cancelled")));
        } else {
            out.add(presence(Check.SERVER_REQUEST_UNDECLARED, logs, TrafficObserver::requestsButPing));
            out.add(presence(Check.SERVER_REQUEST_EARLY, logs, TrafficObserver::early));
        }
        out.add(logCapability(logs));
        out.add(presence(Check.LIST_CHANGED_UNSOLICITED, logs, TrafficObserver::listChanged));
        out.add(presence(Check.PROGRESS_UNREQUESTED, logs, TrafficObserver::progress));
        return out;
    }

    private static Observation presence(Check check, List<SessionLog> logs, Function<SessionLog, List<Breach>> find) {
        return Breach.over(check, logs, find, Observed.ABSENT, Observed.PRESENT, Set.of());
    }

    private static List<Breach> requests(SessionLog log) {
        return log.matching().serverRequests().stream()
                .map(seen -> Breach.of("", seen.message().method() + ": " + Phrase.quote(seen.message().node()), seen.event())).toList();
    }

    /** We declare no client capability, so nothing but ping may be asked. */
    private static List<Breach> requestsButPing(SessionLog log) {
        return log.matching().serverRequests().stream().filter(seen -> !seen.message().method().equals("ping"))
                .map(seen -> Breach.of("", seen.message().method() + ": " + Phrase.quote(seen.message().node()), seen.event())).toList();
    }

    private static List<Breach> early(SessionLog log) {
        int initialized = log.events().stream().filter(event -> event instanceof Event.Sent sent
                        && new String(sent.bytes(), StandardCharsets.UTF_8).contains("\"notifications/initialized\""))
                .mapToInt(Event::index).findFirst().orElse(Integer.MAX_VALUE);
        return requestsButPing(log).stream().filter(breach -> breach.witness().get(0) < initialized).toList();
    }

    private static List<Breach> notifications(SessionLog log, String method) {
        return log.matching().notifications().stream().filter(seen -> seen.message().method().equals(method))
                .map(seen -> Breach.of("", Phrase.quote(seen.message().node()), seen.event())).toList();
    }

    private static List<Breach> listChanged(SessionLog log) {
        List<Breach> out = new ArrayList<>();
        for (Matching.Seen<Message.Notification> seen : log.matching().notifications()) {
            String method = seen.message().method();
            if (method.startsWith("notifications/") && method.endsWith("/list_changed")) {
                String kind = method.substring("notifications/".length(), method.length() - "/list_changed".length());
                JsonNode declared = log.handshake().result().path("capabilities").path(kind).path("listChanged");
                out.add(Breach.of(declared.asBoolean(false) ? "" : Flag.UNDECLARED, Phrase.quote(seen.message().node()), seen.event()));
            }
        }
        return out;
    }

    /** Progress for which no request of ours gave a token. */
    private static List<Breach> progress(SessionLog log) {
        List<Breach> out = new ArrayList<>();
        for (Matching.Seen<Message.Notification> seen : log.matching().notifications()) {
            JsonNode token = seen.message().node().path("params").path("progressToken");
            boolean given = log.exchanges().stream().map(x -> x.params().path("_meta").path("progressToken")).anyMatch(t -> !t.isMissingNode() && t.equals(token));
            if (seen.message().method().equals("notifications/progress") && !given) {
                out.add(Breach.of("", Phrase.quote(seen.message().node()), seen.event()));
            }
        }
        return out;
    }

    private static Observation logCapability(List<SessionLog> logs) {
        for (SessionLog log : logs) {
            List<Breach> sent = notifications(log, "notifications/message");
            if (!sent.isEmpty()) {
                List<Integer> witness = new ArrayList<>(List.of(log.handshake().exchange().answer().event(), sent.get(0).witness().get(0)));
                boolean declared = log.handshake().declares("logging");
                return new Observation.Finding(Subjects.of(Check.LOG_CAPABILITY, log), declared ? "declared" : "undeclared", Set.of(),
                        sent.get(0).detail(), witness.stream().sorted().toList());
            }
        }
        return new Observation.Finding(Subjects.of(Check.LOG_CAPABILITY, logs.get(0)), "none", Set.of(), "", List.of());
    }
}

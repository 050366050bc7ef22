package dev.mcpprober.observation;

import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.observation.TargetObservations.Offer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a server answers to each version that {@code initialize} offers, over all sessions: one process for each offer. */
final class VersionObserver {
    private VersionObserver() {}

    /** An offer with the first session that made it. */
    private record Opening(SessionLog log, StepView step, String offered) {}

    static List<Observation> observe(List<SessionLog> logs) {
        List<Observation> out = new ArrayList<>();
        Set<String> answered = answered(logs);
        for (Opening opening : openings(logs)) {
            boolean known = legacy(opening.offered());
            Check check = known ? Check.INITIALIZE_VERSION_KNOWN : Check.INITIALIZE_VERSION_UNKNOWN;
            Subject subject = Subjects.of(check, opening.log());
            if (opening.log().handshake().revision().isEmpty() && opening.step().probe().equals(Check.SERVER_INITIALIZE.id())) {
                out.add(new Observation.NotRun(subject, "no version was answered (see server-initialize)", "", List.of()));
            } else {
                out.add(reading(opening, known, answered).observation(subject, null));
            }
        }
        return out;
    }

    /** The table: every version offered with the version answered, in the order of the sessions. */
    static List<Offer> offers(List<SessionLog> logs) {
        return openings(logs).stream().map(opening -> {
            String answered = opening.log().handshake().revision();
            String met = answered.isEmpty() ? Reactions.toRequest(opening.log(), opening.step(), opening.log().handshake().exchange()).observed() : Observed.RESULT;
            return new Offer(opening.log().name(), opening.offered(), answered.isEmpty() ? null : answered, met);
        }).toList();
    }

    private static List<Opening> openings(List<SessionLog> logs) {
        Map<String, Opening> first = new LinkedHashMap<>();
        for (SessionLog log : logs) {
            Exchange exchange = log.handshake().exchange();
            if (log.era() == Era.LEGACY && exchange != null && exchange.params().path("protocolVersion").isTextual()) {
                String offered = exchange.params().get("protocolVersion").textValue();
                Optional<StepView> step = log.steps().stream().filter(candidate -> candidate.contains(exchange.sentAt())).findFirst();
                step.ifPresent(found -> first.putIfAbsent(offered, new Opening(log, found, offered)));
            }
        }
        return List.copyOf(first.values());
    }

    private static Set<String> answered(List<SessionLog> logs) {
        Set<String> out = new LinkedHashSet<>();
        logs.stream().map(log -> log.handshake().revision()).filter(VersionObserver::legacy).forEach(out::add);
        return out;
    }

    private static boolean legacy(String revision) {
        return ProtocolRevision.of(revision).filter(r -> r.era() == Era.LEGACY).isPresent();
    }

    private static Reading reading(Opening opening, boolean known, Set<String> answered) {
        SessionLog log = opening.log();
        Reading reading = HandshakeObserver.initializeReading(log, opening.step());
        String version = log.handshake().revision();
        if (version.isEmpty()) {
            return reading;
        }
        String detail = "offered " + opening.offered() + ", answered \"" + version + "\"";
        if (version.equals(opening.offered())) {
            return new Reading(known ? "same" : "echoed", null, Set.of(), detail, reading.witness(), null);
        }
        Set<String> flags = new LinkedHashSet<>();
        if (!legacy(version)) {
            flags.add(Flag.UNKNOWN_REVISION);
        }
        if (known && answered.contains(opening.offered())) {
            flags.add(Flag.SUPPORTED);
            detail += "; another session settled on " + opening.offered();
        }
        Optional<String> newest = answered.stream().max(String::compareTo);
        if (!known && legacy(version) && newest.isPresent() && newest.get().compareTo(version) > 0) {
            flags.add(Flag.OLDER);
            detail += "; another session settled on " + newest.get();
        }
        return new Reading(Observed.OTHER, null, flags, detail, reading.witness(), null);
    }
}

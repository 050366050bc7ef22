package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.model.Era;
import dev.mcpprober.observation.TargetObservations.SessionSummary;
import dev.mcpprober.observation.TargetObservations.StartupFailure;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Transcript;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the transcripts of one target and says what happened, in the closed vocabulary of {@link Check} and {@link Observed}.
 * A pure function: the same transcripts give the same observations on every machine. What it says changes only with
 * {@link #VERSION}.
 */
public final class Extractor {
    public static final int VERSION = 4;
    /** As written in file names and datasets. */
    public static final String ID = "extractor@" + VERSION;

    private static final String DISCOVER = "discover";

    /** What only a server with a legacy era is asked. */
    private static final List<Check> HANDSHAKE_CHECKS = List.of(Check.SERVER_INITIALIZE, Check.PING);
    private final List<SessionLog> logs = new ArrayList<>();
    private final Retained retained = new Retained();
    private final Map<SessionLog, List<FailureReply>> failures = new HashMap<>();
    private List<Group> groups = List.of();

    /** All that the transcripts of one target show. They come in the order of the session plan. */
    public static TargetObservations extract(List<Transcript> transcripts) {
        Extractor extractor = new Extractor();
        transcripts.forEach(extractor::add);
        return extractor.finish();
    }

    /** Takes the next session of the target. What is kept of it is small, so that a caller may let go of the transcript. */
    public void add(Transcript transcript) {
        // A session whose channel to the engine broke is a fault of ours; nothing in it is the server's doing.
        if (transcript.events().stream().noneMatch(Event.ChannelLost.class::isInstance)) {
            SessionLog log = new SessionLog(transcript, retained);
            logs.add(log);
            failures.put(log, FailureReply.of(log, transcript));
        }
    }

    /** What the sessions added show; a target without any has no observation. */
    public TargetObservations finish() {
        groups = Group.of(logs);
        return all();
    }

    private TargetObservations all() {
        Optional<SessionLog> legacy = open(Era.LEGACY);
        Optional<SessionLog> modern = open(Era.MODERN);
        Set<Era> eras = new LinkedHashSet<>();
        legacy.ifPresent(log -> eras.add(Era.LEGACY));
        modern.ifPresent(log -> eras.add(Era.MODERN));
        String modernRevision = modern.map(log -> log.handshake().revision()).orElse("");
        boolean modernOnly = modern.isPresent() && legacy.isEmpty();
        Optional<SessionLog> otherModern = groups.stream().filter(group -> eras.isEmpty() && group.base().equals(DISCOVER)).flatMap(group -> group.steps().stream())
                .filter(p -> p.step().probe().equals(Check.ERA_DETECT.id()) && HandshakeObserver.modernOfAnotherVersion(p.log(), p.step())).map(Group.Placed::log).findFirst();

        List<Observation> out = new ArrayList<>();
        for (Group group : groups) {
            if (group.base().equals(DISCOVER)) {
                group.steps().stream().filter(p -> p.step().probe().equals(Check.ERA_DETECT.id())).findFirst()
                        .ifPresent(p -> out.add(HandshakeObserver.era(p.log(), p.step(), legacy.isPresent())));
            } else if (group.era() == Era.LEGACY && modernOnly) {
                out.addAll(onModernOnly(group, modernRevision));
            } else {
                List<Observation> rows = GroupObserver.observe(group, groups.stream().filter(other -> other.era() == group.era()).toList(), modernRevision);
                boolean owesNothing = group.era() == Era.LEGACY && otherModern.isPresent();
                rows.stream().filter(row -> !owesNothing || !HANDSHAKE_CHECKS.contains(Check.of(row.subject().check()).orElseThrow())).forEach(out::add);
                out.addAll(owesNothing ? onModernOnly(group, modernRevision) : List.of());
            }
        }
        for (Era era : Era.values()) {
            List<SessionLog> scope = scope(era, modern.isPresent());
            if (!scope.isEmpty() && !(era == Era.LEGACY && modernOnly)) {
                out.addAll(StdoutObserver.observe(scope));
                out.addAll(EnvelopeObserver.observe(scope));
                out.addAll(WireObserver.observe(scope));
                out.addAll(TrafficObserver.observe(era, scope));
                out.addAll(FrameObserver.unreadableIds(scope));
                FrameObserver.answeredHandshake(scope).ifPresent(answered -> replace(answered, out));
                out.addAll(ValidCalls.observe(groups.stream().filter(group -> group.era() == era).toList()));
                out.addAll(ErrorSchemaObserver.observe(scope));
                out.addAll(ToolFailureObserver.observe(scope, failures));
                if (era == Era.MODERN) {
                    out.addAll(ModernObserver.observe(scope));
                    out.addAll(ListsObserver.observe(scope));
                    HandshakeObserver.disagreeing(scope, modernRevision).ifPresent(other -> replace(other, out));
                } else {
                    out.addAll(VersionObserver.observe(scope));
                }
            }
        }
        SessionLog tried = groups.stream().filter(g -> g.era() == Era.LEGACY).findFirst().or(() -> groups.stream().findFirst()).map(Group::first).orElse(null);
        Optional<StartupFailure> startup = eras.isEmpty() && tried != null ? Optional.of(StartupClassifier.classify(otherModern.orElse(tried))) : Optional.empty();
        return new TargetObservations(eras, summary(legacy.or(() -> modern).orElse(null), tried), startup, ordered(out),
                legacy.isPresent() ? VersionObserver.offers(logs) : List.of());
    }

    /** What shows a breach stands in place of what showed none. */
    private static void replace(Observation worse, List<Observation> out) {
        out.removeIf(o -> o.subject().check().equals(worse.subject().check()) && o.subject().era() == worse.subject().era());
        out.add(worse);
    }

    /** The session that stands for an era: its main one, else any with a handshake. */
    private Optional<SessionLog> open(Era era) {
        return groups.stream().filter(g -> g.era() == era && !g.base().equals(DISCOVER)).flatMap(g -> g.open().stream()).findFirst()
                .or(() -> logs.stream().filter(log -> log.era() == era && log.handshake().done()).findFirst());
    }

    /** Sessions whose traffic counts for an era. To a legacy server the discover probe is a foreign frame, so it counts for neither. */
    private List<SessionLog> scope(Era era, boolean modern) {
        List<SessionLog> main = logs.stream().filter(log -> log.era() == era && !log.base().equals(DISCOVER)).toList();
        if (era == Era.LEGACY || !modern) {
            return main;
        }
        List<SessionLog> all = new ArrayList<>(main);
        logs.stream().filter(log -> log.base().equals(DISCOVER)).forEach(all::add);
        return all;
    }

    /** A legacy session with a server that has no legacy era shows one thing: how it meets {@code initialize}. */
    private static List<Observation> onModernOnly(Group group, String revision) {
        List<Observation> out = new ArrayList<>();
        if (!group.base().equals(Era.LEGACY.id())) {
            return out;
        }
        SessionLog log = group.first();
        group.steps().stream().filter(p -> p.log().handshake().exchange() != null && p.step().contains(p.log().handshake().exchange().sentAt())).findFirst()
                .ifPresent(p -> out.add(HandshakeObserver.initializeOnModern(p.log(), p.step(), revision)));
        for (Check check : HANDSHAKE_CHECKS) {
            Subject subject = new Subject(check.id(), log.name(), Era.MODERN, revision, null, null, false);
            out.add(new Observation.NotRun(subject, "modern-only server", "", List.of()));
        }
        return out;
    }

    private SessionSummary summary(SessionLog stands, SessionLog tried) {
        SessionLog log = stands == null ? tried : stands;
        if (log == null) {
            return new SessionSummary(false, "", "", null, null, null, null);
        }
        Handshake handshake = log.handshake();
        JsonNode info = handshake.serverInfo();
        Optional<ToolList> list = logs.stream().filter(other -> other.base().equals(log.base())).map(ToolList::of).filter(ToolList::listed).findFirst();
        return new SessionSummary(stands != null, stands == null ? "" : log.name(), log.header().offeredRevision(),
                handshake.revision().isEmpty() ? null : handshake.revision(), text(info.path("name")), text(info.path("version")),
                list.map(l -> l.distinct().size()).orElse(null));
    }

    private static String text(JsonNode node) {
        return node.isTextual() ? node.textValue() : null;
    }

    /** Grouped by check in order of appearance, primary ones first within each. */
    private static List<Observation> ordered(List<Observation> all) {
        Map<String, List<Observation>> byCheck = new LinkedHashMap<>();
        all.forEach(o -> byCheck.computeIfAbsent(o.subject().check(), key -> new ArrayList<>()).add(o));
        List<Observation> out = new ArrayList<>();
        for (List<Observation> rows : byCheck.values()) {
            rows.stream().filter(o -> o.subject().primary()).forEach(out::add);
            rows.stream().filter(o -> !o.subject().primary()).forEach(out::add);
        }
        return out;
    }
}

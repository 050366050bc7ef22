package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.transcript.Message;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Arrays of messages: legal to send in one revision, to be refused in the others. */
final class BatchObserver {
    private BatchObserver() {}

    /** An array sent under a revision that has none. */
    static Observation rejected(SessionLog log, StepView step) {
        return one(log, step, Check.BATCH_REJECT);
    }

    /**
     * The arrays of one group in one observation: that with requests, unless another ended the server; what else was amiss are flags.
     */
    static List<Observation> received(Group group) {
        List<Observation> all = new ArrayList<>();
        Set<String> flags = new LinkedHashSet<>();
        Set<Integer> witness = new TreeSet<>();
        SessionLog shown = null;
        for (Group.Placed placed : group.steps()) {
            if (!placed.step().probe().equals(Check.BATCH_RECEIVE.id())) {
                continue;
            }
            SessionLog log = placed.log();
            all.add(one(log, placed.step(), Check.BATCH_RECEIVE));
            shown = shown == null ? log : shown;
            Optional<OddFrame> frame = FrameObserver.frame(log, placed.step());
            if (frame.isPresent() && shown == log) {
                String flaw = flaw(log, placed.step(), frame.get());
                if (!flaw.isEmpty()) {
                    flags.add(flaw);
                    witness.add(frame.get().sentAt());
                    frame.get().reactions().forEach(seen -> witness.add(seen.event()));
                }
            }
        }
        Optional<Observation> worst = all.stream().filter(o -> Set.of(Observed.EXITED, Observed.CLOSED, Observed.UNRESPONSIVE).contains(o.observed())).findFirst();
        if (worst.isPresent() || all.isEmpty() || !(all.get(0) instanceof Observation.Reaction first)) {
            return worst.or(() -> all.stream().findFirst()).map(List::of).orElse(List.of());
        }
        if (!Set.of(Observed.BATCH_RESPONSE, Observed.SPLIT_RESPONSE).contains(first.observed())) {
            return List.of(first);
        }
        witness.addAll(first.witness());
        flags.addAll(first.flags());
        return List.of(new Observation.Reaction(first.subject(), first.observed(), first.code(), flags, null, first.detail(), List.copyOf(witness)));
    }

    /** What was amiss in the answer to an array besides whether its requests were answered; empty for nothing. */
    private static String flaw(SessionLog log, StepView step, OddFrame frame) {
        List<Matching.Seen<Message.Response>> reactions = frame.reactions();
        return switch (step.about("kind")) {
            case "notifications" -> reactions.isEmpty() && !log.stdout().emptyArrayBetween(frame.sentAt(), step.until()) ? "" : Flag.ANSWERED_NOTIFICATION;
            case "empty" -> reactions.size() == 1 && reactions.get(0).message().hasError() && Long.valueOf(-32600).equals(FrameObserver.code(reactions.get(0).message()))
                    ? "" : Flag.EMPTY_BATCH;
            // Responses beyond those to the requests: one of them is for the notification.
            default -> reactions.size() > frame.ids().size() || frame.ids().stream().allMatch(id -> named(reactions, id)) && unnamed(reactions)
                    ? Flag.ANSWERED_NOTIFICATION : "";
        };
    }

    private static boolean named(List<Matching.Seen<Message.Response>> reactions, JsonNode id) {
        return reactions.stream().anyMatch(seen -> !Ids.missing(seen.message().id()) && Ids.same(seen.message().id(), id));
    }

    private static boolean unnamed(List<Matching.Seen<Message.Response>> reactions) {
        return reactions.stream().anyMatch(seen -> Ids.missing(seen.message().id()));
    }

    private static Observation one(SessionLog log, StepView step, Check check) {
        return FrameObserver.judged(log, step, Subjects.of(check, log), frame -> reading(log, frame, check), Set.of());
    }

    private static Reading reading(SessionLog log, OddFrame frame, Check check) {
        List<Integer> witness = new ArrayList<>(List.of(frame.sentAt()));
        List<Matching.Seen<Message.Response>> reactions = frame.reactions();
        reactions.stream().limit(6).forEach(seen -> witness.add(seen.event()));
        List<Matching.Seen<Message.Response>> named = reactions.stream().filter(seen -> !Ids.missing(seen.message().id())).toList();
        boolean all = !frame.ids().isEmpty() && frame.ids().stream().allMatch(id -> named(reactions, id));
        if (all) {
            boolean array = named.stream().map(Matching.Seen::event).distinct().count() == 1;
            return new Reading(array ? Observed.BATCH_RESPONSE : Observed.SPLIT_RESPONSE, null, Set.of(),
                    Phrase.quote(named.get(0).message().node()) + (array ? " and more in one line" : " and more on lines of their own"), witness, null);
        }
        if (check == Check.BATCH_RECEIVE && !named.isEmpty()) {
            return new Reading(Observed.NO_RESPONSE, null, Set.of(), "only " + Phrase.count(named.size(), "request") + " of " + frame.ids().size()
                    + " was answered: " + Phrase.quote(named.get(0).message().node()), witness, null);
        }
        Reading plain = FrameObserver.reaction(log, frame);
        if (plain.observed().equals(Observed.UNMATCHED_ERROR) || check == Check.BATCH_REJECT) {
            boolean error = !named.isEmpty() && named.get(0).message().hasError();
            return error ? new Reading(Observed.PROTOCOL_ERROR, FrameObserver.code(named.get(0).message()), Set.of(), plain.detail(), witness, null) : plain;
        }
        // An array of notifications calls for no answer; one of requests does.
        return new Reading(Observed.NO_RESPONSE, null, plain.flags(), frame.ids().isEmpty() ? "no reaction" : "no answer to any request of it", plain.witness(), null);
    }
}

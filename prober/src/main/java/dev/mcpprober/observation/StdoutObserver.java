package dev.mcpprober.observation;

import dev.mcpprober.model.ProtocolRevision;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/** What is on stdout besides messages, how messages are framed, and whether it is UTF-8; over all of every session. */
final class StdoutObserver {
    private static final List<Breaches.Rule> RULES = List.of(
            Breaches.Rule.conformity(Check.STDOUT_PURITY, log -> log.stdout().purity(legal(log))),
            Breaches.Rule.conformity(Check.STDOUT_FRAMING, log -> log.stdout().framing()),
            Breaches.Rule.conformity(Check.STDOUT_UTF8, log -> log.stdout().utf8()));

    private StdoutObserver() {}

    /** One revision has arrays; in the others, one in reply to an array of ours is the reaction to a frame that no client may send. */
    private static IntPredicate legal(SessionLog log) {
        if (log.handshake().revision().equals(ProtocolRevision.V2025_03_26.date())) {
            return event -> true;
        }
        Set<Integer> reactions = new HashSet<>();
        log.matching().oddFrames().stream().filter(frame -> frame.step().probe().equals(Check.BATCH_REJECT.id()))
                .forEach(frame -> frame.reactions().forEach(seen -> reactions.add(seen.event())));
        return reactions::contains;
    }

    static List<Observation> observe(List<SessionLog> logs) {
        List<SessionLog> wrote = logs.stream().filter(log -> log.stdout().wrote()).toList();
        boolean unread = wrote.stream().anyMatch(log -> log.cappedAt() < Integer.MAX_VALUE || !log.stdout().unreadable().isEmpty());
        List<Observation> out = new ArrayList<>();
        for (Breaches.Rule rule : RULES) {
            out.add(wrote.isEmpty() ? new Observation.NotRun(Subjects.of(rule.check(), logs.get(0)), "nothing was written to stdout", "", List.of())
                    : named(Breaches.over(wrote, rule, unread ? Set.of(Flag.PARTLY_UNREAD) : Set.of()), wrote));
        }
        return out;
    }

    private static Observation named(Observation.Finding finding, List<SessionLog> logs) {
        boolean noise = finding.flags().contains(Flag.TEXT) || finding.flags().contains(Flag.JSON_NO_MESSAGE);
        if (!noise || !finding.subject().check().equals(Check.STDOUT_PURITY.id())) {
            return finding;
        }
        Noise found = Noise.of(logs);
        Set<String> flags = new HashSet<>(finding.flags());
        flags.addAll(found.flags());
        String words = " [" + found.words() + "]";
        return new Observation.Finding(finding.subject(), finding.observed(), flags, Phrase.cut(finding.detail(), Phrase.DETAIL - words.length()) + words, finding.witness());
    }
}

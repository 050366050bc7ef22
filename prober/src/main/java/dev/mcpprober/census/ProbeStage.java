package dev.mcpprober.census;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.io.Digests;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerState;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs those sessions of an installed target that have no whole transcript yet. */
final class ProbeStage {
    private final OpenRun run;
    private final TargetSessions sessions;
    private final Attempts attempts;

    ProbeStage(OpenRun run, TargetSessions sessions, Attempts attempts) {
        this.run = run;
        this.sessions = sessions;
        this.attempts = attempts;
    }

    /** @throws IOException when the ledger cannot be written: then nothing more may be done in this run */
    TargetResult probe(FrameEntry entry, Installation installation) throws IOException {
        String target = entry.id();
        List<String> counting = new ArrayList<>();
        try (TargetSessions.Sequence sequence = sessions.begin(entry, installation)) {
            for (Optional<TargetSessions.Due> due = sequence.next(); due.isPresent(); due = sequence.next()) {
                counting.add(session(target, sequence, due.get()));
            }
            return attempts.finish(target, sequence.started() ? TargetState.STARTED : TargetState.START_FAILED, sequence.summary(), counting);
        } catch (Attempts.Ended e) {
            return e.result();
        } catch (EngineException | RuntimeException e) {
            return attempts.installFaulted(target, e).result();
        }
    }

    /** Makes sure that the session that is due has a whole transcript, and returns the attempt that made it. */
    private String session(String target, TargetSessions.Sequence sequence, TargetSessions.Due due) throws IOException, Attempts.Ended {
        String hex = due.key().hex();
        LedgerState.OfKey key = run.ledger().read(state -> state.of(target).key(hex));
        Optional<LedgerState.Done> before = key.completed();
        if (before.isPresent() && RunFolder.holds(run.folder().transcript(before.get().attempt()), before.get().sha256())) {
            try {
                sequence.accept(run.folder().transcript(before.get().attempt()));
                return before.get().attempt();
            } catch (IOException e) {
                // Whole, but not to be understood: run again, and if that is no better, the new attempt is the one that faults.
            }
        }
        attempts.ready(key, due.name());
        TargetSessions.Attempt attempt = attempt(hex, key.attempts() + 1);
        LedgerEvent.Started started = new LedgerEvent.Started(run.now(), target, hex, attempt.id(), due.name());
        if (key.attempts() > 0) {
            run.ledger().append(started);
        } else {
            run.ledger().append(new LedgerEvent.Planned(run.now(), target, hex, due.name(), due.script()), started);
        }
        String sha256;
        try {
            sequence.run(due, attempt);
            attempts.undisturbed();
            sequence.accept(attempt.transcript());
            sha256 = Digests.sha256(attempt.transcript());
        } catch (Exception | StackOverflowError | OutOfMemoryError e) {
            throw attempts.faulted(target, hex, attempt.id(), due.name(), e);
        }
        run.ledger().append(new LedgerEvent.Completed(run.now(), target, hex, attempt.id(), sha256));
        return attempt.id();
    }

    /** A number that no file bears yet, whatever the ledger remembers: attempt files are never overwritten. */
    private TargetSessions.Attempt attempt(String key, int from) {
        for (int number = from; ; number++) {
            String id = key.substring(0, 16) + "-" + number;
            Path file = run.folder().transcript(id);
            if (!Files.exists(file)) {
                return new TargetSessions.Attempt(id, file);
            }
        }
    }
}

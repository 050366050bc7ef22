package dev.mcpprober.census;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Digests;
import dev.mcpprober.model.Fault;
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
import java.util.function.Supplier;

/**
 * Measures one target from wherever an earlier run left it. Every attempt is in the ledger before it begins and after it ends.
 */
final class TargetWork {
    private static final Fault INTERRUPTED = new Fault.Interrupted("the program was ended during this attempt");

    private final OpenRun run;
    private final TargetInstaller installer;
    private final TargetSessions sessions;
    private final RetryPolicy retry;
    private final DiskGuard disk;
    private final Supplier<Boolean> stopping;
    private final Supplier<Boolean> ending;

    /**
     * @param stopping no more attempts are to begin
     * @param ending   see {@link ProgramEnd}
     */
    TargetWork(OpenRun run, TargetInstaller installer, TargetSessions sessions, RetryPolicy retry, DiskGuard disk, Supplier<Boolean> stopping,
               Supplier<Boolean> ending) {
        this.run = run;
        this.installer = installer;
        this.sessions = sessions;
        this.retry = retry;
        this.disk = disk;
        this.stopping = stopping;
        this.ending = ending;
    }

    /** What one try at a target came to. */
    sealed interface Result {
        record Measured(TargetState state, String summary, boolean before) implements Result {}

        /** An attempt faulted; {@code exhausted} when the work key has no tries left. */
        record Faulted(String session, Fault fault, boolean exhausted) implements Result {}

        /** No tries were left to begin with. */
        record GaveUp(String reason) implements Result {}

        /** Asked to stop between two attempts. */
        record Stopped() implements Result {}
    }

    /** @throws IOException when the ledger cannot be written: then nothing more may be done in this run */
    Result measure(FrameEntry entry) throws IOException {
        String target = entry.id();
        Optional<LedgerEvent.Finished> finished = run.ledger().read(state -> state.of(target).finished());
        if (finished.isPresent() && stands(target, finished.get())) {
            return new Result.Measured(TargetState.of(finished.get().state()), finished.get().detail(), true);
        }
        try {
            Installation installation = installation(entry);
            if (!installation.usable()) {
                return finish(target, TargetState.NOT_INSTALLED, installation.outcome(), List.of());
            }
            return probe(entry, installation);
        } catch (Ended e) {
            return e.result;
        }
    }

    /** Carries a result out of nested calls. */
    private static final class Ended extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Result result;

        Ended(Result result) {
            super(null, null, false, false);
            this.result = result;
        }
    }

    /** True when all that the target was measured by is still there, whole. */
    private boolean stands(String target, LedgerEvent.Finished finished) throws IOException {
        Optional<LedgerEvent.Installed> installed = run.ledger().read(state -> state.of(target).installed());
        if (installed.isEmpty() || !RunFolder.holds(run.folder().install(target), installed.get().sha256())) {
            return false;
        }
        List<LedgerState.Done> completed = run.ledger().read(state -> state.of(target).keys().values().stream()
                .flatMap(key -> key.completed().stream()).toList());
        for (String attempt : finished.attempts()) {
            Optional<LedgerState.Done> known = completed.stream().filter(c -> c.attempt().equals(attempt)).findFirst();
            if (known.isEmpty() || !RunFolder.holds(run.folder().transcript(attempt), known.get().sha256())) {
                return false;
            }
        }
        return true;
    }

    private Installation installation(FrameEntry entry) throws IOException, Ended {
        String target = entry.id();
        LedgerState.OfKey key = run.ledger().read(state -> state.of(target).key(LedgerEvent.INSTALL));
        Path file = run.folder().install(target);
        Optional<LedgerEvent.Installed> before = run.ledger().read(state -> state.of(target).installed());
        boolean kept = before.isPresent() && RunFolder.holds(file, before.get().sha256());
        if (kept && !before.get().usable()) {
            return new Installation(before.get().outcome(), false, target, "", "", List.of(), "", new byte[0]);
        }
        ready(key, "install");
        if (kept) {
            try {
                Optional<Installation> restored = installer.restore(entry, Files.readAllBytes(file));
                if (restored.isPresent()) {
                    return restored.get();
                }
            } catch (Exception e) {
                throw installFaulted(target, e);
            }
        }
        String attempt = installAttempt(target);
        run.ledger().append(new LedgerEvent.Started(run.now(), target, LedgerEvent.INSTALL, attempt, "install"));
        Installation installation;
        try {
            installation = installer.install(entry);
            undisturbed();
            AtomicFiles.write(file, installation.document());
        } catch (Exception | StackOverflowError | OutOfMemoryError e) {
            throw faulted(target, LedgerEvent.INSTALL, attempt, "install", e);
        }
        run.ledger().append(new LedgerEvent.Installed(run.now(), target, attempt, installation.outcome(), installation.usable(),
                Digests.sha256(installation.document())));
        return installation;
    }

    private Result probe(FrameEntry entry, Installation installation) throws IOException, Ended {
        String target = entry.id();
        List<String> attempts = new ArrayList<>();
        try (TargetSessions.Sequence sequence = sessions.begin(entry, installation)) {
            for (Optional<TargetSessions.Due> due = sequence.next(); due.isPresent(); due = sequence.next()) {
                attempts.add(session(target, sequence, due.get()));
            }
            return finish(target, sequence.started() ? TargetState.STARTED : TargetState.START_FAILED, sequence.summary(), attempts);
        } catch (EngineException | RuntimeException e) {
            // Outside any session: booked on the install, which is what cannot be used.
            throw installFaulted(target, e);
        }
    }

    private Ended installFaulted(String target, Exception problem) throws IOException {
        String attempt = installAttempt(target);
        run.ledger().append(new LedgerEvent.Started(run.now(), target, LedgerEvent.INSTALL, attempt, "install"));
        return faulted(target, LedgerEvent.INSTALL, attempt, "install", problem);
    }

    private String installAttempt(String target) {
        int number = run.ledger().read(state -> state.of(target).key(LedgerEvent.INSTALL)).attempts() + 1;
        return Digests.sha256(LedgerEvent.INSTALL + "\n" + target).substring(0, 16) + "-" + number;
    }

    /** Makes sure that the session that is due has a whole transcript, and returns the attempt that made it. */
    private String session(String target, TargetSessions.Sequence sequence, TargetSessions.Due due) throws IOException, Ended {
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
        ready(key, due.name());
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
            undisturbed();
            sequence.accept(attempt.transcript());
            sha256 = Digests.sha256(attempt.transcript());
        } catch (Exception | StackOverflowError | OutOfMemoryError e) {
            throw faulted(target, hex, attempt.id(), due.name(), e);
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

    /** Whether another attempt at a key may begin now. */
    private void ready(LedgerState.OfKey key, String session) throws Ended {
        if (stopping.get()) {
            throw new Ended(new Result.Stopped());
        }
        if (retry.exhausted(key)) {
            LedgerEvent.Faulted last = key.faults().get(key.faults().size() - 1);
            throw new Ended(new Result.GaveUp(key.faults().size() + " faults in " + session + ", the last one " + last.kind() + ": " + last.detail()));
        }
        Optional<Fault.HostDiskFull> full = disk.check();
        if (full.isPresent()) {
            throw new Ended(new Result.Faulted(session, full.get(), false));
        }
    }

    private void undisturbed() throws EngineException {
        if (ending.get()) {
            throw new EngineException(INTERRUPTED);
        }
    }

    private Ended faulted(String target, String key, String attempt, String session, Throwable problem) throws IOException {
        Fault fault = ending.get() ? INTERRUPTED : Faults.of(problem);
        run.ledger().append(new LedgerEvent.Faulted(run.now(), target, key, attempt, fault.kind(), fault.detail()));
        boolean exhausted = run.ledger().read(state -> retry.exhausted(state.of(target).key(key)));
        return new Ended(new Result.Faulted(session, fault, exhausted));
    }

    private Result finish(String target, TargetState state, String detail, List<String> attempts) throws IOException {
        run.ledger().append(new LedgerEvent.Finished(run.now(), target, state.id(), detail, attempts));
        return new Result.Measured(state, detail, false);
    }
}

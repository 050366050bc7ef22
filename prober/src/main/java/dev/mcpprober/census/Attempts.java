package dev.mcpprober.census;

import dev.mcpprober.io.Digests;
import dev.mcpprober.model.Fault;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerState;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What both stages of a target have in common: whether an attempt may begin, and how the ledger is told what became of it. */
final class Attempts {
    private static final Fault INTERRUPTED = new Fault.Interrupted("the program was ended during this attempt");

    private final OpenRun run;
    private final RetryPolicy retry;
    private final DiskGuard disk;
    private final Supplier<Boolean> stopping;
    private final Supplier<Boolean> ending;

    /**
     * @param stopping no more attempts are to begin
     * @param ending   see {@link ProgramEnd}
     */
    Attempts(OpenRun run, RetryPolicy retry, DiskGuard disk, Supplier<Boolean> stopping, Supplier<Boolean> ending) {
        this.run = run;
        this.retry = retry;
        this.disk = disk;
        this.stopping = stopping;
        this.ending = ending;
    }

    /** Carries a result out of nested calls. */
    static final class Ended extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient TargetResult result;

        Ended(TargetResult result) {
            super(null, null, false, false);
            this.result = result;
        }

        TargetResult result() {
            return result;
        }
    }

    /** Whether another attempt at a key may begin now. */
    void ready(LedgerState.OfKey key, String session) throws Ended {
        if (stopping.get()) {
            throw new Ended(new TargetResult.Stopped());
        }
        if (retry.exhausted(key)) {
            LedgerEvent.Faulted last = key.faults().get(key.faults().size() - 1);
            throw new Ended(new TargetResult.GaveUp(key.faults().size() + " faults in " + session + ", the last one " + last.kind() + ": " + last.detail()));
        }
        try {
            Optional<Fault.HostDiskFull> full = disk.room(stopping::get);
            if (full.isPresent()) {
                throw new Ended(new TargetResult.NoRoom(full.get()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Ended(new TargetResult.Stopped());
        }
    }

    /** After an attempt: what it saw counts only while nobody is taking its sandbox away. */
    void undisturbed() throws EngineException {
        if (ending.get()) {
            throw new EngineException(INTERRUPTED);
        }
    }

    Ended faulted(String target, String key, String attempt, String session, Throwable problem) throws IOException {
        Fault fault = ending.get() ? INTERRUPTED : Faults.of(problem);
        run.ledger().append(new LedgerEvent.Faulted(run.now(), target, key, attempt, fault.kind(), fault.detail()));
        boolean exhausted = run.ledger().read(state -> retry.exhausted(state.of(target).key(key)));
        return new Ended(new TargetResult.Faulted(session, fault, exhausted));
    }

    /** For what fails outside of any attempt: booked on the install, which is what cannot be used. */
    Ended installFaulted(String target, Throwable problem) throws IOException {
        return faulted(target, LedgerEvent.INSTALL, installStarted(target), "install", problem);
    }

    /** Says that an install is about to begin. @return its attempt */
    String installStarted(String target) throws IOException {
        int number = run.ledger().read(state -> state.of(target).key(LedgerEvent.INSTALL)).attempts() + 1;
        String attempt = Digests.sha256(LedgerEvent.INSTALL + "\n" + target).substring(0, 16) + "-" + number;
        run.ledger().append(new LedgerEvent.Started(run.now(), target, LedgerEvent.INSTALL, attempt, "install"));
        return attempt;
    }

    TargetResult finish(String target, TargetState state, String detail, List<String> attempts) throws IOException {
        run.ledger().append(new LedgerEvent.Finished(run.now(), target, state.id(), detail, attempts));
        return new TargetResult.Measured(state, detail, false);
    }
}

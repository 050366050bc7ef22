package dev.mcpprober.census;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Digests;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerState;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.TargetState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Brings a target from wherever an earlier run left it to something that can be probed, or to its end. */
final class InstallStage {
    private final OpenRun run;
    private final TargetInstaller installer;
    private final Attempts attempts;

    InstallStage(OpenRun run, TargetInstaller installer, Attempts attempts) {
        this.run = run;
        this.installer = installer;
        this.attempts = attempts;
    }

    /** The result of an earlier run, when all that the target was measured by is still there, whole. */
    Optional<TargetResult> before(FrameEntry entry) throws IOException {
        String target = entry.id();
        Optional<LedgerEvent.Finished> finished = run.ledger().read(state -> state.of(target).finished());
        return finished.isPresent() && stands(target, finished.get())
                ? Optional.of(new TargetResult.Measured(TargetState.of(finished.get().state()), finished.get().detail(), true)) : Optional.empty();
    }

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

    /**
     * Installs, or takes up an earlier install.
     *
     * @return what can be probed; whoever has it gives it back to the installer
     * @throws Attempts.Ended when the target has come to its end, or this try at it
     * @throws IOException    when the ledger cannot be written: then nothing more may be done in this run
     */
    Installation install(FrameEntry entry) throws IOException, Attempts.Ended {
        Installation installation = installation(entry);
        if (!installation.usable()) {
            throw new Attempts.Ended(attempts.finish(entry.id(), TargetState.NOT_INSTALLED, installation.outcome(), List.of()));
        }
        return installation;
    }

    private Installation installation(FrameEntry entry) throws IOException, Attempts.Ended {
        String target = entry.id();
        LedgerState.OfKey key = run.ledger().read(state -> state.of(target).key(LedgerEvent.INSTALL));
        Path file = run.folder().install(target);
        Optional<LedgerEvent.Installed> before = run.ledger().read(state -> state.of(target).installed());
        boolean kept = before.isPresent() && RunFolder.holds(file, before.get().sha256());
        if (kept && !before.get().usable()) {
            return new Installation(before.get().outcome(), false, target, "", "", List.of(), "", new byte[0]);
        }
        attempts.ready(key, "install");
        if (kept) {
            try {
                Optional<Installation> restored = installer.restore(entry, Files.readAllBytes(file));
                if (restored.isPresent()) {
                    return restored.get();
                }
            } catch (Exception e) {
                throw attempts.installFaulted(target, e);
            }
        }
        return installed(entry, file);
    }

    private Installation installed(FrameEntry entry, Path file) throws IOException, Attempts.Ended {
        String target = entry.id();
        String attempt = attempts.installStarted(target);
        Installation installation = null;
        try {
            installation = installer.install(entry);
            attempts.undisturbed();
            AtomicFiles.write(file, installation.document());
        } catch (Exception | StackOverflowError | OutOfMemoryError e) {
            if (installation != null) {
                installer.release(installation, false);
            }
            throw attempts.faulted(target, LedgerEvent.INSTALL, attempt, "install", e);
        }
        run.ledger().append(new LedgerEvent.Installed(run.now(), target, attempt, installation.outcome(), installation.usable(),
                Digests.sha256(installation.document())));
        return installation;
    }
}

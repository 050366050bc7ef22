package dev.mcpprober.census;

import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes the work that another run folder holds into this one: its files, then its ledger events. Targets of the two must differ;
 * an attempt of the same name (one artefact under two targets) gets the next free number.
 */
final class RunAbsorber {
    private final RunFolder into;
    private final Ledger ledger;

    RunAbsorber(RunFolder into, Ledger ledger) {
        this.into = into;
        this.ledger = ledger;
    }

    /** Files come first, so that the ledger never names one that is not there. */
    void absorb(RunFolder part) throws IOException {
        List<LedgerEvent> events = new ArrayList<>();
        LedgerReader.read(part.ledger(), events::add);
        Map<String, String> renamed = new HashMap<>();
        for (LedgerEvent event : events) {
            if (event instanceof LedgerEvent.Started started && !started.key().equals(LedgerEvent.INSTALL)) {
                renamed.put(started.attempt(), transcript(part, started.attempt()));
            } else if (event instanceof LedgerEvent.Installed installed) {
                copy(part.install(installed.target()), into.install(installed.target()));
            }
        }
        ledger.append(events.stream().map(event -> rename(event, renamed)).toArray(LedgerEvent[]::new));
    }

    private String transcript(RunFolder part, String attempt) throws IOException {
        String base = attempt.substring(0, attempt.lastIndexOf('-') + 1);
        int number = Integer.parseInt(attempt.substring(base.length()));
        String name = attempt;
        while (Files.exists(into.transcript(name))) {
            number++;
            name = base + number;
        }
        copy(part.transcript(attempt), into.transcript(name));
        return name;
    }

    private static void copy(Path from, Path to) throws IOException {
        if (!Files.exists(from)) {
            return;
        }
        Files.createDirectories(to.getParent());
        try {
            Files.createLink(to, from);
        } catch (FileAlreadyExistsException e) {
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | UnsupportedOperationException e) {
            // Another file system, or one without links.
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static LedgerEvent rename(LedgerEvent event, Map<String, String> names) {
        if (event instanceof LedgerEvent.Started e) {
            return new LedgerEvent.Started(e.at(), e.target(), e.key(), names.getOrDefault(e.attempt(), e.attempt()), e.session());
        } else if (event instanceof LedgerEvent.Completed e) {
            return new LedgerEvent.Completed(e.at(), e.target(), e.key(), names.getOrDefault(e.attempt(), e.attempt()), e.sha256());
        } else if (event instanceof LedgerEvent.Faulted e) {
            return new LedgerEvent.Faulted(e.at(), e.target(), e.key(), names.getOrDefault(e.attempt(), e.attempt()), e.kind(), e.detail());
        } else if (event instanceof LedgerEvent.Finished e) {
            return new LedgerEvent.Finished(e.at(), e.target(), e.state(), e.detail(), e.attempts().stream().map(a -> names.getOrDefault(a, a)).toList());
        }
        return event;
    }
}

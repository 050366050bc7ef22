package dev.mcpprober.census;

import dev.mcpprober.io.Digests;
import dev.mcpprober.model.Fault;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Takes the work that another run folder holds into this one: its files, then its ledger events. An attempt whose name is taken (one
 * artefact under two targets, or a unit that was tried on two machines) gets the next free number.
 */
public final class RunAbsorber {
    private final RunFolder into;
    private final Ledger ledger;
    /** Attempts that left no transcript; of the others the files tell. */
    private final Set<String> taken = new HashSet<>();
    /** What was begun for targets that are not measured, and when: it was taken in before, and may be offered again. */
    private final Set<String> begun = new HashSet<>();

    RunAbsorber(RunFolder into, Ledger ledger) throws IOException {
        this.into = into;
        this.ledger = ledger;
        if (Files.exists(into.ledger())) {
            LedgerReader.read(into.ledger(), event -> {
                if (event instanceof LedgerEvent.Started started) {
                    taken.add(started.attempt());
                    if (ledger.read(state -> state.of(started.target()).finished().isEmpty())) {
                        begun.add(started.target() + " " + started.at());
                    }
                }
            });
        }
    }

    /** For a run that this process holds. Files that a death between copying and booking left are removed: nobody else writes there. */
    public static RunAbsorber of(OpenRun run) throws IOException {
        RunAbsorber absorber = new RunAbsorber(run.folder(), run.ledger());
        Path transcripts = run.folder().path().resolve("transcripts");
        if (Files.isDirectory(transcripts)) {
            try (Stream<Path> files = Files.walk(transcripts)) {
                for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                    if (!absorber.taken.remove(file.getFileName().toString().replaceFirst("\\.jsonl\\.gz$", ""))) {
                        Files.delete(file);
                    }
                }
            }
        }
        return absorber;
    }

    /**
     * Copies the files of a part and gives its events as they are to be booked; none where they have been. Files come first, so that the ledger never names one
     * that is not there.
     */
    public List<LedgerEvent> take(RunFolder part) throws IOException {
        List<LedgerEvent> events = new ArrayList<>();
        LedgerReader.read(part.ledger(), events::add);
        if (events.stream().anyMatch(event -> event instanceof LedgerEvent.Started started && begun.contains(started.target() + " " + started.at()))) {
            return List.of();
        }
        Map<String, String> names = new HashMap<>();
        for (LedgerEvent event : events) {
            if (event instanceof LedgerEvent.Started started) {
                String name = free(started.attempt());
                names.put(started.attempt(), name);
                copy(part.transcript(started.attempt()), into.transcript(name));
                if (Files.exists(into.transcript(name))) {
                    taken.remove(name);
                }
            } else if (event instanceof LedgerEvent.Installed installed) {
                copy(part.install(installed.target()), into.install(installed.target()));
            }
        }
        // Who let go of the part, and when, is not when this run ends.
        return events.stream().filter(event -> !(event instanceof LedgerEvent.Closed)).map(event -> rename(event, names)).toList();
    }

    /** An attempt of which nothing came back: its machine died, or was cut off. Nothing where that is booked already. */
    public List<LedgerEvent> lost(String target, String startedAt, String now, String detail) {
        if (begun.contains(target + " " + startedAt)) {
            return List.of();
        }
        Fault fault = new Fault.Interrupted(detail);
        String attempt = free("lost-" + Digests.sha256(target).substring(0, 16) + "-1");
        return List.of(new LedgerEvent.Started(startedAt, target, LedgerEvent.INSTALL, attempt, "unit"),
                new LedgerEvent.Faulted(now, target, LedgerEvent.INSTALL, attempt, fault.kind(), fault.detail()));
    }

    /** Books what belongs together in one write. */
    public void book(List<LedgerEvent> events) throws IOException {
        ledger.append(events.toArray(LedgerEvent[]::new));
    }

    private String free(String attempt) {
        String base = attempt.substring(0, attempt.lastIndexOf('-') + 1);
        int number = Integer.parseInt(attempt.substring(base.length()));
        String name = attempt;
        while (taken.contains(name) || Files.exists(into.transcript(name))) {
            number++;
            name = base + number;
        }
        taken.add(name);
        return name;
    }

    private static void copy(Path from, Path to) throws IOException {
        if (!Files.exists(from)) {
            return;
        }
        Files.createDirectories(to.getParent());
        Files.deleteIfExists(to);
        try {
            Files.createLink(to, from);
        } catch (IOException | UnsupportedOperationException e) {
            // Another file system, or one without links.
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static LedgerEvent rename(LedgerEvent event, Map<String, String> names) {
        if (event instanceof LedgerEvent.Started e) {
            return new LedgerEvent.Started(e.at(), e.target(), e.key(), names.getOrDefault(e.attempt(), e.attempt()), e.session());
        } else if (event instanceof LedgerEvent.Installed e) {
            return new LedgerEvent.Installed(e.at(), e.target(), names.getOrDefault(e.attempt(), e.attempt()), e.outcome(), e.usable(), e.sha256());
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

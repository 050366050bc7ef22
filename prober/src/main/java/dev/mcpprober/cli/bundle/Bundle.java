package dev.mcpprober.cli.bundle;

import dev.mcpprober.cli.UserError;
import dev.mcpprober.cli.report.Format;
import dev.mcpprober.install.InstallDocument;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.io.Folders;
import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.transcript.Planted;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * {@code check --bundle DIR}: everything a maintainer needs to see what was found, and for each finding a script that shows it without
 * this program. Each script is tried before the folder gets its name; where the frames of the witness alone do not show the finding, all
 * that the session had sent so far is replayed.
 */
public final class Bundle {
    /** Trying scripts ends after this; what is left is marked as not tried. */
    private static final long TRIAL_SECONDS = 900;
    private final BundleSource source;
    private final Consumer<String> say;
    private final Map<String, Transcript> transcripts = new HashMap<>();

    private Bundle(BundleSource source, Consumer<String> say) {
        this.source = source;
        this.say = say;
    }

    /** @param folder of the finding within the bundle; empty where it has no script */
    record Entry(Finding finding, String folder, Trial.Outcome outcome, String note) {}

    /** @param reproduced of {@code findings} in all */
    public record Written(int findings, int reproduced, List<String> others) {}

    /** @throws UserError when there is something at {@code folder} that would be overwritten */
    public static void requireFree(Path folder) throws UserError, IOException {
        if (!Files.exists(folder)) {
            return;
        }
        if (!Files.isDirectory(folder)) {
            throw new UserError("--bundle: \"" + Printable.text(folder.toString(), 200) + "\" is not a folder");
        }
        try (Stream<Path> files = Files.list(folder)) {
            if (files.findAny().isPresent()) {
                throw new UserError("--bundle: \"" + Printable.text(folder.toString(), 200) + "\" is not empty; name a new folder");
            }
        }
    }

    /** Writes the bundle beside, tries its scripts there and moves it to {@code folder}. */
    public static Written write(Path folder, BundleSource source, Consumer<String> say) throws UserError, IOException, InterruptedException {
        requireFree(folder);
        Path target = folder.toAbsolutePath().normalize();
        Files.createDirectories(target.getParent());
        Path beside = target.resolveSibling("." + target.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        try {
            Files.createDirectory(beside);
            List<Entry> entries = new Bundle(source, say).fill(beside);
            Files.deleteIfExists(target);
            Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE);
            return new Written(entries.size(), (int) entries.stream().filter(e -> e.outcome() == Trial.Outcome.REPRODUCED).count(),
                    entries.stream().filter(e -> e.outcome() != Trial.Outcome.REPRODUCED).map(e -> e.finding().title() + ": " + e.note()).toList());
        } finally {
            Folders.delete(beside);
        }
    }

    private List<Entry> fill(Path folder) throws IOException, InterruptedException {
        Path kept = Files.createDirectory(folder.resolve("transcripts"));
        for (Map.Entry<String, Path> session : source.sessions().entrySet()) {
            Files.copy(session.getValue(), kept.resolve(session.getKey() + ".jsonl.gz"));
        }
        report(folder.resolve("report.txt"), Format.text);
        report(folder.resolve("report.json"), Format.json);
        if (source.record().isPresent()) {
            InstallRecord record = source.record().get();
            Files.write(folder.resolve("install.json"), InstallDocument.write(record));
            if (!record.lock().text().isEmpty()) {
                String name = record.lock().name().replaceAll("[^A-Za-z0-9._-]", "_");
                Files.writeString(folder.resolve(name.startsWith(".") || name.isEmpty() ? "lockfile" : name), record.lock().text());
            }
        }
        List<Entry> entries = new ArrayList<>();
        List<Finding> findings = Finding.of(source.result());
        Optional<ServerStart> start = source.ran().map(this::start);
        long end = System.nanoTime() + TRIAL_SECONDS * 1_000_000_000L;
        for (Finding finding : findings) {
            say.accept("bundle: finding " + (entries.size() + 1) + " of " + findings.size() + ", " + finding.key().check());
            entries.add(finding(folder, entries.size() + 1, finding, start.orElseThrow(), System.nanoTime() < end));
        }
        Files.writeString(folder.resolve("bundle.json"), source.redactor().text(new String(BundleDocument.json(source, start, entries), StandardCharsets.UTF_8)));
        Files.writeString(folder.resolve("README.md"), source.redactor().text(BundleDocument.readme(source, start, entries)));
        script(folder.resolve("reproduce-all.sh"), BundleDocument.ALL);
        return entries;
    }

    private ServerStart start(SandboxSpec ran) {
        Map<String, String> planted = Map.of(Planted.NAME, Planted.VALUE);
        if (source.record().isEmpty()) {
            return ServerStart.command(ran, planted, source.environment().keySet());
        }
        Map<String, String> environment = new HashMap<>(source.environment());
        environment.putAll(planted);
        return ServerStart.image(new SandboxSpec(ran.image(), ran.argv(), environment, ran.workdir(), ran.policy(), ran.labels()), source.environment().keySet(), hint());
    }

    private String hint() {
        InstallRecord.Artefact artefact = source.record().orElseThrow().artefact();
        String name = Printable.text(artefact.name(), 200);
        String version = Printable.text(artefact.version(), 100);
        return switch (artefact.registry()) {
            case NPM -> "Set SERVER, e.g. to: npx -y " + name + "@" + version;
            case PYPI -> "Set SERVER, e.g. to: uvx " + name + "==" + version;
            default -> "Set SERVER to a command that starts the server.";
        };
    }

    private Entry finding(Path folder, int number, Finding finding, ServerStart start, boolean time) throws IOException, InterruptedException {
        Path transcript = source.sessions().get(finding.session());
        if (transcript == null || finding.witness().isEmpty()) {
            return new Entry(finding, "", Trial.Outcome.NOT_TRIED, "nothing that was sent or received shows it alone");
        }
        if (!transcripts.containsKey(finding.session())) {
            // One at a time: a transcript may have tens of MiB.
            transcripts.clear();
            transcripts.put(finding.session(), TranscriptReader.read(transcript));
        }
        String name = String.format(Locale.ROOT, "%02d-%s", number, finding.key().check());
        Path place = Files.createDirectories(folder.resolve("findings").resolve(name));
        Trial.Outcome outcome = Trial.Outcome.NOT_TRIED;
        for (boolean whole : new boolean[] {false, true}) {
            Replay replay = ReplayPlanner.plan(transcripts.get(finding.session()), finding.witness(), finding.lenient(), whole);
            if (!replay.provable()) {
                Folders.delete(place);
                return new Entry(finding, "", Trial.Outcome.NOT_TRIED, "nothing that was sent or received shows it alone");
            }
            write(place, finding, replay, start);
            outcome = time ? tried(place) : Trial.Outcome.NOT_TRIED;
            if (outcome != Trial.Outcome.NOT_REPRODUCED) {
                break;
            }
        }
        String note = switch (outcome) {
            case REPRODUCED -> "";
            case NOT_REPRODUCED -> "the script did not show it when it was tried here; it may be a matter of chance or time";
            case NOT_TRIED -> time ? "the script could not be tried here, see tried.txt" : "there was no time to try the script here";
        };
        return new Entry(finding, "findings/" + name, outcome, note);
    }

    private Trial.Outcome tried(Path place) throws IOException, InterruptedException {
        Path log = place.resolve("tried.txt");
        Trial.Outcome outcome = Trial.run(place.resolve("reproduce.sh"), log, source.environment());
        if (Files.exists(log)) {
            byte[] printed = Files.readAllBytes(log);
            Files.write(log, source.redactor().open().pieces(List.of(printed), List.of(false)).get(0));
        }
        return outcome;
    }

    private void write(Path place, Finding finding, Replay replay, ServerStart start) throws IOException {
        List<String> comments = new ArrayList<>(List.of(finding.verdict() + "  " + finding.title(), ""));
        comments.addAll(finding.text());
        comments.addAll(List.of("", "Server: " + Printable.text(start.display(), 4000)));
        ReplayScript.Written written = ReplayScript.write(comments, start.shell(), replay);
        script(place.resolve("reproduce.sh"), written.script());
        for (int i = 0; i < written.files().size(); i++) {
            Files.write(place.resolve("line-" + (i + 1)), written.files().get(i));
        }
        // For a terminal: what to paste into the server's stdin, line by line.
        try (var frames = Files.newOutputStream(place.resolve("frames.jsonl"))) {
            for (Replay.Step step : replay.during()) {
                if (step instanceof Replay.Send send) {
                    frames.write(send.bytes());
                }
            }
        }
    }

    private void report(Path file, Format format) throws IOException {
        StringWriter text = new StringWriter();
        format.write(source.result(), source.gate(), source.version(), source.now(), false, new PrintWriter(text));
        Files.writeString(file, source.redactor().text(text.toString()), StandardCharsets.UTF_8);
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardCharsets.UTF_8);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}

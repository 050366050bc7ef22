package dev.mcpprober.dataset.disclosure;

import dev.mcpprober.corpus.Publishers;
import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.RunRedactor;
import dev.mcpprober.dataset.ServerFindings;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Folders;
import dev.mcpprober.model.Printable;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.EventRedaction;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Letters to maintainers, one for each publisher, each ready to be sent: findings that are held, with the frames that show them, the text that
 * applies, what to change, and the day on which the server will be named.
 */
public final class Letters {
    /** Findings of one kind that a letter shows for a server; the others are counted. */
    private static final int SHOWN = 2;
    private static final int FRAME = 1500;

    private final RunFolder run;
    private final Redactor redactor;
    private final String author;
    private final String measured;

    private Letters(RunFolder run, Analysis analysis, String author) throws IOException {
        this.run = run;
        this.redactor = RunRedactor.of(run, analysis.redactor());
        this.author = author;
        this.measured = run.readInfo().createdAt().substring(0, 10);
    }

    /**
     * Writes the letters and {@code index.csv} into a new folder.
     *
     * @return the files, the index last; empty where nobody has to be written to
     * @throws DisclosureException when there is something in {@code out}, or a line of the disclosure file is wrong
     */
    public static List<Path> write(RunFolder run, Analysis analysis, Disclosure.Request request, String author, Path out) throws IOException, DisclosureException {
        if (Files.exists(out)) {
            try (Stream<Path> files = Files.isDirectory(out) ? Files.list(out) : Stream.of(out)) {
                if (files.findAny().isPresent()) {
                    throw new DisclosureException("--to: " + Printable.text(out.toString(), 300) + " is there already; name a new folder, so that no letter that was sent is lost");
                }
            }
        }
        Map<String, List<Disclosure.Decision>> publishers = new TreeMap<>();
        for (Disclosure.Decision decision : Disclosure.decide(run, analysis, request)) {
            if (!decision.held().isEmpty()) {
                publishers.computeIfAbsent(publisher(decision.server().row()), key -> new ArrayList<>()).add(decision);
            }
        }
        if (publishers.isEmpty()) {
            return List.of();
        }
        return new Letters(run, analysis, author).write(publishers, out.toAbsolutePath().normalize());
    }

    private List<Path> write(Map<String, List<Disclosure.Decision>> publishers, Path out) throws IOException {
        Path beside = out.resolveSibling("." + out.getFileName() + ".building");
        Folders.delete(beside);
        try {
            List<String> names = new ArrayList<>();
            StringBuilder index = new StringBuilder("letter,publisher,targets,findings,named_from,answer\n");
            for (Map.Entry<String, List<Disclosure.Decision>> entry : publishers.entrySet()) {
                String name = fileName(entry.getKey());
                names.add(name);
                AtomicFiles.write(beside.resolve(name), letter(entry.getKey(), entry.getValue()).getBytes(StandardCharsets.UTF_8));
                String targets = String.join(";", entry.getValue().stream().map(decision -> label(decision.server().row())).toList());
                String found = String.join(";", entry.getValue().stream().flatMap(decision -> decision.held().stream()).map(one -> one.severity().id()).distinct().toList());
                index.append(String.join(",", name, cell(entry.getKey()), cell(targets), found, until(entry.getValue()), "")).append('\n');
            }
            AtomicFiles.write(beside.resolve("index.csv"), index.toString().getBytes(StandardCharsets.UTF_8));
            names.add("index.csv");
            Files.deleteIfExists(out);
            Files.move(beside, out, StandardCopyOption.ATOMIC_MOVE);
            return names.stream().map(out::resolve).toList();
        } finally {
            Folders.delete(beside);
        }
    }

    /** Letters and digits only, whatever the name holds, and a digest that tells apart what they do not. */
    static String fileName(String publisher) {
        String plain = publisher.replaceAll("[^A-Za-z0-9]+", "-").replaceAll("^-+|-+$", "");
        return (plain.length() > 60 ? plain.substring(0, 60) : plain) + "-" + Digests.sha256(publisher).substring(0, 8) + ".md";
    }

    private static String publisher(FrameRow row) {
        return row.registry().equals("npm") || row.registry().equals("pypi") ? Publishers.of(row.registry(), row.name()) : row.label();
    }

    private static String label(FrameRow row) {
        return row.name().isEmpty() ? row.label() : row.registry() + ":" + row.name();
    }

    /** Text of others' stands only inside code, where neither mark-up nor HTML nor links are read. */
    private static String code(String text, int limit) {
        return "`" + Printable.text(text, limit).replace("`", "'") + "`";
    }

    private static String cell(String text) {
        return "\"" + Printable.cell(text, 2000).replace("\"", "\"\"") + "\"";
    }

    /** The latest day of all; empty where it was not agreed on. */
    private static String until(List<Disclosure.Decision> decisions) {
        return decisions.stream().anyMatch(decision -> decision.until() == null) ? ""
                : decisions.stream().map(Disclosure.Decision::until).max(java.time.LocalDate::compareTo).orElseThrow().toString();
    }

    private String letter(String publisher, List<Disclosure.Decision> decisions) throws IOException {
        String until = until(decisions);
        StringBuilder out = new StringBuilder("To the maintainers of ").append(code(publisher, 300)).append("\n\n");
        out.append("We measure how servers of the Model Context Protocol behave when a call goes wrong. On ").append(measured)
                .append(" we installed what is named below in a sandbox\nwithout a network and drove scripted sessions against it (mcp-prober ").append(run.readInfo().proberVersion())
                .append("). We found something there that you may want to mend before\nothers read of it.\n\n");
        out.append(until.isEmpty() ? "Your server is not named beside these findings in anything that we publish until we have agreed on it with you.\n"
                : "Until " + until + " your server is not named beside these findings in anything that we publish. From that day on it is, unless you tell us that you need\nlonger.\n");
        out.append("Totals that count it are published now.\n");
        for (Disclosure.Decision decision : decisions) {
            ServerFindings server = decision.server();
            out.append("\n## ").append(code(label(server.row()), 300)).append(server.version().isEmpty() ? "" : " " + code(server.version(), 100)).append('\n');
            Map<String, List<ServerFindings.Found>> kinds = new LinkedHashMap<>();
            decision.held().forEach(found -> kinds.computeIfAbsent(found.severity().id(), key -> new ArrayList<>()).add(found));
            for (List<ServerFindings.Found> kind : kinds.values()) {
                out.append("\n### ").append(kind.get(0).severity().title()).append("\n\n").append(kind.get(0).severity().why()).append('\n');
                for (ServerFindings.Found found : kind.subList(0, Math.min(SHOWN, kind.size()))) {
                    finding(out, found);
                }
                if (kind.size() > SHOWN) {
                    out.append("\nThe same was seen ").append(kind.size() - SHOWN).append(kind.size() == SHOWN + 1 ? " more time.\n" : " more times.\n");
                }
            }
        }
        out.append("\n## How to answer\n\nTo ").append(Printable.text(author, 300)).append(". Tell us if you see it otherwise, if you need more time, or which release mends it; we measure it again and say so.\n")
                .append("`prober check PACKAGE --bundle DIR` shows all of this on your own machine, with a script for each finding.\n");
        return out.toString();
    }

    private void finding(StringBuilder out, ServerFindings.Found found) throws IOException {
        out.append("\nCheck `").append(found.check()).append("`").append(found.tool().isEmpty() ? "" : ", tool " + code(found.tool(), 200))
                .append(found.revision().isEmpty() ? "" : ", protocol revision " + code(found.revision(), 40)).append(", observed: ").append(found.observed()).append(".\n\n");
        frames(out, found);
        if (!found.requirement().isEmpty()) {
            out.append("\nWhat applies: ").append(found.requirement()).append("\n(").append(found.citation()).append(")\n");
        }
        if (!found.fix().isEmpty()) {
            out.append("\nWhat to change: ").append(found.fix()).append('\n');
        }
    }

    private void frames(StringBuilder out, ServerFindings.Found found) throws IOException {
        if (found.transcript().isEmpty()) {
            return;
        }
        Transcript recorded = TranscriptReader.read(run.path().resolve(found.transcript()));
        Transcript transcript = EventRedaction.of(recorded, redactor).orElse(recorded);
        int shown = 0;
        for (Event event : transcript.events()) {
            boolean credential = found.witness().isEmpty() && text(event).contains("[REDACTED:" + found.check());
            if ((found.witness().contains(event.index()) || credential) && shown++ < 6) {
                String line = text(event);
                int at = credential ? Math.max(0, line.indexOf("[REDACTED:" + found.check()) - 200) : 0;
                out.append("    ").append(Printable.text(line.substring(at), FRAME)).append('\n');
            }
        }
    }

    private static String text(Event event) {
        if (event instanceof Event.Sent e) {
            return "sent      " + new String(e.bytes(), StandardCharsets.UTF_8).strip();
        } else if (event instanceof Event.Received e) {
            return "received  " + new String(e.bytes(), StandardCharsets.UTF_8);
        } else if (event instanceof Event.Stderr e) {
            return "stderr    " + new String(e.bytes(), StandardCharsets.UTF_8);
        } else if (event instanceof Event.Terminated e) {
            return "the process ended: " + e.how() + " " + e.status();
        }
        return event instanceof Event.StdoutClosed ? "stdout was closed" : "";
    }
}

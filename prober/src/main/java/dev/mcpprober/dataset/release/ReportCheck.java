package dev.mcpprober.dataset.release;

import dev.mcpprober.dataset.report.Report;
import dev.mcpprober.io.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;

/** The report of a release against the one that its tables make: pages are what most people read, and say nothing that tables do not. */
final class ReportCheck {
    private final Path folder;
    private final Problems problems;

    ReportCheck(Path folder, Problems problems) {
        this.folder = folder;
        this.problems = problems;
    }

    void run() throws IOException {
        Path report = folder.resolve(Report.FOLDER);
        if (!Files.isDirectory(report, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Path beside = Files.createTempDirectory("prober-report");
        try {
            Path made = beside.resolve(Report.FOLDER);
            try {
                Report.ofRelease(folder, made);
            } catch (IOException | IllegalArgumentException | NoSuchElementException e) {
                problems.add(Report.FOLDER, 0, "cannot be made anew from the tables: " + e.getMessage());
                return;
            }
            Set<String> names = new TreeSet<>(Checksums.files(report));
            names.addAll(Checksums.files(made));
            for (String name : names) {
                compare(report.resolve(name), made.resolve(name), Report.FOLDER + "/" + name);
            }
        } finally {
            Folders.delete(beside);
        }
    }

    private void compare(Path is, Path made, String name) throws IOException {
        if (!Files.exists(made)) {
            problems.add(name, 0, "is no page that this program makes of the tables");
        } else if (!Files.exists(is)) {
            problems.add(name, 0, "is missing");
        } else if (Files.mismatch(is, made) >= 0) {
            int line = line(Files.readAllBytes(is), (int) Files.mismatch(is, made));
            problems.add(name, line, "is not what this program makes of the tables (prober report OUT --to DIR makes the page anew)");
        }
    }

    private static int line(byte[] bytes, int at) {
        int line = 1;
        for (int i = 0; i < at; i++) {
            line += bytes[i] == '\n' ? 1 : 0;
        }
        return line;
    }
}

package dev.mcpprober.dataset.disclosure;

import dev.mcpprober.dataset.Severities;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Printable;
import dev.mcpprober.observation.Check;
import dev.mcpprober.run.FrameRow;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * {@code disclosure.csv}, the private record of what was agreed with maintainers: columns {@code target,check,policy,date,answer,note}.
 * The line that says most exactly what it is about decides: a row of the frame before a package before {@code *}, a finding before {@code *}.
 */
final class Policies {
    static final List<String> COLUMNS = List.of("target", "check", "policy", "date", "answer", "note");
    private static final List<String> WORDS = List.of("named", "withheld-until", "withheld");
    static final String ALL = "*";

    /** @param until null but for {@code withheld-until} */
    record Policy(String word, LocalDate until, int line) {
        /** Whether the server may not be named on that day. */
        boolean holds(LocalDate today) {
            return word.equals("withheld") || word.equals("withheld-until") && today.isBefore(until);
        }
    }

    private final Map<List<String>, Policy> entries = new HashMap<>();
    private final Map<String, Integer> lines = new HashMap<>();

    static Policies none() {
        return new Policies();
    }

    static Policies read(Path file, Severities severities) throws IOException, DisclosureException {
        String name = Printable.text(file.toString(), 300);
        if (!Files.isRegularFile(file)) {
            throw new DisclosureException("--disclosure: " + name + ": no such file; write one with the columns " + String.join(",", COLUMNS));
        }
        Policies out = new Policies();
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8); CSVParser parser = CSVParser.parse(in, CSVFormat.RFC4180)) {
            for (CSVRecord record : parser) {
                int line = (int) parser.getCurrentLineNumber();
                List<String> cells = record.stream().map(String::strip).toList();
                if (record.getRecordNumber() == 1) {
                    if (!cells.equals(COLUMNS)) {
                        throw new DisclosureException(name + ", line 1: the columns have to be " + String.join(",", COLUMNS));
                    }
                } else if (!(cells.size() == 1 && cells.get(0).isEmpty())) {
                    out.add(name, line, cells, severities);
                }
            }
            if (parser.getRecordNumber() == 0) {
                throw new DisclosureException(name + ": is empty; its first line has to be " + String.join(",", COLUMNS));
            }
        } catch (UncheckedIOException e) {
            throw new DisclosureException(name + ": no CSV in UTF-8: " + Printable.text(String.valueOf(e.getMessage()), 200));
        } catch (IOException e) {
            throw new DisclosureException(name + ": cannot be read: " + Printable.text(String.valueOf(e.getMessage()), 200));
        }
        return out;
    }

    private void add(String file, int line, List<String> cells, Severities severities) throws DisclosureException {
        String where = file + ", line " + line + ": ";
        if (cells.size() != COLUMNS.size()) {
            throw new DisclosureException(where + cells.size() + " cells instead of " + COLUMNS.size() + "; put quotation marks around one that holds a comma");
        }
        String target = cells.get(0);
        String check = cells.get(1);
        if (target.isEmpty()) {
            throw new DisclosureException(where + "target is empty; name a package (npm:NAME, pypi:NAME or a package URL), a row of the frame, or * for all");
        }
        if (!check.equals(ALL) && Check.of(check).isEmpty() && severities.all().stream().noneMatch(severity -> severity.id().equals(check))) {
            throw new DisclosureException(where + "check \"" + Printable.text(check, 60) + "\" is neither a check nor a finding ("
                    + String.join(", ", severities.all().stream().map(Severities.Severity::id).toList()) + "); * stands for all");
        }
        if (!WORDS.contains(cells.get(2))) {
            throw new DisclosureException(where + "policy \"" + Printable.text(cells.get(2), 60) + "\" is none of " + String.join(", ", WORDS));
        }
        LocalDate date = null;
        if (!cells.get(3).isEmpty()) {
            try {
                date = LocalDate.parse(cells.get(3));
            } catch (DateTimeParseException e) {
                throw new DisclosureException(where + "date \"" + Printable.text(cells.get(3), 40) + "\" is no day (YYYY-MM-DD)");
            }
        }
        boolean until = cells.get(2).equals("withheld-until");
        if (until && date == null) {
            throw new DisclosureException(where + "withheld-until needs a date (YYYY-MM-DD)");
        }
        Policy before = entries.put(List.of(target, check), new Policy(cells.get(2), until ? date : null, line));
        if (before != null) {
            throw new DisclosureException(where + "line " + before.line() + " speaks of the same target and check; keep one of them");
        }
        lines.putIfAbsent(target, line);
    }

    /** @throws DisclosureException where a line speaks of a target that the frame has not: a slip there would name a server too early, or never */
    void require(String file, List<FrameRow> rows) throws DisclosureException {
        for (Map.Entry<String, Integer> entry : lines.entrySet()) {
            if (!entry.getKey().equals(ALL) && rows.stream().noneMatch(row -> forms(row).contains(entry.getKey()))) {
                throw new DisclosureException(Printable.text(file, 300) + ", line " + entry.getValue() + ": the frame of this run has no such target; write it as npm:NAME, "
                        + "pypi:NAME, a package URL, or as the frame has it");
            }
        }
    }

    /** @param checks that the finding is of, in the order of exactness; {@code *} comes after them */
    Optional<Policy> of(FrameRow row, List<String> checks) {
        List<String> targets = new ArrayList<>(forms(row));
        targets.add(ALL);
        List<String> whats = new ArrayList<>(checks);
        whats.add(ALL);
        for (String target : targets) {
            for (String what : whats) {
                Policy policy = entries.get(List.of(target, what));
                if (policy != null) {
                    return Optional.of(policy);
                }
            }
        }
        return Optional.empty();
    }

    /** Every way in which a row may be named, the most exact one first. */
    private static List<String> forms(FrameRow row) {
        List<String> out = new ArrayList<>(List.of(row.target(), row.label()));
        if (row.registry().equals("npm") || row.registry().equals("pypi")) {
            PackageUrl bare = PackageUrl.parse(row.registry() + ":" + row.name());
            out.add(bare.purl());
            out.add(bare.toString());
            out.add(row.registry() + ":" + row.name());
        }
        return out;
    }
}

package dev.mcpprober.dataset;

import static dev.mcpprober.dataset.Column.integer;
import static dev.mcpprober.dataset.Column.number;
import static dev.mcpprober.dataset.Column.oneOf;
import static dev.mcpprober.dataset.Column.plain;
import static dev.mcpprober.dataset.Column.text;

import dev.mcpprober.dataset.TableSchema.ForeignKey;
import dev.mcpprober.rules.VerdictWord;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** Tables that a release has beside those of a run. */
public final class ReleaseTables {
    static final List<String> EVENTS = List.of("started", "step-began", "sent", "send-failed", "received", "stderr", "stdout-capped", "totals", "step-ended",
            "stdin-closed", "stdout-closed", "signal-sent", "terminated", "channel-lost");
    private static final String CODES_FILE = "/dev/mcpprober/dataset/codes.csv";

    static final TableSchema WITNESSES = new TableSchema("witnesses",
            "Every event of a transcript that an observation or a failure shape names as its witness, so that verdicts can be checked without the transcripts.", List.of(
            plain("target_id", "The target.").always(),
            plain("session", "Session.").always(),
            integer("event", "Index of the event within the session's transcript.").always(),
            oneOf("kind", "What happened.", EVENTS).always(),
            number("at_ms", "Milliseconds from the start of the session.").always(),
            integer("size_bytes", "Bytes that were sent or received, a line feed included where it was there; empty for other events."),
            text("content_text", "The line, or the particulars of the event; not the whole of a long line.")),
            List.of("target_id", "session", "event"), List.of(new ForeignKey(List.of("target_id", "session"), "sessions", List.of("target_id", "session"))));

    static final TableSchema CODES = new TableSchema("codes", "What the codes in closed lists mean. A code is never used for something else later.", List.of(
            plain("list", "Closed list.").always(),
            plain("code", "Code.").always(),
            plain("meaning", "What it says.").always()),
            List.of("list", "code"), List.of());

    /** Columns of the view that are no check. */
    public static final List<String> TRAITS = List.of("target_id", "registry", "version", "state", "startup_failure", "sdk_family", "sdk_version", "revision");

    private ReleaseTables() {}

    /** Tables whose columns are always the same. */
    public static List<TableSchema> fixed() {
        List<TableSchema> out = new ArrayList<>(Tables.ALL);
        out.addAll(List.of(WITNESSES, CODES));
        return out;
    }

    /** The convenience view: one row for each target, one column for each check that the rule set has a rule for. */
    static TableSchema wide(Judge judge) {
        return wide(judge.label(), checks(judge));
    }

    /** The same for the checks of a rule set that need not be at hand. */
    public static TableSchema wide(String ruleSet, List<String> checks) {
        List<Column> columns = new ArrayList<>(List.of(plain("target_id", "The target.").always()));
        TRAITS.subList(1, TRAITS.size()).forEach(trait -> columns.add(trait.equals("state") ? plain(trait, "See table targets.").always() : plain(trait, "See table targets.")));
        List<String> words = Arrays.stream(VerdictWord.values()).map(VerdictWord::id).toList();
        checks.forEach(check -> columns.add(oneOf(check, "Verdict of " + ruleSet + " that stands for the server: of its primary "
                + "observations in the legacy era, or modern where it has only that; else of all of that era; of several the gravest.", words)));
        return new TableSchema("servers", "Convenience view, derived from tables targets and verdicts: one row for each target, one column for each check. "
                + "Its columns change with the rule set; build on the long tables instead.", columns, List.of("target_id"),
                List.of(new ForeignKey(List.of("target_id"), "targets", List.of("target_id"))));
    }

    private static List<String> checks(Judge judge) {
        return judge.rules().stream().map(Judge.RuleText::check).distinct().sorted().toList();
    }

    static Row wideRow(TableSchema schema, ServerVerdicts server, String ruleSet) {
        Row row = new Row(schema).set("target_id", server.row().target()).set("registry", server.row().registry()).set("version", server.version())
                .set("state", server.state().id()).set("startup_failure", server.startupFailure()).set("sdk_family", server.family())
                .set("sdk_version", server.sdkVersion()).set("revision", server.revision());
        server.stands().getOrDefault(ruleSet, Map.of()).forEach((check, stand) -> row.set(check, stand.word().id()));
        return row;
    }

    static List<Row> codes() {
        List<Row> rows = new ArrayList<>();
        eachCode((list, code, meaning) -> rows.add(new Row(CODES).set("list", list).set("code", code).set("meaning", meaning)));
        return rows;
    }

    /** The codes of a closed list with what they mean, in the order of the file. */
    public static Map<String, String> meanings(String list) {
        Map<String, String> out = new LinkedHashMap<>();
        eachCode((of, code, meaning) -> {
            if (of.equals(list)) {
                out.put(code, meaning);
            }
        });
        return out;
    }

    private interface CodeSink {
        void accept(String list, String code, String meaning);
    }

    private static void eachCode(CodeSink sink) {
        try (Reader in = new InputStreamReader(ReleaseTables.class.getResourceAsStream(CODES_FILE), StandardCharsets.UTF_8);
                CSVParser parser = CSVParser.parse(in, CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get())) {
            for (CSVRecord record : parser) {
                sink.accept(record.get("list"), record.get("code"), record.get("meaning"));
            }
        } catch (IOException e) {
            throw new IllegalStateException("the program's own codes can be read", e);
        }
    }
}

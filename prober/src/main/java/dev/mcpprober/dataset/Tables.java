package dev.mcpprober.dataset;

import static dev.mcpprober.dataset.Column.flag;
import static dev.mcpprober.dataset.Column.instant;
import static dev.mcpprober.dataset.Column.integer;
import static dev.mcpprober.dataset.Column.oneOf;
import static dev.mcpprober.dataset.Column.text;

import dev.mcpprober.dataset.TableSchema.ForeignKey;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.model.Registry;
import dev.mcpprober.model.SdkFamily;
import dev.mcpprober.observation.Check;
import dev.mcpprober.observation.Consequence;
import dev.mcpprober.rules.Level;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.traits.FailedCall;
import dev.mcpprober.traits.ShapeRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The tables of the data set. A change of a column's meaning or a dropped column is a new major version of the data set. */
final class Tables {
    static final String OTHER_REVISION = "other";
    private static final List<String> STATES = Arrays.stream(TargetState.values()).map(TargetState::id).toList();
    static final String NAMED = "named";
    static final String WITHHELD = "withheld";
    static final String DISCLOSURE = "disclosure";
    private static final List<String> DISCLOSURES = List.of(NAMED, WITHHELD);
    private static final List<String> ERAS = Arrays.stream(Era.values()).map(Era::id).toList();
    private static final List<String> CHECKS = Arrays.stream(Check.values()).map(Check::id).toList();
    private static final List<String> KNOWN_REVISIONS = Arrays.stream(ProtocolRevision.values()).map(ProtocolRevision::date).toList();
    private static final List<String> REVISIONS = Stream.concat(KNOWN_REVISIONS.stream(), Stream.of(OTHER_REVISION)).toList();
    private static final List<String> OUTCOMES = List.of("installed", "not-found", "no-version-matches", "unsupported-runtime", "build-failed",
            "install-script-failed", "blocked-egress", "no-entry-point", "too-large", "timeout");
    private static final List<String> STARTUP_FAILURES = startupFailures();
    private static final List<String> FAULTS = List.of("engine-unavailable", "engine-forbidden", "engine-error", "host-disk-full",
            "image-unavailable", "registry-unreachable", "channel-lost", "sandbox-leaks", "interrupted", "prober-defect");
    private static final List<String> WORDS = Arrays.stream(VerdictWord.values()).map(VerdictWord::id).toList();
    private static final List<String> LEVELS = Arrays.stream(Level.values()).map(Level::id).toList();

    private static final ForeignKey TO_TARGET = new ForeignKey(List.of("target_id"), "targets", List.of("target_id"));

    static final TableSchema TARGETS = new TableSchema("targets", "One row for each row of the sampling frame, excluded ones included.", List.of(
            targetId(),
            oneOf("disclosure", "named; or withheld: the server has a finding that its maintainer was given time for, and stands under a pseudonym, without what tells who it is.", DISCLOSURES).always(),
            integer("line", "Line of the frame's file, counted from 1; empty where withheld."),
            column("label", "The target as the frame writes it; empty for a row that cannot be read."),
            oneOf("registry", "Where it comes from; empty for a row that cannot be read.", List.of(Registry.NPM.id(), Registry.PYPI.id(), Registry.LOCAL.id())),
            column("requested_version", "Version that the frame pins; empty where it leaves it open."),
            column("args", "Extra arguments for the entry point, a JSON array; empty for none."),
            column("env_names", "Names of the variables that the frame sets, parted by semicolons. Values are not published."),
            oneOf("state", "Where the row ended. Each is in exactly one state.", STATES).always(),
            column("reason", "Why: code of exclusion, kind of the last fault or not-tried, install outcome, kind of startup failure; empty when started."),
            oneOf("install_outcome", "Empty where no install came to a result.", OUTCOMES),
            oneOf("startup_failure", "Why no session came about; install- and the outcome where it could not be installed; empty when one did or nothing is known.",
                    STARTUP_FAILURES),
            text("startup_detail_text", "What the session shows of a failed start: its kind and particulars."),
            oneOf("install_caveat", "What failed although there is something to run, e.g. install scripts that were then left out; a server that does not "
                    + "start counts as failed for this.", OUTCOMES),
            column("purl", "Package URL with the installed version; empty for local packages and where nothing was found."),
            column("version", "Installed version."),
            column("integrity", "Of the installed artefact, as the registry gives it, or a digest of local files."),
            column("image", "Image that was probed."),
            column("base", "Image that it was installed on."),
            text("entry_point_text", "Program and arguments that were run, a JSON array."),
            integer("install_ms", "Duration of the install in milliseconds."),
            column("eras", "Eras in which the server answered, parted by semicolons."),
            oneOf("revision", "Revision of the session that stands for the server; other: one that no rule set knows.", REVISIONS),
            text("revision_text", "The same as the server wrote it."),
            text("server_name_text", "Name that the server gives itself."),
            text("server_version_text", "Version that the server gives itself."),
            integer("tool_count", "Distinct tools over all pages; empty where they were not listed."),
            oneOf("sdk_family", "See table attribution.", families()),
            column("sdk_version", "See table attribution."),
            column("run_id", "The run that it belongs to.").always()),
            List.of("target_id"), List.of(new ForeignKey(List.of("run_id"), "runs", List.of("run_id"))));

    static final TableSchema ATTEMPTS = new TableSchema("attempts", "Every try at installing or probing, faults included. A fault is never a result.", List.of(
            targetId(),
            column("attempt", "Id of the attempt.").always(),
            oneOf("kind", "What was tried.", List.of("install", "session")).always(),
            column("session", "Name of the session; install for an install.").always(),
            column("work_key", "SHA-256 that names the unit of work, the same on every machine; empty for an install."),
            instant("started_at", "UTC; of a withheld server the month alone.").always(),
            instant("ended_at", "UTC; empty where the attempt has no end."),
            oneOf("outcome", "What came of it; open: no end is on record.", List.of("completed", "faulted", "open")).always(),
            oneOf("fault", "Kind of the fault; empty where there was none.", FAULTS),
            text("fault_detail_text", "What happened, for a person."),
            flag("counts", "True where the target is measured by this attempt.").always(),
            column("sha256", "Of the transcript, or of the install document; empty where there is none.")),
            List.of("target_id", "attempt"), List.of(TO_TARGET));

    static final TableSchema SESSIONS = new TableSchema("sessions", "One row for each session by which a target is measured.", List.of(
            targetId(),
            column("session", "Name within its target; in repeats after the first followed by ~ and the number of the repeat.").always(),
            integer("repeat", "Which going through the session plan it belongs to. 0 stands for the server; no figure counts the others.").always(),
            column("attempt", "The attempt that made it.").always(),
            column("script", "Script and version.").always(),
            oneOf("era", "Era whose frames it sends.", ERAS).always(),
            column("offered_revision", "Revision offered in initialize, or named in _meta; may be one that does not exist, to see how that is met.").always(),
            oneOf("revision", "Revision in force as the server answered; other: one that no rule set knows; empty: none was agreed on.", REVISIONS),
            text("revision_text", "The same as the server wrote it."),
            instant("started_at", "UTC; of a withheld server the month alone.").always(),
            integer("duration_ms", "From the start of the process to the last event, in milliseconds; empty where the server is withheld."),
            integer("stdout_bytes", "Bytes that the server wrote on stdout, those past a cap included."),
            integer("stderr_bytes", "Bytes that the server wrote on stderr, those past a cap included."),
            oneOf("ended", "How the process ended; empty where it was not seen to end.", List.of("exited", "signalled", "oom-killed", "stopped")),
            integer("status", "Exit status, or signal number where ended is signalled."),
            column("transcript", "File within the run folder; empty where the server is withheld."),
            column("transcript_sha256", "Of that file; empty where the server is withheld.")),
            List.of("target_id", "session"), List.of(TO_TARGET, new ForeignKey(List.of("target_id", "attempt"), "attempts", List.of("target_id", "attempt"))));

    static final TableSchema VERSIONS = new TableSchema("versions", "What a server answers to each version that initialize offers; one process for each.", List.of(
            targetId(),
            column("offered", "Version offered; may be one that does not exist, to see how that is met.").always(),
            oneOf("answered", "Version answered; other: one that no rule set knows; empty: the answer names none.", REVISIONS),
            text("answered_text", "The same as the server wrote it."),
            column("met", "How the request was met: result, or what came instead.").always(),
            column("session", "Session that made the offer.").always()),
            List.of("target_id", "offered"), List.of(TO_TARGET, new ForeignKey(List.of("target_id", "session"), "sessions", List.of("target_id", "session"))));

    static final TableSchema OBSERVATIONS = new TableSchema("observations", "What happened, without right or wrong. One row for each check that was looked at, per session and tool.", List.of(
            targetId(),
            column("observation", "Number within its target.").always(),
            column("extractor", "Extractor and version.").always(),
            oneOf("check", "What was looked at.", CHECKS).always(),
            column("session", "Session that shows it; may name one that did not take place.").always(),
            integer("repeat", "Of the session. Figures count those with 0.").always(),
            column("repeat_of", "Observation of repeat 0 on the same thing: check, era, tool, argument and, where both have it, session; empty in repeat 0 "
                    + "and where there is none."),
            oneOf("era", "Era of the session.", ERAS).always(),
            oneOf("revision", "Revision in force; empty before one was agreed on.", REVISIONS),
            text("tool_text", "Tool that was called, as declared."),
            text("property_text", "Argument under test."),
            flag("primary", "True where it stands for the server in a headline figure.").always(),
            column("observed", "The observed value, of a closed list per check.").always(),
            integer("code", "Error code of the reply; empty where it carries none."),
            oneOf("consequence", "What came of bad arguments that were accepted.", Consequence.ALL),
            column("flags", "Refinements, parted by semicolons, sorted."),
            text("detail_text", "The particulars; may quote the server."),
            column("witness", "Indexes of events in the session's transcript that show it, parted by semicolons.")),
            List.of("target_id", "observation"), List.of(TO_TARGET, new ForeignKey(List.of("target_id", "repeat_of"), "observations", List.of("target_id", "observation"))));

    static final TableSchema VERDICTS = new TableSchema("verdicts", "What a rule set says of an observation. divergent never lowers a score.", List.of(
            targetId(),
            column("observation", "See table observations.").always(),
            column("rule_set", "Rule set and version.").always(),
            integer("repeat", "The observation's. Figures count those with 0.").always(),
            oneOf("check", "The observation's.", CHECKS).always(),
            oneOf("revision", "The observation's.", REVISIONS),
            flag("primary", "The observation's.").always(),
            oneOf("verdict", "The verdict.", WORDS).always(),
            oneOf("level", "How binding the text behind the rule is.", LEVELS).always(),
            text("note_text", "Why this follows from what was observed.")),
            List.of("target_id", "observation", "rule_set"),
            List.of(TO_TARGET, new ForeignKey(List.of("target_id", "observation"), "observations", List.of("target_id", "observation"))));

    private static final List<String> VERDICT_KEY = List.of("target_id", "observation", "rule_set");

    static final TableSchema FLAKY = new TableSchema("flaky", "Verdicts that another repeat does not share: each verdict of repeat 0 of which some later repeat, on the "
            + "same thing, has another, where the question was put in both (neither is not-run). Empty where sessions were not repeated.", List.of(
            targetId(),
            column("observation", "Of repeat 0, see table observations.").always(),
            column("rule_set", "Rule set and version.").always(),
            oneOf("check", "The observations'.", CHECKS).always(),
            oneOf("verdict", "The one of repeat 0.", WORDS).always(),
            column("session", "Session of its observation.").always(),
            column("witness", "Events of that session that show it, parted by semicolons."),
            column("other_observation", "The one of the first repeat whose verdict is another.").always(),
            integer("other_repeat", "That repeat.").always(),
            oneOf("other_verdict", "Its verdict.", WORDS).always(),
            column("other_session", "Session of that observation.").always(),
            column("other_witness", "Events of that session that show it, parted by semicolons."),
            integer("compared", "Repeats in which the same question was put, repeat 0 included.").always(),
            integer("differing", "How many of them have another verdict than repeat 0.").always()),
            VERDICT_KEY, List.of(TO_TARGET, new ForeignKey(VERDICT_KEY, "verdicts", VERDICT_KEY),
            new ForeignKey(List.of("target_id", "other_observation", "rule_set"), "verdicts", VERDICT_KEY)));

    static final TableSchema RULES = new TableSchema("rules", "The rules behind the verdicts, one row for each revision that they apply to.", List.of(
            column("rule_set", "Rule set and version.").always(),
            oneOf("check", "Check that is judged.", CHECKS).always(),
            oneOf("revision", "Revision whose text it is.", KNOWN_REVISIONS).always(),
            oneOf("level", "How binding the text is.", LEVELS).always(),
            text("requirement_text", "The demand in our own words."),
            text("citation_text", "Where the text stands."),
            text("comment_text", "Why the rule is as it is.")),
            List.of("rule_set", "check", "revision"), List.of());

    static final TableSchema ATTRIBUTION = new TableSchema("attribution", "What SDK each installed server is built on, by its installed files.", List.of(
            targetId(),
            oneOf("family", "SDK family; unknown where nothing decides.", families()).always(),
            column("version", "Exact installed version; empty where it is not known exactly."),
            column("style", "How the SDK is used."),
            column("base", "What a framework or wrapper stands on."),
            text("evidence_text", "What decided.")),
            List.of("target_id"), List.of(TO_TARGET));

    static final TableSchema FAILURE_SHAPES = new TableSchema("failure-shapes", "What failed calls would be called in the baseline vocabulary of SEP-3313: a trait, "
            + "never scored. A call failed where its answer was a JSON-RPC error, or a result with isError true.", List.of(
            targetId(),
            column("failure", "Number within its target.").always(),
            column("trait", "Rules and version that sorted it.").always(),
            column("session", "Session that shows it.").always(),
            column("probe", "What the call was made for: a check, or valid-twin for one with good arguments.").always(),
            text("tool_text", "Tool that was called."),
            oneOf("channel", "How the failure came.", List.of(FailedCall.TOOL_ERROR, FailedCall.PROTOCOL_ERROR)).always(),
            integer("code", "Code of the JSON-RPC error; empty for a result."),
            oneOf("shape", "Baseline code; none-fits: its kind is plain and has none; cannot-tell: the words do not decide.", ShapeRules.SHAPES).always(),
            column("rule", "Id of the rule that decided; no-rule where none spoke; conflict and the ids where several disagree.").always(),
            column("look_alikes", "What it carries for programs already, each as KIND@PLACE, parted by semicolons. Kinds: retry-hint, code, id, guidance. Places: "
                    + "structured, json-text, meta, error-data, prose, and beside for members that the protocol does not name."),
            text("keys_text", "The keys behind them, parted by semicolons."),
            text("message_text", "What the failure says."),
            column("witness", "Indexes of request and answer in the session's transcript.").always()),
            List.of("target_id", "failure"), List.of(TO_TARGET, new ForeignKey(List.of("target_id", "session"), "sessions", List.of("target_id", "session"))));

    static final TableSchema COVERAGE = new TableSchema("coverage", "Where the rows of the frame ended. The counts sum up to the frame.", List.of(
            oneOf("state", "See table targets.", STATES).always(),
            column("reason", "See table targets; none where the state has none.").always(),
            flag("measured", "True where the state is a result.").always(),
            integer("count", "Rows of the frame that ended here.").always(),
            integer("frame", "Rows of the whole frame.").always()),
            List.of("state", "reason"), List.of());

    static final List<TableSchema> ALL = List.of(RunRow.SCHEMA, TARGETS, ATTEMPTS, SESSIONS, VERSIONS, OBSERVATIONS, VERDICTS, FLAKY, RULES, ATTRIBUTION, FAILURE_SHAPES,
            TraitTables.DECLARED_TOOLS, TraitTables.VOCABULARY, COVERAGE);

    private Tables() {}

    private static Column column(String name, String description) {
        return new Column(name, Column.Type.STRING, description, List.of(), false);
    }

    private static Column targetId() {
        return column("target_id", "The target: package URL as the frame pins it, or path, with a digest of the extra arguments where there are any; "
                + "line- and the line for a row that is left out; held- and a keyed digest for a server that is withheld.").always();
    }

    private static List<String> families() {
        return Arrays.stream(SdkFamily.values()).map(SdkFamily::id).toList();
    }

    private static List<String> startupFailures() {
        List<String> kinds = new ArrayList<>(List.of("exit-silent", "exit-nonzero", "crash-traceback", "needs-config", "interactive-prompt", "hang-no-reply",
                "oom-killed", "bad-framing", "bad-initialize-result", "unsupported-version"));
        OUTCOMES.stream().filter(outcome -> !outcome.equals("installed")).forEach(outcome -> kinds.add("install-" + outcome));
        return kinds;
    }

    /** Empty stays empty, a revision that no rule set knows becomes {@link #OTHER_REVISION}. */
    static String revision(String raw) {
        return raw == null || raw.isEmpty() ? "" : ProtocolRevision.of(raw).map(ProtocolRevision::date).orElse(OTHER_REVISION);
    }
}

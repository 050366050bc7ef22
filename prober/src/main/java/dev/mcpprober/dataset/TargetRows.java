package dev.mcpprober.dataset;

import dev.mcpprober.attribution.SdkAttribution;
import dev.mcpprober.install.InstallOutcome;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.SessionName;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.traits.FailedCall;
import dev.mcpprober.traits.FailureShape;
import dev.mcpprober.run.FrameRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The rows that one target gives to each table. */
final class TargetRows {
    private final Derived derived;
    private final String id;

    TargetRows(Derived derived) {
        this.derived = derived;
        this.id = derived.history().row().target();
    }

    Row target() {
        FrameRow frame = derived.history().row();
        Row row = new Row(Tables.TARGETS).set("target_id", id).set("disclosure", Tables.NAMED).set("line", frame.line()).set("label", frame.label()).set("registry", frame.registry())
                .set("requested_version", frame.version()).set("args", frame.args().isEmpty() ? "" : json(frame.args())).set("env_names", frame.envNames())
                .set("state", derived.state().id()).set("reason", derived.reason()).set("startup_failure", derived.startupFailure());
        derived.install().ifPresent(install -> install(row, install));
        if (derived.observed() != null) {
            session(row, derived.observed());
        }
        return row;
    }

    private static void install(Row row, InstallRecord install) {
        row.set("install_outcome", install.outcome().kind()).set("purl", install.artefact().purl()).set("version", install.artefact().version())
                .set("integrity", install.artefact().digest()).set("install_ms", Math.round(install.seconds() * 1000));
        install.program().ifPresent(program -> row.set("install_caveat", program.caveat().map(InstallOutcome::kind).orElse(""))
                .set("image", program.image()).set("base", program.baseName()).set("entry_point_text", json(program.entry().argv()))
                .set("sdk_family", program.sdk().family().id()).set("sdk_version", program.sdk().version()));
    }

    private void session(Row row, TargetObservations observed) {
        row.set("eras", observed.eras().stream().sorted().map(Era::id).toList());
        observed.startup().ifPresent(startup -> row.set("startup_detail_text",
                startup.detail() == null || startup.detail().isEmpty() ? startup.kind() : startup.kind() + ": " + startup.detail()));
        TargetObservations.SessionSummary session = observed.session();
        if (session != null) {
            row.set("revision", Tables.revision(derived.revision())).set("revision_text", session.protocolVersion())
                    .set("server_name_text", session.serverName()).set("server_version_text", session.serverVersion())
                    .set("tool_count", session.toolCount());
        }
    }

    List<Row> attempts() {
        List<Row> rows = new ArrayList<>();
        Map<String, String> published = derived.sessions().stream().collect(Collectors.toMap(session -> session.attempt().id(), SessionFigures::sha256));
        for (TargetHistory.Attempt attempt : derived.history().attempts()) {
            rows.add(new Row(Tables.ATTEMPTS).set("target_id", id).set("attempt", attempt.id()).set("kind", attempt.install() ? "install" : "session")
                    .set("session", attempt.session()).set("work_key", attempt.install() ? "" : attempt.key())
                    .set("started_at", attempt.startedAt()).set("ended_at", attempt.endedAt()).set("outcome", attempt.outcome())
                    .set("fault", attempt.fault()).set("fault_detail_text", attempt.detail()).set("counts", attempt.counts())
                    .set("sha256", published.getOrDefault(attempt.id(), attempt.sha256())));
        }
        return rows;
    }

    List<Row> sessions() {
        List<Row> rows = new ArrayList<>();
        for (SessionFigures session : derived.sessions()) {
            String revision = derived.revision(session.header().session());
            int repeat = SessionName.of(session.header().session()).repeat();
            rows.add(new Row(Tables.SESSIONS).set("target_id", id).set("session", session.header().session()).set("repeat", repeat)
                    .set("attempt", session.attempt().id()).set("script", session.header().script()).set("era", session.header().era().id())
                    .set("offered_revision", session.header().offeredRevision())
                    .set("revision", Tables.revision(revision)).set("revision_text", revision).set("started_at", session.header().startedAt())
                    .set("duration_ms", session.durationMs()).set("stdout_bytes", session.stdoutBytes()).set("stderr_bytes", session.stderrBytes())
                    .set("ended", session.ended()).set("status", session.status())
                    .set("transcript", session.path()).set("transcript_sha256", session.sha256()));
        }
        return rows;
    }

    List<Row> versions() {
        List<TargetObservations.Offer> offers = derived.observed() == null ? List.of() : derived.observed().offers();
        return offers.stream().map(offer -> new Row(Tables.VERSIONS).set("target_id", id).set("offered", offer.offered())
                .set("answered", Tables.revision(offer.answered() == null ? "" : offer.answered())).set("answered_text", offer.answered())
                .set("met", offer.met()).set("session", offer.session())).toList();
    }

    List<Row> observations(String extractor) {
        List<Row> rows = new ArrayList<>();
        Map<Observation, String> names = derived.names();
        List<Repeat> all = derived.all();
        for (Repeat repeat : all) {
            Map<Observation, Observation> pairs = repeat.number() == 0 ? Map.of() : repeat.repeats(all.get(0));
            repeat.observed().observations().forEach(observation -> rows.add(observation(names, observation, extractor)
                    .set("repeat", repeat.number()).set("repeat_of", names.get(pairs.get(observation)))));
        }
        return rows;
    }

    private Row observation(Map<Observation, String> names, Observation observation, String extractor) {
        Subject subject = observation.subject();
        Row row = new Row(Tables.OBSERVATIONS).set("target_id", id).set("observation", names.get(observation)).set("extractor", extractor)
                .set("check", subject.check()).set("session", subject.session()).set("era", subject.era().id())
                .set("revision", Tables.revision(subject.revision())).set("tool_text", subject.tool()).set("property_text", subject.property())
                .set("primary", subject.primary()).set("observed", observation.observed()).set("witness", observation.witness());
        String detail = observation.detail();
        if (observation instanceof Observation.Reaction reaction) {
            row.set("code", reaction.code()).set("consequence", reaction.consequence()).set("flags", sorted(reaction.flags()));
        } else if (observation instanceof Observation.Finding finding) {
            row.set("flags", sorted(finding.flags()));
        } else if (observation instanceof Observation.NotRun notRun) {
            detail = detail == null || detail.isEmpty() ? notRun.reason() : notRun.reason() + ": " + detail;
        }
        return row.set("detail_text", detail);
    }

    List<Row> verdicts() {
        List<Row> rows = new ArrayList<>();
        Map<Observation, String> names = derived.names();
        derived.all().forEach(repeat -> {
            for (Graded verdict : repeat.graded()) {
                Subject subject = verdict.observation().subject();
                rows.add(new Row(Tables.VERDICTS).set("target_id", id).set("observation", names.get(verdict.observation())).set("rule_set", verdict.ruleSet())
                        .set("repeat", repeat.number()).set("check", subject.check()).set("revision", Tables.revision(subject.revision())).set("primary", subject.primary())
                        .set("verdict", verdict.verdict().word()).set("level", verdict.level()).set("note_text", verdict.verdict().note()));
            }
        });
        return rows;
    }

    /** Verdicts that another repeat does not share. */
    List<Row> flaky() {
        List<Row> rows = new ArrayList<>();
        Map<Observation, String> names = derived.names();
        for (Flaky flaky : derived.flaky()) {
            Observation stands = flaky.stands().observation();
            Observation other = flaky.other().observation();
            rows.add(new Row(Tables.FLAKY).set("target_id", id).set("observation", names.get(stands)).set("rule_set", flaky.stands().ruleSet())
                    .set("check", stands.subject().check()).set("verdict", flaky.stands().verdict().word()).set("session", stands.subject().session())
                    .set("witness", stands.witness()).set("other_observation", names.get(other)).set("other_repeat", flaky.repeat())
                    .set("other_verdict", flaky.other().verdict().word()).set("other_session", other.subject().session()).set("other_witness", other.witness())
                    .set("compared", flaky.compared()).set("differing", flaky.differing()));
        }
        return rows;
    }

    /** Trait failure-shape: every failed call. */
    List<Row> failures() {
        List<Row> rows = new ArrayList<>();
        derived.failures().forEach((session, shapes) -> {
            for (FailureShape shape : shapes) {
                FailedCall call = shape.call();
                rows.add(new Row(Tables.FAILURE_SHAPES).set("target_id", id).set("failure", String.format(Locale.ROOT, "f%05d", rows.size() + 1)).set("trait", Derived.SHAPES.label())
                        .set("session", session).set("probe", call.probe()).set("tool_text", call.tool()).set("channel", call.channel()).set("code", call.code())
                        .set("shape", shape.shape()).set("rule", shape.rule()).set("look_alikes", shape.lookAlikes()).set("keys_text", String.join(";", shape.keys()))
                        .set("message_text", call.text()).set("witness", List.of(call.sentAt(), call.event())));
            }
        });
        return rows;
    }

    List<Row> attribution() {
        return derived.install().flatMap(InstallRecord::program).map(program -> {
            SdkAttribution sdk = program.sdk();
            return List.of(new Row(Tables.ATTRIBUTION).set("target_id", id).set("family", sdk.family().id()).set("version", sdk.version())
                    .set("style", sdk.style()).set("base", sdk.base()).set("evidence_text", sdk.evidence()));
        }).orElse(List.of());
    }

    private static Iterable<String> sorted(Set<String> flags) {
        return new TreeSet<>(flags);
    }

    private static String json(List<String> values) {
        return Json.write(Json.mapper().valueToTree(values));
    }
}

package dev.mcpprober.cli;

import dev.mcpprober.model.WorkKey;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.session.PlannedSession;
import dev.mcpprober.session.ProbeSubject;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.SessionFacts;
import dev.mcpprober.session.SessionPlan;
import dev.mcpprober.session.SessionRunner;
import dev.mcpprober.transcript.Transcript;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs all sessions that the plan has for one target, one after the other. */
final class CheckSessions {
    private CheckSessions() {}

    /** Transcripts by session name, in the order run; files are {@code NAME.jsonl.gz} in {@code folder}. */
    static Map<String, Transcript> run(SessionRunner runner, ProbeSubject subject, Profile profile, Path folder) throws EngineException, IOException {
        Map<String, Transcript> done = new LinkedHashMap<>();
        List<SessionFacts> facts = new ArrayList<>();
        for (Optional<PlannedSession> next = SessionPlan.next(profile, facts); next.isPresent(); next = SessionPlan.next(profile, facts)) {
            PlannedSession session = next.get();
            WorkKey key = SessionRunner.workKey(subject, session, 0);
            Transcript transcript = runner.run(subject, session, runner.prepare(subject), session.name(), key, file(folder, session.name()));
            done.put(session.name(), transcript);
            facts.add(SessionFacts.of(transcript));
        }
        return done;
    }

    static Path file(Path folder, String session) {
        return folder.resolve(session + ".jsonl.gz");
    }
}

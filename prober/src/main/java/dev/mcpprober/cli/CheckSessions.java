package dev.mcpprober.cli;

import dev.mcpprober.model.WorkKey;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.session.PlannedSession;
import dev.mcpprober.session.ProbeSubject;
import dev.mcpprober.session.RepeatedPlan;
import dev.mcpprober.session.SessionRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Runs all sessions that the plan has for one target, one after the other. */
final class CheckSessions {
    private CheckSessions() {}

    /** Files of the transcripts by session name, in the order run: {@code NAME.jsonl.gz} in {@code folder}. */
    static Map<String, Path> run(SessionRunner runner, ProbeSubject subject, RepeatedPlan plan, Path folder) throws EngineException, IOException {
        Map<String, Path> done = new LinkedHashMap<>();
        for (Optional<PlannedSession> next = plan.next(); next.isPresent(); next = plan.next()) {
            PlannedSession session = next.get();
            WorkKey key = SessionRunner.workKey(subject, session, plan.repeat());
            Path file = folder.resolve(session.name() + ".jsonl.gz");
            plan.done(runner.run(subject, session, runner.prepare(subject), session.name(), key, file));
            done.put(session.name(), file);
        }
        return done;
    }
}

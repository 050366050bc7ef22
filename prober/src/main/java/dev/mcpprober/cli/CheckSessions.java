package dev.mcpprober.cli;

import dev.mcpprober.model.WorkKey;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.session.PlannedSession;
import dev.mcpprober.session.ProbeSubject;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.SessionFacts;
import dev.mcpprober.session.SessionPlan;
import dev.mcpprober.session.SessionRunner;
import dev.mcpprober.session.ToolBudget;
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

    /** Files of the transcripts by session name, in the order run: {@code NAME.jsonl.gz} in {@code folder}. */
    static Map<String, Path> run(SessionRunner runner, ProbeSubject subject, Profile profile, ToolBudget budget, Path folder) throws EngineException, IOException {
        Map<String, Path> done = new LinkedHashMap<>();
        List<SessionFacts> facts = new ArrayList<>();
        for (Optional<PlannedSession> next = SessionPlan.next(profile, budget, facts); next.isPresent(); next = SessionPlan.next(profile, budget, facts)) {
            PlannedSession session = next.get();
            WorkKey key = SessionRunner.workKey(subject, session, 0);
            Path file = folder.resolve(session.name() + ".jsonl.gz");
            facts.add(runner.run(subject, session, runner.prepare(subject), session.name(), key, file));
            done.put(session.name(), file);
        }
        return done;
    }
}

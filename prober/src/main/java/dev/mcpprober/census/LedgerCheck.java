package dev.mcpprober.census;

import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerState;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether the events of a ledger can have happened, one after another: each attempt begins once and ends once, for what it was begun for. */
final class LedgerCheck {
    private static final String COMPLETED = "was completed";
    private static final String UNDER_WAY = "";

    private final List<String> problems;
    private final LedgerState state = new LedgerState();
    private final Set<String> targets = new LinkedHashSet<>();
    /** Everything that was started, and how it ended: some hundred thousand names. */
    private final Map<String, String> attempts = new HashMap<>();
    private int line;

    /** @param problems takes one sentence each */
    LedgerCheck(List<String> problems) {
        this.problems = problems;
    }

    void take(LedgerEvent event) {
        line++;
        if (!isTime(event.at())) {
            problems.add("ledger, line " + line + ": \"at\" is no time");
        }
        if (event instanceof LedgerEvent.Excluded e) {
            targets.add(e.target());
        } else if (event instanceof LedgerEvent.Planned e) {
            targets.add(e.target());
        } else if (event instanceof LedgerEvent.RetryAllowed e) {
            targets.add(e.target());
        } else if (event instanceof LedgerEvent.Started e) {
            targets.add(e.target());
            if (attempts.put(e.attempt(), UNDER_WAY) != null) {
                problems.add("attempt " + e.attempt() + " was started twice");
            }
        } else if (event instanceof LedgerEvent.Completed e) {
            ended(e.target(), e.key(), e.attempt(), COMPLETED);
        } else if (event instanceof LedgerEvent.Installed e) {
            ended(e.target(), LedgerEvent.INSTALL, e.attempt(), "came to an install");
        } else if (event instanceof LedgerEvent.Faulted e) {
            ended(e.target(), e.key(), e.attempt(), "faulted");
        } else if (event instanceof LedgerEvent.Finished e) {
            targets.add(e.target());
            if (state.of(e.target()).finished().equals(Optional.of(e))) {
                problems.add(e.target() + ": finished twice by the same event");
            }
        }
        state.apply(event);
    }

    private void ended(String target, String key, String attempt, String how) {
        targets.add(target);
        String before = attempts.put(attempt, how);
        if (before == null) {
            problems.add("attempt " + attempt + " " + how + " and was never started");
        } else if (before.equals(how)) {
            problems.add("attempt " + attempt + " " + how + " twice");
        } else if (!before.equals(UNDER_WAY)) {
            problems.add("attempt " + attempt + " " + before + ", and then it " + how);
        } else if (state.of(target).key(key).open().filter(open -> open.attempt().equals(attempt)).isEmpty()) {
            problems.add("attempt " + attempt + " " + how + " for another target or work key than it was started for, " + target);
        }
    }

    private static boolean isTime(String text) {
        try {
            return Instant.parse(text) != null;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    LedgerState state() {
        return state;
    }

    /** Every target that an event names. */
    Set<String> targets() {
        return Collections.unmodifiableSet(targets);
    }

    boolean knows(String attempt) {
        return attempts.containsKey(attempt);
    }

    int completed() {
        return (int) attempts.values().stream().filter(COMPLETED::equals).count();
    }
}

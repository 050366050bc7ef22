package dev.mcpprober.observation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.io.Json;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.Grader;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.rules.RuleSetParser;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.StepOutcome;
import dev.mcpprober.transcript.Transcript;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two hundred thousand frames that no honest server sends, the same ones on every run: whatever a server writes, the extractor and every
 * bundled rule set come to an end with observations of the vocabulary, and to the same ones when they are asked again.
 */
class FrameFuzzTest {
    private static final int FRAMES = 200_000;
    private static final int PER_TARGET = 400;
    private static final Set<String> WORDS = Set.of("pass", "fail", "warn", "divergent", "inconclusive", "not-applicable", "not-run");
    private static final String[] PROBES = {"ping", "tools-list", "tools-call-wrong-type", "valid-twin", "tools-call-unknown", "method-not-found", "malformed-json",
        "tools-call-no-name", "tools-call-bad-arguments", "id-echo", "liveness", "tools-capability", "notification-no-response", "batch-receive", "batch-reject",
        "invalid-utf8", "id-null-request", "cancelled-unknown", "tools-list-invalid-cursor", "meta-missing-meta", "removed-methods", "tools-list-order", "tools-list-set",
        "resource-not-found", "subscriptions-ack", "tools-call-missing-required", "tools-call-extra-argument-open", "autopsy", "again"};
    private static final String[] METHODS = {"ping", "tools/list", "tools/call", "initialize", "server/discover", "resources/read", "subscriptions/listen"};

    private final Random random = new Random(31);
    private final FrameSoup soup = new FrameSoup(random);

    private static List<RuleSet> ruleSets() throws Exception {
        List<RuleSet> out = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of(FrameFuzzTest.class.getResource("/rules/spec.yaml").toURI()).getParent())) {
            for (Path file : files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList()) {
                out.add(RuleSetParser.parse(file.toString(), Files.readString(file)));
            }
        }
        return out;
    }

    @Test
    void nothingThatIsWrittenIsTooMuch() throws Exception {
        List<RuleSet> ruleSets = ruleSets();
        int frames = 0;
        int target = 0;
        int verdicts = 0;
        while (frames < FRAMES) {
            List<Transcript> sessions = target();
            frames += (int) sessions.stream().flatMap(t -> t.events().stream()).filter(Event.Received.class::isInstance).count();
            TargetObservations observed = extract(sessions, target);
            for (Observation observation : observed.observations()) {
                Check check = Check.of(observation.subject().check()).orElseThrow();
                assertTrue(check.observable().contains(observation.observed()), check.id() + " cannot be " + observation.observed());
                assertTrue(observation.detail().length() <= Phrase.DETAIL + 1, observation.toString());
            }
            for (RuleSet rules : ruleSets) {
                for (Graded graded : Grader.grade(rules, observed)) {
                    assertTrue(WORDS.contains(graded.verdict().word()));
                    verdicts++;
                }
            }
            if (target++ % 20 == 0) {
                assertEquals(observed, Extractor.extract(sessions), "a second look");
            }
        }
        assertTrue(verdicts > 10_000, verdicts + " verdicts");
    }

    private static TargetObservations extract(List<Transcript> sessions, int target) {
        try {
            return Extractor.extract(sessions);
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError("target " + target + ": " + sessions.get(0).header().script(), e);
        }
    }

    /** Sessions of one server, in either era or both, with frames of all kinds between, in and after our steps. */
    private List<Transcript> target() {
        List<Transcript> out = new ArrayList<>();
        int sessions = 1 + random.nextInt(4);
        for (int i = 0; i < sessions; i++) {
            boolean modern = random.nextBoolean();
            String[] names = modern ? new String[] {"modern", "modern-negative", "modern-malformed", "modern-version", "modern-meta", "discover"}
                    : new String[] {"legacy", "legacy-negative", "legacy-malformed", "legacy.2", "legacy-batch"};
            String name = names[random.nextInt(names.length)];
            String script = name.equals("legacy") || name.equals("modern") || name.equals("legacy.2") ? (modern ? "modern" : "legacy") + (random.nextBoolean() ? "-full" : "-quick") : name;
            Tape tape = modern ? random.nextInt(5) > 0 ? Tape.openModern(name, script) : Tape.modern(name, script)
                    : random.nextInt(5) > 0 ? Tape.open(name, script, FrameSoup.REVISIONS[random.nextInt(FrameSoup.REVISIONS.length)]) : Tape.legacy(name, script);
            int steps = 2 + random.nextInt(8);
            for (int step = 0; step < steps; step++) {
                step(tape, PER_TARGET / sessions / steps);
            }
            end(tape);
            out.add(tape.transcript());
        }
        return out;
    }

    private void step(Tape tape, int frames) {
        String probe = PROBES[random.nextInt(PROBES.length)];
        tape.step(probe + "-" + random.nextInt(3), probe, "tool", "repeat", "property", random.nextBoolean() ? "text" : "", "primary", "true");
        if (random.nextInt(6) > 0) {
            String method = METHODS[random.nextInt(METHODS.length)];
            tape.askAs(soup.id(), method, random.nextInt(4) == 0 ? null : "{\"name\":\"repeat\",\"arguments\":{\"text\":{},\"count\":1}," + Tape.META + "}");
        } else {
            tape.send(random.nextBoolean() ? "{oops" : "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}");
        }
        for (int i = 0; i < frames; i++) {
            byte[] frame = soup.frame();
            if (random.nextInt(200) == 0) {
                tape.truncated(new String(frame, StandardCharsets.ISO_8859_1), frame.length + 1_000_000L);
            } else {
                tape.get(frame, random.nextInt(100) > 0);
            }
        }
        if (random.nextInt(10) > 0) {
            tape.end(StepOutcome.values()[random.nextInt(StepOutcome.values().length)], random.nextInt(8) == 0 ? "session timeout" : "");
        }
    }

    private void end(Tape tape) {
        if (random.nextInt(4) == 0) {
            tape.stderr(Json.write(com.fasterxml.jackson.databind.node.TextNode.valueOf(soup.text())));
        }
        if (random.nextBoolean()) {
            tape.step("stdin-eof", "stdin-eof").closeStdin();
        }
        switch (random.nextInt(6)) {
            case 0 -> tape.exits(random.nextInt(3));
            case 1 -> tape.closesStdout();
            case 2 -> tape.signal("SIGTERM").terminated("signalled", 15);
            case 3 -> tape.terminated("oom-killed", 9);
            case 4 -> tape.capped();
            default -> tape.end(StepOutcome.EXITED).terminated("exited", 0);
        }
    }
}

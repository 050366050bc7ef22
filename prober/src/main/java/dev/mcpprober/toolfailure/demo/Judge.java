package dev.mcpprober.toolfailure.demo;

import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.Finding;
import dev.mcpprober.toolfailure.ToolFailure;
import dev.mcpprober.toolfailure.Validator;
import dev.mcpprober.toolfailure.client.Answer;
import dev.mcpprober.toolfailure.client.Ground;
import dev.mcpprober.toolfailure.client.Trail;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Holds a run against its scenario and against what the proposal asks of server, client and relay. */
final class Judge {
    private static final long SOON_MS = 1_000;
    private static final long LATER_MS = 3_600_000;
    /** Containers and this program have one clock, but it is read at different moments. */
    private static final long READING_MS = 2_000;

    private final Scenario scenario;
    private final Passage passage;
    private final List<String> problems = new ArrayList<>();

    private Judge(Scenario scenario, Passage passage) {
        this.scenario = scenario;
        this.passage = passage;
    }

    /** What is not as it has to be, in words; empty where all is. */
    static List<String> problems(Scenario scenario, Passage passage) {
        Judge judge = new Judge(scenario, passage);
        judge.client();
        judge.firstFailure();
        judge.objects();
        judge.resends();
        judge.log();
        if (passage.relayed()) {
            judge.problems.addAll(RelayWatch.problems(passage));
        }
        return judge.problems.stream().map(problem -> (passage.relayed() ? "relayed: " : "direct: ") + problem).toList();
    }

    private void client() {
        List<Ground> grounds = passage.trail().tries().stream().map(each -> each.decision().ground()).toList();
        if (!grounds.equals(scenario.grounds())) {
            problems.add("the client's grounds are " + grounds + ", expected " + scenario.grounds());
        }
        Scenario.End end = passage.trail().succeeded() ? Scenario.End.SUCCESS
                : passage.trail().last().answer() instanceof Answer.ProtocolError ? Scenario.End.PROTOCOL_ERROR : Scenario.End.FAILURE;
        if (end != scenario.end()) {
            problems.add("the end is " + end + ", expected " + scenario.end());
        }
    }

    private void firstFailure() {
        Trail.Try first = passage.trail().tries().get(0);
        Optional<ExactJson> seen = Passage.failure(first.answer());
        if (scenario.failure().isEmpty() || seen.isEmpty()) {
            if (scenario.failure().isPresent() != seen.isPresent()) {
                problems.add(seen.isPresent() ? "the first answer classifies a failure" : "the first answer classifies nothing");
            }
            return;
        }
        Scenario.Expected expected = scenario.failure().get();
        ExactJson object = seen.get();
        same("class", object.member("class").flatMap(ExactJson::asText).orElse(""), expected.failureClass().id());
        same("code", object.member("code").flatMap(ExactJson::asText).orElse(""), expected.code());
        same("retryable", object.member("retryable").map(ExactJson::json).orElse("absent"), expected.retryable().map(String::valueOf).orElse("absent"));
        same("retryNotBefore", when(object, passage.sentAt(first.sent())).name(), expected.retryNotBefore().name());
    }

    private void same(String member, String seen, String expected) {
        if (!seen.equals(expected)) {
            problems.add(member + " is " + seen + ", expected " + expected);
        }
    }

    private static Scenario.When when(ExactJson object, long asked) {
        if (!(object.member("retryNotBefore").orElse(null) instanceof ExactJson.Num time)) {
            return Scenario.When.NONE;
        }
        return time.compareWith(asked + LATER_MS) > 0 ? Scenario.When.LATER : time.compareWith(asked + SOON_MS + READING_MS) <= 0 ? Scenario.When.SOON : Scenario.When.NONE;
    }

    /** Every object of an error is valid; what is no error has none. */
    private void objects() {
        Validator.Surroundings around = new Validator.Surroundings(Instant.now().toString(), List.of());
        Set<String> ids = new HashSet<>();
        for (Trail.Try each : passage.trail().tries()) {
            Optional<ExactJson> object = Passage.failure(each.answer());
            boolean error = each.answer() instanceof Answer.Result result && result.value().member("isError").filter(new ExactJson.Bool(true)::equals).isPresent();
            if (object.isPresent() != error) {
                problems.add(error ? "an error without the key" : "the key on something that is no error");
            }
            object.ifPresent(value -> Validator.judge(value, around).stream().filter(finding -> finding.state() == Finding.State.VIOLATES)
                    .forEach(finding -> problems.add(finding.statement().id() + ": " + finding.words())));
            object.flatMap(value -> value.member("correlationId")).flatMap(ExactJson::asText).filter(id -> !ids.add(id))
                    .ifPresent(id -> problems.add("two failures with the correlationId " + id));
        }
    }

    /** Each call has a request id of its own, and none goes out before the time that the failure before it names. */
    private void resends() {
        List<Trail.Try> tries = passage.trail().tries();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < tries.size(); i++) {
            String id = ExactJson.parse(tries.get(i).sent()).flatMap(frame -> frame.member("id")).map(ExactJson::json).orElse("none");
            if (!ids.add(id)) {
                problems.add("two calls with the request id " + id);
            }
            if (i > 0 && Passage.failure(tries.get(i - 1).answer()).flatMap(f -> f.member("retryNotBefore")).orElse(null) instanceof ExactJson.Num time
                    && time.compareWith(passage.sentAt(tries.get(i).sent())) > 0) {
                problems.add("call " + (i + 1) + " was sent before retryNotBefore " + time.lexeme());
            }
        }
    }

    private void log() {
        for (ExactJson failure : passage.failures()) {
            long found = passage.log().stream().filter(line -> LogLine.matches(line, failure)).count();
            if (found != 1) {
                problems.add(found + " lines of the server's log match the correlationId " + new ToolFailure((ExactJson.Obj) failure).correlationId().orElse(""));
            }
        }
        long logged = passage.log().stream().filter(line -> LogLine.id(line).isPresent()).count();
        if (logged != passage.failures().size()) {
            problems.add(logged + " failures in the server's log, " + passage.failures().size() + " answered");
        }
    }
}

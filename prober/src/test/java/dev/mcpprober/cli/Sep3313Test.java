package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mcpprober.cli.toolfailure.ExampleRunner;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.observation.Check;
import dev.mcpprober.rules.Rule;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.toolfailure.client.Answer;
import dev.mcpprober.toolfailure.client.Decision;
import dev.mcpprober.toolfailure.client.Dispatch;
import dev.mcpprober.toolfailure.client.Hints;
import dev.mcpprober.toolfailure.client.RetryLimits;
import dev.mcpprober.toolfailure.client.Situation;
import dev.mcpprober.toolfailure.conformance.ClientJudge;
import dev.mcpprober.toolfailure.conformance.Example;
import dev.mcpprober.toolfailure.conformance.Traceability;
import dev.mcpprober.toolfailure.ExactJson;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each statement of the proposal has a check and each check an example that passes and one that does not, or there is a reason why not. */
class Sep3313Test {
    private static final Traceability SEP = Traceability.read();
    private static final RuleSet RULES = rules();

    private static RuleSet rules() {
        try {
            return Rules.load(List.of("tool-failure")).get(0);
        } catch (UserError | java.io.IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<Example> examples() {
        return Example.readAll();
    }

    @Test
    void everyStatementIsTestedOrExcludedWithAReason() {
        List<String> bad = new ArrayList<>();
        for (Traceability.Statement statement : SEP.statements()) {
            if (statement.check().isPresent() == statement.excluded().isPresent() || statement.excluded().filter(reason -> reason.length() < 40).isPresent()) {
                bad.add("neither check nor reason, or both: " + statement.text());
            }
            if (statement.check().isPresent()) {
                Set<String> verdicts = examples().stream().filter(example -> example.check().equals(statement.check().get())).map(Example::verdict).collect(Collectors.toSet());
                if (!verdicts.contains("pass") || !verdicts.contains("fail") && !verdicts.contains("warn")) {
                    bad.add("no passing or no failing example: " + statement.check().get());
                }
            }
        }
        assertEquals(List.of(), bad);
        assertEquals("3313", SEP.sep());
    }

    @Test
    void theChecksAreTheNineteenOfTheRequirementsEachOnce() {
        List<String> checks = SEP.statements().stream().flatMap(statement -> statement.check().stream()).toList();
        assertEquals(19, checks.size());
        assertEquals(19, new HashSet<>(checks).size());
        Set<String> ofServers = Arrays.stream(Check.values()).map(Check::id).filter(id -> id.startsWith("sep-3313-")).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(ofServers, SEP.statements().stream().filter(s -> s.role().equals("server")).flatMap(s -> s.check().stream()).collect(Collectors.toCollection(TreeSet::new)));
        Set<String> known = new HashSet<>(checks);
        examples().forEach(example -> assertTrue(known.contains(example.check()), "an example for no check: " + example.check()));
    }

    @Test
    void aStatementIsAsBindingHereAsInTheRuleSet() {
        for (Traceability.Statement statement : SEP.statements()) {
            Optional<Rule> rule = RULES.rules().stream().filter(each -> statement.check().filter(each.check()::equals).isPresent()).findFirst();
            assertEquals(statement.role().equals("server") && statement.check().isPresent(), rule.isPresent(), statement.text());
            rule.ifPresent(found -> assertEquals(found.level().id(), statement.level(), found.check()));
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleComesOutAsItSays(Example example) {
        assertEquals(example.verdict(), new ExampleRunner(RULES).verdict(example), example.check() + ": " + example.about());
    }

    /** The reference client, put before every failure that a client example describes, does nothing that the judge of clients objects to. */
    @ParameterizedTest
    @MethodSource("examples")
    void theReferenceClientPassesWhereverAClientCanFail(Example example) {
        if (!(example instanceof Example.OfClient client)) {
            return;
        }
        Answer failure = new Answer.Result(ExactJson.parse(Example.errorResult(client.given().object().json())).orElseThrow());
        List<Long> sends = sends(failure, client.given().tool());
        assertEquals("pass", ClientJudge.judge(client.check(), new ClientJudge.Case(client.given().object(), client.given().tool(), sends, Optional.of(sends))));
    }

    /** When the reference client sends a call that goes on failing at once. */
    private static List<Long> sends(Answer failure, ExactJson tool) {
        List<Long> sends = new ArrayList<>(List.of(0L));
        long now = ClientJudge.FAILED_AT;
        for (int attempt = 1; ; attempt++) {
            Decision decision = Dispatch.decide(failure, new Situation(true, Hints.of(tool), true, ProtocolRevision.V2025_11_25, now, attempt, RetryLimits.DEFAULT));
            if (decision.action() != Decision.Action.RETRY) {
                return sends;
            }
            now = decision.notBefore();
            sends.add(now - ClientJudge.FAILED_AT);
        }
    }

    @Test
    void theQuotationsAreTheProposalsOwnWords() throws Exception {
        Path text = Path.of(System.getProperty("prober.home", ".")).resolve("../../shared/tool-failure-sep.txt");
        assumeTrue(Files.exists(text), "the proposal's text is not beside the project: quotations are not compared");
        String proposal = plain(Files.readString(text, StandardCharsets.UTF_8));
        List<String> foreign = new ArrayList<>();
        for (Traceability.Statement statement : SEP.statements()) {
            assertTrue(statement.text().length() < 260, "a quotation is short: " + statement.text());
            // "capability / governance" is one quotation although it has the sign that parts two.
            for (String quoted : statement.text().startsWith("capability /") ? List.of(statement.text()) : List.of(statement.text().split(" / "))) {
                for (String piece : quoted.split(" \\.\\.\\. ")) {
                    if (!proposal.contains(plain(piece))) {
                        foreign.add(piece);
                    }
                }
            }
        }
        assertEquals(List.of(), foreign);
    }

    private static String plain(String text) {
        return text.replaceAll("[`*]", "").replaceAll("\\s+", "");
    }
}

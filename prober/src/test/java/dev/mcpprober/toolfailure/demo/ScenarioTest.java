package dev.mcpprober.toolfailure.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.toolfailure.client.Ground;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScenarioTest {
    private static final Path FILE = Path.of(System.getProperty("prober.home", ".")).toAbsolutePath().normalize()
            .resolveSibling("corpus/fixtures/tool-failure-scenarios.json");

    @TempDir Path temp;

    @Test
    void theShippedScenariosCoverTheBaselineAndMore() throws Exception {
        List<Scenario> all = Scenario.read(FILE);
        assertEquals(all.size(), new HashSet<>(all.stream().map(Scenario::id).toList()).size(), "every id once");
        Set<String> codes = all.stream().map(Scenario::failure).flatMap(Optional::stream).map(e -> e.failureClass().id() + "/" + e.code()).collect(Collectors.toSet());
        assertTrue(codes.containsAll(Set.of("capability/capability_unsupported", "capability/resource_not_found", "capability/invalid_input",
                "reliability/retryable_transient_error", "governance/auth_required", "governance/permission_denied", "governance/policy_blocked",
                "governance/user_action_required", "reliability/rate_limited")), codes.toString());
        Set<Ground> grounds = all.stream().flatMap(scenario -> scenario.grounds().stream()).collect(Collectors.toSet());
        assertTrue(grounds.containsAll(EnumSet.of(Ground.UNAWARE, Ground.UNTRUSTED, Ground.NOT_IDEMPOTENT, Ground.READ_ONLY_ONLY, Ground.NOT_RETRYABLE, Ground.WAIT_TOO_LONG,
                Ground.ATTEMPTS_USED_UP, Ground.RETRY, Ground.RETRY_NOT_BEFORE)), grounds.toString());
        for (Scenario scenario : all) {
            assertEquals(scenario.end() == Scenario.End.SUCCESS, scenario.grounds().get(scenario.grounds().size() - 1) == Ground.SUCCESS, scenario.id());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{}", "{\"scenarios\":[{}]}", "{\"scenarios\":[{\"id\":\"a\",\"failure\":null}]}",
        "{\"scenarios\":[{\"id\":\"a\",\"cause\":\"c\",\"tool\":\"t\",\"arguments\":{},\"client\":\"trusting\",\"failure\":null,\"grounds\":[\"NO_SUCH_GROUND\"],\"end\":\"success\"}]}",
        "{\"scenarios\":[{\"id\":\"a\",\"cause\":\"c\",\"tool\":\"t\",\"arguments\":[],\"client\":\"trusting\",\"failure\":null,\"grounds\":[],\"end\":\"success\"}]}"})
    void anotherFormIsRefusedWithTheFileNamed(String text) throws Exception {
        Path file = Files.writeString(temp.resolve("scenarios.json"), text);
        IOException refused = assertThrows(IOException.class, () -> Scenario.read(file));
        assertTrue(refused.getMessage().contains("scenarios.json"), refused.getMessage());
    }
}

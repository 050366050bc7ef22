package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bundle of a server in an image: its script starts the container by the engine's own command, under the recorded limits. */
class BundleIT {
    @TempDir Path folder;

    @Test
    void theScriptShowsTheFindingInTheSameSandbox() throws Exception {
        boolean client;
        try {
            client = new ProcessBuilder("docker", "version").redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (java.io.IOException e) {
            client = false;
        }
        assumeTrue(client, "no docker command here: scripts of bundles with images are not tested");
        Path fixture = ProberProcess.HOME.resolveSibling("corpus/fixtures/npm-needs-key");
        Path bundle = folder.resolve("bundle");
        ProberProcess.Ended ended = ProberProcess.run(folder, Map.of(), "check", fixture.toString(), "--profile", "quick", "--bundle", bundle.toString());
        assertEquals(ExitCode.FAILED, ended.status(), ended.toString());
        JsonNode document = ((Json.Parsed.Value) Json.parse(Files.readString(bundle.resolve("bundle.json")))).node();
        JsonNode finding = document.path("findings").get(0);
        assertEquals("needs-config", finding.path("observed").asText(), ended.toString());
        Path place = bundle.resolve(finding.path("folder").asText());
        assertEquals("reproduced", finding.path("script").asText(), Files.readString(place.resolve("tried.txt")));
        assertTrue(document.path("imageDigest").asText().startsWith("sha256:"));
        String script = Files.readString(place.resolve("reproduce.sh"));
        assertTrue(script.contains("--network none") && script.contains("--cap-drop ALL") && script.contains(document.path("imageDigest").asText()), script);
        assertTrue(Files.exists(bundle.resolve("install.json")));
    }
}

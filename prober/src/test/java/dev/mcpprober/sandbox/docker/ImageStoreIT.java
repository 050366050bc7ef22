package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.dockerjava.api.DockerClient;
import dev.mcpprober.sandbox.SandboxImages.BaseOrigin;
import dev.mcpprober.sandbox.SandboxImages.SandboxImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageStoreIT {
    private static final Duration LIMIT = Duration.ofSeconds(180); // making a virtual environment is slow on a loaded machine

    @ParameterizedTest
    @CsvSource({
        "node:22, 'node -v; npm -v; id -u; pwd', '(?s)v22\\..*\\n11\\.21\\.2\\n10001\\n/srv/app\\n'",
        "node:24, 'node -v; npm -v; id -u; pwd', '(?s)v24\\..*\\n11\\.21\\.2\\n10001\\n/srv/app\\n'",
        "node:20, 'node -v; npm -v; id -u; pwd', '(?s)v20\\..*\\n11\\.21\\.2\\n10001\\n/srv/app\\n'",
        "python:3.13, 'python -V; uv --version; python3 -m venv /tmp/v && ls /tmp/v/bin/pip; id -u', 'Python 3\\.13\\.\\d+\\nuv 0\\.13\\.9.*\\n/tmp/v/bin/pip\\n10001\\n'",
        "python:3.11, 'python -V; uv --version; python3 -m venv /tmp/v && ls /tmp/v/bin/pip; id -u', 'Python 3\\.11\\.\\d+\\nuv 0\\.13\\.9.*\\n/tmp/v/bin/pip\\n10001\\n'",
        "gateway, 'nginx -v 2>&1; command -v socat; id -u', 'nginx version: .*\\n/usr/bin/socat\\n10002\\n'"})
    void everyImageHasWhatItIsFor(String name, String commands, String expected) throws Exception {
        try (ImageStore images = ImageStore.open(line -> { })) {
            SandboxImage image = images.require(name);
            // In the image's own folder and as its own user, as far as the image says.
            DockerClient client = images.client();
            assertEquals(name.equals("gateway") ? "/tmp" : "/srv/app", client.inspectImageCmd(image.id()).exec().getConfig().getWorkingDir());
            String output = new HelperRun(image.id(), List.of("sh", "-c", (name.equals("gateway") ? "" : "cd /srv/app; ") + commands), "none", "", Map.of())
                    .run(client, LIMIT).output();
            assertTrue(output.matches(expected), output);
        }
    }

    @Test
    void buildsOnceAndAgainOnlyWhenSomethingChanged(@TempDir Path temp) throws Exception {
        Path copy = temp.resolve("images");
        try (Stream<Path> files = Files.walk(ProberHome.images())) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(ProberHome.images().relativize(file).toString()), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        List<String> progress = new ArrayList<>();
        DockerClient client = DockerClients.connect(EngineAddress.of(System.getenv()), null);
        String marked = null;
        try {
            SandboxImage first = new ImageStore(client, copy, progress::add).require("gateway");
            progress.clear();
            SandboxImage again = new ImageStore(client, copy, progress::add).require("gateway");
            assertEquals(first, again);
            assertEquals(List.of(), progress, "nothing to do, nothing to say");

            Files.writeString(copy.resolve("gateway/dns.pl"), "# changed\n", StandardOpenOption.APPEND);
            SandboxImage changed = new ImageStore(client, copy, progress::add).require("gateway");
            marked = changed.tag();
            assertNotEquals(first.tag(), changed.tag());
            assertNotEquals(first.id(), changed.id());
            assertEquals(first.baseId(), changed.baseId());
            assertTrue(progress.get(0).contains("building " + changed.tag()), progress.toString());
            assertTrue(first.origin() == BaseOrigin.OFFICIAL || first.origin() == BaseOrigin.BOOTSTRAPPED);
        } finally {
            if (marked != null) {
                client.removeImageCmd(marked).exec();
            }
            client.close();
        }
    }

    @Test
    void theClientsInTheImagesKnowTheirDefaultRegistries() throws Exception {
        try (ImageStore images = ImageStore.open(line -> { })) {
            assertTrue(ClientDefaults.npm(images.client(), images.require("node:22").id()).isPresent());
            assertTrue(ClientDefaults.pythonIndex(images.client(), images.require("python:3.13").id()).orElse("").endsWith("/simple"));
        }
    }
}

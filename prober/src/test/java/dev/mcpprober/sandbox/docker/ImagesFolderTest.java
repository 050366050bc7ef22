package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The recipes and scripts of images/, as far as they need no engine. */
class ImagesFolderTest {
    @TempDir
    Path temp;

    static Set<String> names() {
        return ImageRecipe.NAMES;
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyOfficialBaseIsPinnedByDigestAndOfTheRightVersion(String name) throws Exception {
        ImageRecipe recipe = ImageRecipe.read(ProberHome.images(), name);
        String expected = name.equals("gateway") ? "debian:" : name;
        assertTrue(recipe.officialBase().startsWith(expected), recipe.officialBase());
        assertTrue(recipe.officialBase().matches("[a-z]+:[a-z0-9.-]+-slim[a-z-]*@sha256:[0-9a-f]{64}"), recipe.officialBase());
        assertTrue(recipe.officialReference().matches("[a-z]+@sha256:[0-9a-f]{64}"), recipe.officialReference());
    }

    @Test
    void theTagFollowsContentAndBaseAndNothingElse() throws Exception {
        Path images = temp.resolve("images");
        Files.createDirectories(images.resolve("node"));
        Files.writeString(images.resolve("lib.sh"), "pins");
        Files.writeString(images.resolve("bootstrap"), "packages");
        Files.writeString(images.resolve("node/Dockerfile"), "# node:20 BASE=node:20@sha256:b\nARG BASE=node:22@sha256:a\nFROM ${BASE}\n");
        ImageRecipe before = ImageRecipe.read(images, "node:22");
        assertEquals("node:22@sha256:a", before.officialBase());
        assertEquals("node:20@sha256:b", ImageRecipe.read(images, "node:20").officialBase());
        assertEquals(before.tag("base"), ImageRecipe.read(images, "node:22").tag("base"));
        assertTrue(before.tag("base").matches("mcp-prober/node:22-[0-9a-f]{12}"), before.tag("base"));
        assertNotEquals(before.tag("base"), before.tag("other base"));
        Files.writeString(images.resolve("lib.sh"), "other pins");
        ImageRecipe pins = ImageRecipe.read(images, "node:22");
        assertNotEquals(before.tag("base"), pins.tag("base"));
        Files.writeString(images.resolve("node/extra"), "");
        assertNotEquals(pins.tag("base"), ImageRecipe.read(images, "node:22").tag("base"));
        Files.writeString(images.resolve("bootstrap"), "other packages");
        assertNotEquals(pins.bootstrappedBase(), ImageRecipe.read(images, "node:22").bootstrappedBase());
        assertTrue(pins.bootstrappedBase().matches("mcp-prober/base-node:22-[0-9a-f]{8}"), pins.bootstrappedBase());
        assertThrows(IllegalArgumentException.class, () -> ImageRecipe.read(images, "node:18"));
    }

    @Test
    void aDigestMayHoldALineFeed() throws Exception {
        byte[] content = "prober 0\n".getBytes(StandardCharsets.US_ASCII);
        byte[] digest = MessageDigest.getInstance("SHA-512").digest(content);
        assertTrue(IntStream.range(0, digest.length).anyMatch(i -> digest[i] == '\n'));
        Path file = Files.write(temp.resolve("file"), content);
        Process bash = new ProcessBuilder("bash", "-c", ". \"$1\"; digest sha512 \"$2\"", "bash", ProberHome.images().resolve("lib.sh").toString(), file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        assertEquals(Base64.getEncoder().encodeToString(digest), new String(bash.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
    }

    private HostScript.Result registries(Map<String, String> environment, List<String> progress) throws EngineException {
        Map<String, String> all = new HashMap<>(Map.of("HOME", temp.toString(), "PROBER_CACHE", temp.resolve("cache").toString()));
        all.putAll(environment);
        return HostScript.run(ProberHome.images().resolve("registries"), List.of(), all, Duration.ofSeconds(60), progress::add);
    }

    @Test
    void theUsersOwnRegistriesAreUsedAndTheIndexSaysWhereItsFilesAre() throws Exception {
        try (FakeRegistry registry = new FakeRegistry()) {
            registry.page("/mirror/simple/pip/", "<a href=\"http://files.test:8080/a/pip-1-py3-none-any.whl#sha256=00\">x</a>"
                    + "<a href='https://cdn.test/b/pip-2.tar.gz'>y</a><a href=\"../../own/pip-3.zip\">z</a>"
                    + "<a href=\"http://localhost:" + registry.port() + "/own/pip-4.zip\">z</a>");
            String index = "http://us:secret@localhost:" + registry.port() + "/mirror/simple";
            List<String> progress = new ArrayList<>();
            RegistryHosts hosts = RegistryHosts.parse(registries(Map.of("npm_config_registry", "http://npm.test/repo/", "PIP_INDEX_URL", index + "/"), progress).output());
            assertEquals(new RegistryHosts("http://npm.test/repo", true, index, List.of("http://files.test:8080", "https://cdn.test")), hosts);
            assertFalse(String.join("", progress).contains("secret"), progress.toString());
            assertFalse(hosts.toString().contains("secret"), hosts.toString());
            assertEquals("npm.test", hosts.npmHost());
            assertEquals("/mirror/simple", hosts.pythonPath());
        }
    }

    @Test
    void configurationFilesAreReadToo() throws Exception {
        Files.writeString(temp.resolve(".npmrc"), "registry = http://npm.test/x\n");
        Files.createDirectories(temp.resolve(".config/pip"));
        Files.writeString(temp.resolve(".config/pip/pip.conf"), "[global]\nindex-url = http://127.0.0.1:1/simple/\n");
        List<String> progress = new ArrayList<>();
        RegistryHosts hosts = RegistryHosts.parse(registries(Map.of("npm_config_registry", "", "NPM_CONFIG_REGISTRY", "", "PIP_INDEX_URL", "",
                "UV_DEFAULT_INDEX", "", "UV_INDEX_URL", ""), progress).output());
        assertEquals("http://npm.test/x", hosts.npm());
        assertEquals("http://127.0.0.1:1/simple", hosts.python());
        assertEquals(List.of(), hosts.files());
        assertTrue(progress.stream().anyMatch(line -> line.contains("did not answer")), progress.toString());
    }

    @Test
    void whatIsNotTheGatewayIsALeak() throws Exception {
        Set<String> targets = Set.of("172.17.0.1:5000", "203.0.113.1:443");
        String tight = "wait gw:4873 connected\nwait gw:3141 connected\ntry gw:8080 refused\ntry 172.17.0.1:5000 timeout\n"
                + "try 203.0.113.1:443 unreachable\nname a.example none\ndone\n";
        EgressSelfTest.judge(tight, targets);
        for (String[] leak : new String[][] {
                {"wait gw:4873 connected", "wait gw:4873 refused"}, {"gw:8080 refused", "gw:8080 connected"},
                {"172.17.0.1:5000 timeout", "172.17.0.1:5000 connected"}, {"172.17.0.1:5000 timeout", "172.17.0.1:5000 refused"},
                {"203.0.113.1:443 unreachable", "203.0.113.1:443 timeout"}, {"a.example none", "a.example 10.0.0.1"},
                {"done\n", ""}, {"done", "route 6\ndone"}, {"try 172.17.0.1:5000 timeout\n", ""}}) {
            String output = tight.replace(leak[0], leak[1]);
            assertNotEquals(tight, output);
            EngineException e = assertThrows(EngineException.class, () -> EgressSelfTest.judge(output, targets), leak[1]);
            assertTrue(e.fault() instanceof Fault.SandboxLeaks);
        }
    }

    @Test
    void scriptsTalkThroughUsAndNeverToATerminal() throws Exception {
        Path script = temp.resolve("script");
        Files.writeString(script, "#!/bin/sh\nprintf 'a\\033[2Jb\\nlast\\n' >&2\necho out\nexit 3\n");
        assertTrue(script.toFile().setExecutable(true));
        List<String> progress = new ArrayList<>();
        HostScript.Result result = HostScript.run(script, List.of(), Map.of(), Duration.ofSeconds(30), progress::add);
        assertEquals(new HostScript.Result(3, "out\n", "last"), result);
        assertEquals(List.of("a\\u001b[2Jb", "last"), progress);
    }
}

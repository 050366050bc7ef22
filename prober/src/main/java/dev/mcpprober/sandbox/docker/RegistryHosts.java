package dev.mcpprober.sandbox.docker;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The registries that this user's package clients use; no host of them is written in the sources. Addresses may hold a password,
 * so they go to the gateway and nowhere else: {@link #toString()} leaves it out.
 *
 * @param npm        without a trailing slash
 * @param npmRewrite whether tarball addresses must be turned to the gateway: npm does so by itself for its default registry only
 * @param python     the index, {@code …/simple}, without a trailing slash
 * @param files      scheme, host and port of the other hosts that the index's links name
 */
public record RegistryHosts(String npm, boolean npmRewrite, String python, List<String> files) {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    public RegistryHosts {
        files = List.copyOf(files);
    }

    /** The host's client configuration and defaults; where no client on the host knows a registry, the clients in the images are asked. */
    public static RegistryHosts resolve(ImageStore images) throws EngineException {
        RegistryHosts hosts = ask(images, List.of());
        if (!hosts.npm().isEmpty() && !hosts.python().isEmpty()) {
            return hosts;
        }
        List<String> options = new ArrayList<>();
        if (hosts.npm().isEmpty()) {
            options.addAll(List.of("--npm", known("npm registry", ClientDefaults.npm(images.client(), images.require("node:22").id()))));
        }
        if (hosts.python().isEmpty()) {
            options.addAll(List.of("--pypi", known("Python index", ClientDefaults.pythonIndex(images.client(), images.require("python:3.13").id()))));
        }
        return ask(images, options);
    }

    private static String known(String what, Optional<String> url) throws EngineException {
        return url.orElseThrow(() -> new EngineException(new Fault.RegistryUnreachable("no " + what + " is known on this machine; set "
                + (what.startsWith("npm") ? "npm_config_registry" : "PIP_INDEX_URL"))));
    }

    private static RegistryHosts ask(ImageStore images, List<String> options) throws EngineException {
        HostScript.Result result = HostScript.run(images.images().resolve("registries"), options, Map.of(), LIMIT, images.progress());
        if (result.exit() != 0) {
            throw new EngineException(new Fault.RegistryUnreachable("images/registries: " + result.lastError()));
        }
        return parse(result.output());
    }

    static RegistryHosts parse(String output) {
        String npm = "";
        String python = "";
        boolean rewrite = false;
        List<String> files = new ArrayList<>();
        for (String line : output.lines().toList()) {
            int blank = line.indexOf(' ');
            String value = line.substring(blank + 1);
            switch (line.substring(0, Math.max(0, blank))) {
                case "npm" -> npm = value;
                case "npm-rewrite" -> rewrite = true;
                case "pypi" -> python = value;
                case "files" -> files.add(value);
                default -> { }
            }
        }
        return new RegistryHosts(npm, rewrite, python, files);
    }

    /** Path of the index on its host, e.g. {@code /simple}: the gateway keeps it, so that relative links work. */
    String pythonPath() {
        return python.replaceFirst("^https?://[^/]*", "");
    }

    /** Host names of the registries, for the proof that an install cannot look them up. */
    String npmHost() {
        return withoutPassword(npm).replaceFirst("^https?://", "").replaceFirst("[:/].*$", "");
    }

    static String withoutPassword(String url) {
        return url.replaceFirst("//[^/@]*@", "//");
    }

    @Override
    public String toString() {
        return "npm " + withoutPassword(npm) + ", Python " + withoutPassword(python) + ", files " + files;
    }
}

package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import dev.mcpprober.sandbox.EngineException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks the package clients in an image which registry is their default. They answer without a network. */
final class ClientDefaults {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private ClientDefaults() {}

    static Optional<String> npm(DockerClient client, String image) throws EngineException {
        return ask(client, image, List.of("npm", "config", "get", "registry"));
    }

    /** pip's own interpreter is asked, since it need not be the one called python3. */
    static Optional<String> pythonIndex(DockerClient client, String image) throws EngineException {
        return ask(client, image, List.of("sh", "-c", "\"$(head -n 1 \"$(command -v pip)\" | cut -c 3-)\""
                + " -c 'from pip._internal.models.index import PyPI; print(PyPI.simple_url)'"));
    }

    private static Optional<String> ask(DockerClient client, String image, List<String> argv) throws EngineException {
        HelperRun.Output answer = new HelperRun(image, argv, "none", "", Map.of()).run(client, LIMIT);
        String url = answer.output().strip().replaceFirst("/+$", "");
        return answer.status() == 0 && url.matches("https?://\\S+") ? Optional.of(url) : Optional.empty();
    }
}

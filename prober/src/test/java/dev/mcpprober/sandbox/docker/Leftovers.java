package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import dev.mcpprober.sandbox.EngineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What is on the engine that the prober with a given process id made. Other probers may be at work on the same engine. */
public final class Leftovers implements AutoCloseable {
    private final DockerEngine engine;

    public Leftovers() throws EngineException {
        engine = DockerEngine.connect("it-" + UUID.randomUUID());
    }

    /** Containers and networks, one line each. */
    public List<String> of(long pid) {
        DockerClient client = engine.client();
        List<String> found = new ArrayList<>();
        client.listContainersCmd().withShowAll(true).withLabelFilter(List.of(RunOwner.RUN_LABEL)).exec().stream()
                .filter(container -> owns(pid, container.getLabels()))
                .forEach(container -> found.add("container " + container.getId() + " " + container.getState() + " " + container.getCommand()));
        client.listNetworksCmd().withFilter("label", List.of(RunOwner.RUN_LABEL)).exec().stream()
                .filter(network -> owns(pid, network.getLabels()))
                .forEach(network -> found.add("network " + network.getName()));
        return found;
    }

    private static boolean owns(long pid, Map<String, String> labels) {
        return Optional.ofNullable(labels.get(RunOwner.OWNER_LABEL)).flatMap(RunOwner::parse).filter(owner -> owner.pid() == pid).isPresent();
    }

    /** Of installs; one that is gone, or of which a container is made, is passed over. */
    public void removeImage(String image) {
        try {
            engine.removeImage(image);
        } catch (EngineException e) {
            System.err.println("image " + image + " stays: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        engine.close();
    }
}

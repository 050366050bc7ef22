package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.Image;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.ImageEngine;
import dev.mcpprober.sandbox.Sandbox;
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

    /** What the containers of a prober are labelled with; empty where it has none just now. */
    public Optional<Map<String, String>> labelsOf(long pid) {
        return engine.client().listContainersCmd().withShowAll(true).withLabelFilter(List.of(RunOwner.RUN_LABEL)).exec().stream()
                .map(Container::getLabels).filter(labels -> owns(pid, labels)).findFirst();
    }

    /**
     * What the engine comes to finish only after the prober that asked for it was killed: a container with {@code labels}, and an image like
     * the one that an install of {@code digest} made.
     *
     * @return false where there is no such image now
     */
    public boolean finishLate(Map<String, String> labels, String digest) throws EngineException {
        for (String image : imagesOf(digest)) {
            Map<String, String> all = engine.findImage(image).map(ImageEngine.ImageInfo::labels).orElse(Map.of());
            try (Sandbox sandbox = engine.open(Engines.image())) {
                engine.commit(sandbox, new ImageEngine.ImageConfig(List.of("late"), Map.of(), "10001:10001", "/tmp", all));
            }
            engine.client().createContainerCmd(Engines.image()).withCmd("late").withLabels(labels).exec();
            return true;
        }
        return false;
    }

    /** What a container of a prober is for. */
    public enum Use {
        GATEWAY, INSTALL, PROBE
    }

    /** Kills one as an operator would, behind the prober's back; false where none runs just now. */
    public boolean kill(long pid, Use use) {
        for (Container container : running(pid)) {
            if (use(container) == use) {
                try {
                    engine.client().killContainerCmd(container.getId()).exec();
                    return true;
                } catch (ConflictException | NotFoundException e) {
                    return false; // it has just ended
                }
            }
        }
        return false;
    }

    public boolean runs(long pid, Use use) {
        return running(pid).stream().anyMatch(container -> use(container) == use);
    }

    /** Whether a container of that prober runs whose command names {@code program}. */
    public boolean runs(long pid, String program) {
        return running(pid).stream().anyMatch(container -> String.valueOf(container.getCommand()).contains(program));
    }

    private List<Container> running(long pid) {
        return engine.client().listContainersCmd().withLabelFilter(List.of(RunOwner.RUN_LABEL)).exec().stream()
                .filter(container -> owns(pid, container.getLabels())).toList();
    }

    private static Use use(Container container) {
        if (List.of(container.getNames()).toString().contains("-gateway")) {
            return Use.GATEWAY;
        }
        boolean online = container.getNetworkSettings() != null
                && container.getNetworkSettings().getNetworks().keySet().stream().anyMatch(name -> name.startsWith("mcp-prober-"));
        boolean own = String.valueOf(container.getCommand()).contains("/gateway/");
        return own ? null : online ? Use.INSTALL : Use.PROBE;
    }

    private static boolean owns(long pid, Map<String, String> labels) {
        return Optional.ofNullable(labels.get(RunOwner.OWNER_LABEL)).flatMap(RunOwner::parse).filter(owner -> owner.pid() == pid).isPresent();
    }

    /** Images of installs of local packages, by the digest of their files: also those that a killed prober did not come to record. */
    public List<String> imagesOf(String digest) {
        return engine.client().listImagesCmd().withFilter("label", List.of("dev.mcpprober.install.digest=" + digest)).exec().stream().map(Image::getId).toList();
    }

    /** Every path below {@code folder} of an image, relative to it. */
    public List<String> paths(String image, String folder) throws EngineException {
        List<String> paths = new ArrayList<>();
        try (Sandbox sandbox = engine.open(image)) {
            engine.walk(sandbox, folder, (entry, content) -> paths.add(entry.path()));
        }
        return paths;
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

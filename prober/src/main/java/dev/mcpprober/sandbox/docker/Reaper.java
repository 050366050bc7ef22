package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.Network;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.ImageEngine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Removes the containers and networks of runs, by the label {@code dev.mcpprober.run} and nothing else, and images that belong to a
 * process that is gone. Other images are kept: they carry neither label.
 */
public final class Reaper {
    private final DockerClient client;

    Reaper(DockerClient client) {
        this.client = client;
    }

    /** Removes all that one run has created. */
    public Reaped reapRun(String runId) throws EngineException {
        return reap(labels -> runId.equals(labels.get(RunOwner.RUN_LABEL)));
    }

    /** Removes what killed probers left: their process ran on this machine and is gone. Live runs, and other machines' runs, are left alone. */
    public Reaped reapStale() throws EngineException {
        RunOwner here = ownerOf(client);
        Predicate<Map<String, String>> gone = labels -> Optional.ofNullable(labels.get(RunOwner.OWNER_LABEL)).flatMap(RunOwner::parse)
                .filter(owner -> owner.isGone(here, id -> running(client, id).orElse(false))).isPresent();
        Reaped reaped = reap(gone);
        List<String> failures = new ArrayList<>(reaped.failures());
        for (ImageEngine.Labelled image : imagesWith(RunOwner.OWNER_LABEL)) {
            if (gone.test(image.labels())) {
                done(failures, () -> removeImage(client, image.id()));
            }
        }
        return new Reaped(reaped.containers(), reaped.networks(), failures);
    }

    /** This process, as whatever it creates on this engine is labelled. */
    static RunOwner ownerOf(DockerClient client) {
        return RunOwner.thisProcess(id -> running(client, id).isPresent());
    }

    /** Whether a container runs; empty where there is none of this id. Of one that cannot be asked about nothing is to be removed. */
    private static Optional<Boolean> running(DockerClient client, String id) {
        try {
            return Optional.of(Boolean.TRUE.equals(client.inspectContainerCmd(id).exec().getState().getRunning()));
        } catch (NotFoundException e) {
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(true);
        }
    }

    List<ImageEngine.Labelled> imagesWith(String label) throws EngineException {
        return EngineCalls.call("list images", () -> client.listImagesCmd().withShowAll(true).withLabelFilter(label).exec()).stream()
                .map(image -> new ImageEngine.Labelled(image.getId(), image.getLabels() == null ? Map.of() : image.getLabels(),
                        Instant.ofEpochSecond(image.getCreated() == null ? 0 : image.getCreated())))
                .sorted(Comparator.comparing(ImageEngine.Labelled::created)).toList();
    }

    /** Fine when it is gone. It alone: an engine left to itself removes with it what it was made of, where that has lost its name, though others use it. */
    static void removeImage(DockerClient client, String image) throws EngineException {
        try {
            EngineCalls.whole("remove image", () -> client.removeImageCmd(image).withNoPrune(true).exec());
        } catch (EngineException e) {
            if (!(e.getCause() instanceof NotFoundException)) {
                throw e;
            }
        }
    }

    private Reaped reap(Predicate<Map<String, String>> chosen) throws EngineException {
        List<String> failures = new ArrayList<>();
        int containers = 0;
        List<Container> ours = EngineCalls.call("list containers", () -> client.listContainersCmd().withShowAll(true)
                .withLabelFilter(List.of(RunOwner.RUN_LABEL)).exec());
        for (Container container : ours) {
            if (chosen.test(container.getLabels()) && done(failures, () -> removeContainer(client, container.getId()))) {
                containers++;
            }
        }
        int networks = 0;
        List<Network> nets = EngineCalls.call("list networks", () -> client.listNetworksCmd()
                .withFilter("label", List.of(RunOwner.RUN_LABEL)).exec());
        for (Network network : nets) {
            if (chosen.test(network.getLabels()) && done(failures, () -> removeNetwork(network.getId()))) {
                networks++;
            }
        }
        return new Reaped(containers, networks, failures);
    }

    private static boolean done(List<String> failures, Removal removal) {
        try {
            removal.run();
            return true;
        } catch (EngineException e) {
            failures.add(e.getMessage());
            return false;
        }
    }

    /** Kills it where it runs. Fine when it is gone, or another removal of it is under way. */
    static void removeContainer(DockerClient client, String id) throws EngineException {
        try {
            EngineCalls.whole("remove", () -> client.removeContainerCmd(id).withForce(true).withRemoveVolumes(true).exec());
        } catch (EngineException e) {
            if (!(e.getCause() instanceof NotFoundException) && !isBeingRemoved(e.getCause())) {
                throw e;
            }
        }
    }

    private static boolean isBeingRemoved(Throwable cause) {
        return cause instanceof ConflictException conflict && EngineCalls.message(conflict).contains("already in progress");
    }

    private void removeNetwork(String id) throws EngineException {
        try {
            EngineCalls.whole("remove network", () -> client.removeNetworkCmd(id).exec());
        } catch (EngineException e) {
            if (!(e.getCause() instanceof NotFoundException)) {
                throw e;
            }
        }
    }

    private interface Removal {
        void run() throws EngineException;
    }

    /** What was removed, and what could not be. */
    public record Reaped(int containers, int networks, List<String> failures) {
        public Reaped {
            failures = List.copyOf(failures);
        }
    }
}

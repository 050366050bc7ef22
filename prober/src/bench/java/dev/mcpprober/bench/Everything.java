package dev.mcpprober.bench;

import dev.mcpprober.census.Installation;
import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.install.InstallLimits;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.install.InstallRequest;
import dev.mcpprober.install.Installer;
import dev.mcpprober.model.Fault;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Target;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.docker.DockerEngine;
import dev.mcpprober.sandbox.docker.ImageStore;
import dev.mcpprober.sandbox.docker.RegistryGateway;
import dev.mcpprober.sandbox.docker.RegistryHosts;
import dev.mcpprober.session.ProbeSubject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The server that everything is measured on, installed as the prober installs it. */
record Everything(InstallRecord.Program program, ProbeSubject subject, Installation installation, FrameEntry entry) {
    static final String PACKAGE = "npm:@modelcontextprotocol/server-everything";

    static Everything install(DockerEngine engine, ImageStore images, String runId, Path cache) throws EngineException, IOException, InterruptedException {
        Target target = new Target.InRegistry(PackageUrl.parse(PACKAGE));
        InstallRecord record;
        try (RegistryGateway gateway = RegistryGateway.start(images, RegistryHosts.resolve(images), runId)) {
            record = new Installer(engine, images, gateway, InstallLimits.standard(), cache, "mcp-prober bench", Redactor.NONE)
                    .install(new InstallRequest(target, List.of(), Optional.empty()));
        }
        if (record.program().isEmpty()) {
            throw new EngineException(new Fault.ProberDefect(PACKAGE + " could not be installed: " + record.outcome().kind() + " " + record.outcome().detail()));
        }
        InstallRecord.Program program = record.program().get();
        List<String> argv = program.entry().argv();
        SandboxSpec spec = new SandboxSpec(program.image(), argv, Map.of(), program.workdir(), SandboxPolicy.probe(), Map.of());
        return new Everything(program, new ProbeSubject(record.artefact().purl(), record.artefact().digest(), program.image(), spec, false),
                new Installation("installed", true, record.artefact().purl(), record.artefact().digest(), program.image(), argv, program.workdir(), new byte[0]),
                new FrameEntry(1, PACKAGE, target, List.of(), Map.of(), ""));
    }

    /** {@code docker run} with the limits that the prober puts on the same container. */
    List<String> dockerRun() {
        SandboxPolicy policy = subject.spec().policy();
        List<String> command = new ArrayList<>(List.of("docker", "run", "-i", "--rm", "--pull", "never", "--network", policy.network(), "--read-only",
                "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--init", "--user", policy.user(), "--pids-limit", "" + policy.pids(),
                "--memory", "" + policy.memoryBytes(), "--memory-swap", "" + policy.memoryBytes(), "--cpus", "" + policy.cpus(), "--log-driver", "none",
                "--shm-size", "16m", "--ulimit", "core=0:0", "--workdir", program.workdir()));
        policy.tmpfs().forEach((mount, options) -> command.addAll(List.of("--tmpfs", mount + ":" + options)));
        command.addAll(List.of("--entrypoint", program.entry().argv().get(0), program.image()));
        command.addAll(program.entry().argv().subList(1, program.entry().argv().size()));
        return command;
    }

    /**
     * The same server with the same Node.js outside of any sandbox, copied from the image into {@code folder}.
     *
     * @return the command, which is to be run in {@code folder}
     */
    List<String> onHost(Path folder) throws IOException, InterruptedException {
        String container = Commands.output("docker", "create", "--entrypoint", "/never-started", program.image());
        try {
            for (String path : List.of("/usr/local/bin/node", "/srv/app")) {
                Commands.output("docker", "cp", "--quiet", container + ":" + path, folder.toString());
            }
        } finally {
            Commands.output("docker", "rm", "--force", container);
        }
        List<String> command = new ArrayList<>();
        for (String word : program.entry().argv()) {
            command.add(word.equals("node") || word.endsWith("/bin/node") ? folder.resolve("node").toString()
                    : word.replaceFirst("^/srv/app(?=/)", folder.resolve("app").toString()));
        }
        return command;
    }
}

package dev.mcpprober.session;

import dev.mcpprober.sandbox.SandboxSpec;

/**
 * One target ready to be probed.
 *
 * @param target         package URL or label, for the transcript's header
 * @param artefactDigest what the work key names the target by: integrity of the artefact and the way it is started
 * @param imageDigest    image id, empty for a command on this host
 * @param spec           how to start it
 * @param onHost         outside any sandbox
 * @param harmlessOnly   tools that may have effects are not called with valid arguments
 */
public record ProbeSubject(String target, String artefactDigest, String imageDigest, SandboxSpec spec, boolean onHost, boolean harmlessOnly) {
    /** On this host, where a call that works acts on the real world, only harmless tools are called with valid arguments. */
    public ProbeSubject(String target, String artefactDigest, String imageDigest, SandboxSpec spec, boolean onHost) {
        this(target, artefactDigest, imageDigest, spec, onHost, onHost);
    }
}

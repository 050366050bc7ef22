package dev.mcpprober.install;

import dev.mcpprober.attribution.SdkAttribution;
import dev.mcpprober.io.Digests;
import dev.mcpprober.model.Registry;
import dev.mcpprober.redaction.Redaction;
import dev.mcpprober.redaction.Redactor;
import java.util.List;
import java.util.Optional;

/**
 * Everything that is kept of one install: what {@code installs/<target>.json} holds. Texts of the package and its tools are raw:
 * hostile, to be escaped where they are printed.
 *
 * @param seconds from the request to the finished image
 * @param logTail end of what the package's tools said
 */
public record InstallRecord(Artefact artefact, InstallOutcome outcome, Optional<Program> program, Scripts scripts, Lock lock, List<String> tree,
                            Traffic traffic, double seconds, String logTail) {
    public InstallRecord {
        tree = List.copyOf(tree);
        seconds = Math.round(seconds * 1000) / 1000.0;
    }

    /**
     * What was installed.
     *
     * @param target   as asked for
     * @param registry whose rules applied: npm or PyPI; local for a path that is no package
     * @param purl     with the version that was resolved; empty for a local package
     * @param digest   {@code sha512-…} as npm writes it, {@code sha256:…} of a wheel or source archive, or of local files; empty when it
     *                 did not come so far
     * @param asOf     ISO date or moment, empty for now
     */
    public record Artefact(String target, Registry registry, String purl, String name, String version, String digest, String asOf) {}

    /**
     * What can be run.
     *
     * @param image     id, {@code sha256:…}
     * @param entry     with the request's arguments appended
     * @param workdir   where to run it
     * @param baseName  e.g. {@code node:22}
     * @param reused    it was there from an earlier install of the same
     * @param caveat    what to call it if it does not start: scripts of its dependencies failed to run here, so that what is missing
     *                  may be our doing; empty when nothing was left out
     */
    public record Program(String image, EntryPoint entry, String workdir, SdkAttribution sdk, String baseName, String baseImage, String baseOrigin,
                          String installer, boolean reused, Optional<InstallOutcome> caveat) {
        Program redacted(Redaction redaction) {
            SdkAttribution told = new SdkAttribution(sdk.family(), sdk.version(), sdk.style(), sdk.base(), redaction.text(sdk.evidence()));
            return new Program(image, entry, workdir, told, baseName, baseImage, baseOrigin, installer, reused, caveat.map(what -> what.redacted(redaction)));
        }
    }

    /**
     * Install scripts.
     *
     * @param packages       {@code name@version} of what has any
     * @param failed         package whose script failed; empty for none
     * @param withoutScripts outcome of the second try, without scripts; empty when there was none
     */
    public record Scripts(List<String> packages, String failed, String withoutScripts) {
        static final Scripts NONE = new Scripts(List.of(), "", "");

        public Scripts {
            packages = List.copyOf(packages);
        }
    }

    /** @param name file name of the lockfile, empty for none; {@code text} is empty where it is too long to keep */
    public record Lock(String name, String sha256, String text) {
        static final Lock NONE = new Lock("", "", "");
        private static final int MAX_TEXT = 2 << 20;

        static Lock of(String name, String text) {
            return new Lock(name, Digests.sha256(text), text.length() > MAX_TEXT ? "" : text);
        }
    }

    /**
     * What the gateway served.
     *
     * @param files        each file once, in order
     * @param documents    requests for lists of versions
     * @param blockedHosts hosts that something tried to reach
     * @param refused      other requests that the gateway does not serve
     * @param complete     false where not all of it is known
     */
    public record Traffic(List<Served> files, int documents, List<String> blockedHosts, List<String> refused, boolean complete) {
        static final Traffic NONE = new Traffic(List.of(), 0, List.of(), List.of(), true);

        public Traffic {
            files = List.copyOf(files);
            blockedHosts = List.copyOf(blockedHosts);
            refused = List.copyOf(refused);
        }
    }

    /** @param integrity as the lockfile gives it, empty where it does not */
    public record Served(String name, String version, String file, String integrity, int status, long bytes) {}

    /** The same without what {@code redactor} finds in texts that the package or its tools wrote; what is run and what it depends on stays. */
    public InstallRecord redacted(Redactor redactor) {
        Redaction redaction = redactor.open();
        return new InstallRecord(artefact, outcome.redacted(redaction), program.map(p -> p.redacted(redaction)), scripts, lock, tree, traffic, seconds,
                redaction.tail(logTail));
    }

    /** As it may be published: what is run and the version, too, without secrets. */
    public InstallRecord published(Redactor redactor) {
        Redaction redaction = redactor.open();
        InstallRecord record = redacted(redactor);
        Artefact told = new Artefact(artefact.target, artefact.registry, redaction.text(artefact.purl), artefact.name, redaction.text(artefact.version), artefact.digest, artefact.asOf);
        return new InstallRecord(told, record.outcome, record.program.map(p -> new Program(p.image, p.entry.redacted(redaction), p.workdir, p.sdk, p.baseName, p.baseImage,
                p.baseOrigin, p.installer, p.reused, p.caveat)), record.scripts, record.lock, record.tree, record.traffic, record.seconds, record.logTail);
    }

    public boolean usable() {
        return program.isPresent();
    }

    /** SHA-256 of the dependency tree, the same for equal sets of {@code name@version}. */
    public String treeDigest() {
        return digestOf(tree);
    }

    static String digestOf(List<String> tree) {
        return "sha256:" + Digests.sha256(String.join("\n", tree));
    }

    /** The attribution; unknown when nothing was installed. */
    public SdkAttribution sdk() {
        return program.map(Program::sdk).orElseGet(() -> SdkAttribution.unknown("not installed"));
    }
}

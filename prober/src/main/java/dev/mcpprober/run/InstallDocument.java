package dev.mcpprober.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code installs/<target>.json}: what an install came to. {@code detail}, {@code entryPointReason}, {@code logTail} and the texts of
 * {@code sdk} and {@code served} quote packages and registries: raw, whoever prints them escapes them.
 *
 * @param target         id of the frame entry
 * @param outcome        of the closed set of install outcomes
 * @param detail         the particulars, e.g. the host that was blocked
 * @param purl           package URL with the installed version; empty for a local package, or where none was found
 * @param version        installed version, empty where none is known
 * @param integrity      of the artefact as the registry gives it, or a digest of the local files
 * @param image          id of the committed image, empty where there is nothing to run
 * @param base           image that it was installed on, e.g. {@code node:22}
 * @param entryPoint     program and arguments, those of the frame included
 * @param millis         how long it took
 * @param lockDigest     SHA-256 of the lockfile, empty where there is none
 * @param treeDigest     SHA-256 of the dependency tree
 * @param scriptsSkipped the install scripts failed and the package was installed without them
 */
public record InstallDocument(int formatVersion, String target, String outcome, String detail, String purl, String version, String integrity,
                              String image, String base, List<String> entryPoint, String entryPointReason, String workdir, long millis,
                              String lockDigest, String treeDigest, boolean scriptsSkipped, Sdk sdk, List<Served> served, String logTail) {
    public static final int FORMAT_VERSION = 1;

    public InstallDocument {
        entryPoint = List.copyOf(entryPoint);
        served = List.copyOf(served);
    }

    /** {@code family} is an id of {@link dev.mcpprober.model.SdkFamily}; null where nothing was installed. */
    public record Sdk(String family, String version, String style, String base, String evidence) {}

    /** A file that the gateway served. */
    public record Served(String registry, String name, String version, String file, int status, long bytes) {}

    public byte[] toBytes() {
        try {
            return (Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record can be written", e);
        }
    }

    /** @throws IOException naming the file, when it is no such document */
    public static InstallDocument read(Path file) throws IOException {
        try {
            return of(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    public static InstallDocument of(byte[] bytes) throws IOException {
        InstallDocument document = Json.mapper().readValue(bytes, InstallDocument.class);
        if (document.formatVersion() != FORMAT_VERSION) {
            throw new IOException("install document of format version " + document.formatVersion() + ", this program reads version " + FORMAT_VERSION);
        }
        return document;
    }
}

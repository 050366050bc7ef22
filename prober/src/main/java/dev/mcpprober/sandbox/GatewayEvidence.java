package dev.mcpprober.sandbox;

import dev.mcpprober.model.Registry;
import java.time.Instant;
import java.util.List;

/**
 * What the gateway's log says of one install. Paths and names come from the install: hostile text.
 *
 * @param served       requests for packages, in order, whatever the registry answered
 * @param blockedHosts hosts that something tried to reach or to look up, sorted, each once
 * @param refused      other requests to the gateway that it does not serve ({@code METHOD path}), each once
 * @param complete     false where the log was longer than is read, or was rotated away
 */
public record GatewayEvidence(List<Served> served, List<String> blockedHosts, List<String> refused, boolean complete) {
    public GatewayEvidence {
        served = List.copyOf(served);
        blockedHosts = List.copyOf(blockedHosts);
        refused = List.copyOf(refused);
    }

    /**
     * True when the registry failed, rather than said no: an answer of 5xx, 429, or none. What the gateway itself refuses because an
     * install asks too much at a time is no failure of the registry.
     */
    public boolean registryFailed() {
        return served.stream().anyMatch(s -> (s.status() >= 500 || s.status() == 429) && !(s.cached() && (s.status() == 429 || s.status() == 503)));
    }

    /** What a request was for. */
    public enum Kind {
        /** A package's list of versions. */
        DOCUMENT,
        /** A tarball, sdist, wheel or a wheel's metadata. */
        FILE
    }

    /**
     * One request.
     *
     * @param name    package as npm writes it; for PyPI as in the address or file name
     * @param version empty for a document, or where the file name does not tell
     * @param file    file name, empty for a document
     * @param status  HTTP status that the install saw
     * @param bytes   of the body
     * @param cached  answered without asking the registry
     */
    public record Served(Instant time, Registry registry, Kind kind, String name, String version, String file, int status, long bytes,
                         boolean cached) {}
}

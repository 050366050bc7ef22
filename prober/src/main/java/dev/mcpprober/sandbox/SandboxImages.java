package dev.mcpprober.sandbox;

/** The images that sandboxes start from. Safe for use by many threads. */
public interface SandboxImages {
    /**
     * Makes sure that an image is there, building it where it is not.
     *
     * @param name {@code node:22}, {@code node:24}, {@code node:20}, {@code python:3.13}, {@code python:3.11} or {@code gateway}
     */
    SandboxImage require(String name) throws EngineException;

    /** Where a base came from. */
    enum BaseOrigin {
        /** The official slim image, pulled by digest. */
        OFFICIAL,
        /** Made from Debian packages by images/bootstrap. */
        BOOTSTRAPPED
    }

    /**
     * An image that is there.
     *
     * @param tag    content-addressed, e.g. {@code mcp-prober/node:22-0123456789ab}
     * @param id     {@code sha256:…}
     * @param baseId id of the image that it was built on
     */
    record SandboxImage(String name, String tag, String id, BaseOrigin origin, String baseId) {}
}

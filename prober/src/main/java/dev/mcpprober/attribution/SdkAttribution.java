package dev.mcpprober.attribution;

import dev.mcpprober.model.SdkFamily;

/**
 * Which SDK a server is built on, as its installed tree shows.
 *
 * @param version  exact installed version of the package that gave the family; empty where it is not known exactly (a
 *                 fingerprint gives a range, which stands in the evidence)
 * @param style    how the SDK is used: {@code high}, {@code low} or {@code mixed}; for the official TypeScript SDK v2 followed by
 *                 {@code +serveStdio} or {@code +transport} (with the latter there is no modern era); empty where not told
 * @param base     {@code family@version} of what a framework or wrapper stands on, empty for none or unknown
 * @param evidence what decided, for a reader; quotes file and package names of the package under test, so it is hostile text
 */
public record SdkAttribution(SdkFamily family, String version, String style, String base, String evidence) {
    public static SdkAttribution unknown(String evidence) {
        return new SdkAttribution(SdkFamily.UNKNOWN, "", "", "", evidence);
    }

    /** {@code family@version}, or the family alone. */
    public String label() {
        return version.isEmpty() ? family.id() : family.id() + "@" + version;
    }
}

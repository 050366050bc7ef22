package dev.mcpprober.model;

/** The SDK that a server is built on, as the installed tree shows it ({@code sdk-families.md}, detection rules). */
public enum SdkFamily {
    OFFICIAL_TS("official-ts"),
    OFFICIAL_TS_V2("official-ts-v2"),
    OFFICIAL_PY("official-py"),
    OFFICIAL_PY_V2("official-py-v2"),
    OFFICIAL_GO("official-go"),
    OFFICIAL_CSHARP("official-csharp"),
    OFFICIAL_RUST("official-rust"),
    FASTMCP_PY("fastmcp-py"),
    FASTMCP_TS("fastmcp-ts"),
    MCP_FRAMEWORK("mcp-framework"),
    XMCP("xmcp"),
    TMCP("tmcp"),
    LITEMCP("litemcp"),
    MCP_GO("mcp-go"),
    /** Another package that speaks the protocol on top of one of the above; named in the evidence. */
    WRAPPER("wrapper"),
    /** Forwards to a server elsewhere; the behaviour is the remote's. */
    PROXY("proxy"),
    /** Own protocol code, positively shown: sources read and no SDK found. */
    HAND_ROLLED("hand-rolled"),
    /** Bundled, native or unreadable without a fingerprint that decides. */
    UNKNOWN("unknown");

    private final String id;

    SdkFamily(String id) {
        this.id = id;
    }

    public String id() {
        return id;
    }

    /** @throws IllegalArgumentException when {@code id} names no family */
    public static SdkFamily of(String id) {
        for (SdkFamily family : values()) {
            if (family.id.equals(id)) {
                return family;
            }
        }
        throw new IllegalArgumentException("no such SDK family: " + id);
    }
}

package dev.mcpprober.attribution;

import dev.mcpprober.model.SdkFamily;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which SDK is linked into a native program: Go's build information, Rust's panic paths, .NET's dependency list. */
final class NativePrint {
    private static final int WINDOW = 1 << 20;
    /** Longest text that may be cut by a window's end. */
    private static final int OVERLAP = 512;
    private static final long MAX_SCANNED = 400L << 20;
    private static final Pattern GO_OFFICIAL = Pattern.compile("dep\tgithub\\.com/modelcontextprotocol/go-sdk\tv([0-9][0-9A-Za-z.+-]{0,60})");
    private static final Pattern GO_MARK3LABS = Pattern.compile("dep\tgithub\\.com/mark3labs/mcp-go\tv([0-9][0-9A-Za-z.+-]{0,60})");
    private static final Pattern RUST = Pattern.compile("rmcp-([0-9]+\\.[0-9]+\\.[0-9]+(?:-[0-9A-Za-z.]{1,20})?)[/\\\\]src[/\\\\]");
    private static final Pattern RUST_OTHER = Pattern.compile("(rust-mcp-sdk|pmcp)-([0-9]+\\.[0-9]+\\.[0-9]+)[/\\\\]src[/\\\\]");
    private static final Pattern CSHARP = Pattern.compile("\"ModelContextProtocol(?:\\.Core)?/([0-9][0-9A-Za-z.+-]{0,40})\"");
    private static final Pattern CSHARP_ASSEMBLY = Pattern.compile("ModelContextProtocol\\.Core, Version=([0-9]+\\.[0-9]+)");

    private NativePrint() {}

    /** True for ELF, Mach-O and PE programs. */
    static boolean isProgram(InstalledTree tree, String path) throws IOException {
        byte[] head = tree.head(path, 4);
        if (head.length < 4) {
            return false;
        }
        int magic = (head[0] & 0xff) << 24 | (head[1] & 0xff) << 16 | (head[2] & 0xff) << 8 | head[3] & 0xff;
        return magic == 0x7f454c46 || magic == 0xfeedface || magic == 0xfeedfacf || magic == 0xcefaedfe || magic == 0xcffaedfe
                || magic == 0xcafebabe || (magic >>> 16) == 0x4d5a;
    }

    /** Reads a program (or a .NET dependency list) through; empty when no mark decides. */
    static Optional<SdkAttribution> decide(InstalledTree tree, String path, String shown) throws IOException {
        Marks marks = new Marks();
        StringBuilder window = new StringBuilder();
        tree.stream(path, MAX_SCANNED, (bytes, length) -> {
            window.append(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
            if (window.length() >= WINDOW) {
                marks.look(window.toString());
                window.delete(0, window.length() - OVERLAP);
            }
        });
        marks.look(window.toString());
        return marks.decide(shown);
    }

    private static final class Marks {
        private final List<String> goOfficial = new ArrayList<>();
        private final List<String> goMark3labs = new ArrayList<>();
        private final List<String> rust = new ArrayList<>();
        private final List<String> rustOther = new ArrayList<>();
        private final List<String> csharp = new ArrayList<>();
        private final List<String> csharpAssembly = new ArrayList<>();

        void look(String text) {
            if (text.contains("github.com/m")) {
                find(GO_OFFICIAL, text, goOfficial);
                find(GO_MARK3LABS, text, goMark3labs);
            }
            if (text.contains("mcp-")) {
                find(RUST, text, rust);
                Matcher other = RUST_OTHER.matcher(text);
                if (other.find()) {
                    rustOther.add(other.group(1) + " " + other.group(2));
                }
            }
            if (text.contains("ModelContextProtocol")) {
                find(CSHARP, text, csharp);
                find(CSHARP_ASSEMBLY, text, csharpAssembly);
            }
        }

        private static void find(Pattern pattern, String text, List<String> found) {
            Matcher matcher = pattern.matcher(text);
            if (matcher.find() && !found.contains(matcher.group(1))) {
                found.add(matcher.group(1));
            }
        }

        Optional<SdkAttribution> decide(String shown) {
            if (!goOfficial.isEmpty() && !goMark3labs.isEmpty()) {
                return Optional.of(SdkAttribution.unknown("native " + shown + ": Go build information names go-sdk " + goOfficial + " and mcp-go " + goMark3labs));
            }
            return first(goOfficial, SdkFamily.OFFICIAL_GO, "native " + shown + ": Go build information names github.com/modelcontextprotocol/go-sdk")
                    .or(() -> first(goMark3labs, SdkFamily.MCP_GO, "native " + shown + ": Go build information names github.com/mark3labs/mcp-go"))
                    .or(() -> first(rust, SdkFamily.OFFICIAL_RUST, "native " + shown + ": source paths of the crate rmcp"))
                    .or(() -> first(csharp, SdkFamily.OFFICIAL_CSHARP, "native " + shown + ": .NET dependency list names ModelContextProtocol"))
                    .or(() -> csharpAssembly.isEmpty() ? Optional.empty() : Optional.of(new SdkAttribution(SdkFamily.OFFICIAL_CSHARP, "", "", "",
                            "native " + shown + ": names the assembly ModelContextProtocol.Core " + csharpAssembly.get(0))))
                    .or(() -> rustOther.isEmpty() ? Optional.empty()
                            : Optional.of(SdkAttribution.unknown("native " + shown + ": source paths of the crate " + rustOther.get(0))));
        }

        private static Optional<SdkAttribution> first(List<String> versions, SdkFamily family, String evidence) {
            if (versions.isEmpty()) {
                return Optional.empty();
            }
            boolean exact = versions.size() == 1;
            return Optional.of(new SdkAttribution(family, exact ? versions.get(0) : "", "", "", exact ? evidence : evidence + " in several versions " + versions));
        }
    }
}

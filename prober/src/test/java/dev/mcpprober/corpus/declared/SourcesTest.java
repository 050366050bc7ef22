package dev.mcpprober.corpus.declared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.FrameException;
import dev.mcpprober.corpus.FrameReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SourcesTest {
    @TempDir Path folder;

    private Declarations.Result read(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, content);
        Declarations declarations = new Declarations();
        Sources.read(file, declarations);
        return declarations.result();
    }

    private static String server(String name, String version, String status, boolean latest, String packages) {
        return "{\"server\":{\"name\":\"" + name + "\",\"version\":\"" + version + "\",\"packages\":[" + packages + "]},"
                + "\"_meta\":{\"io.modelcontextprotocol.registry/official\":{\"status\":\"" + status + "\",\"isLatest\":" + latest
                + ",\"updatedAt\":\"2026-01-0" + (latest ? 2 : 1) + "T00:00:00Z\"}}}";
    }

    private static String npm(String name, String more) {
        return "{\"registryType\":\"npm\",\"identifier\":\"" + name + "\",\"version\":\"1.0.0\",\"transport\":{\"type\":\"stdio\"}" + more + "}";
    }

    private static Map<String, String> reasons(Declarations.Result result) {
        return result.dropped().stream().collect(Collectors.toMap(Declaration::name, d -> ((Outcome.Dropped) d.outcome()).reason().id()));
    }

    private static String target(Declarations.Result result) {
        assertEquals(1, result.targets().size(), result.toString());
        return result.targets().get(0).target().url().toString();
    }

    @Test
    void theLatestActiveVersionStandsForItsServer() throws IOException {
        Declarations.Result result = read("a.json", "{\"servers\":[" + String.join(",",
                server("x/one", "1.0.0", "active", false, npm("one-old", "")),
                server("x/one", "2.0.0", "active", true, npm("one-new", "")),
                server("x/one", "3.0.0", "deleted", false, npm("one-deleted", ""))) + "],\"metadata\":{\"nextCursor\":\"c\"}}");
        assertEquals("npm:one-new@1.0.0", target(result));
        assertEquals(2, result.superseded().size());
        assertEquals(1, result.servers());
    }

    @Test
    void withoutAMarkTheDatesDecideAndWithoutDatesTheVersionNumbers() throws IOException {
        String bare = "{\"name\":\"x/one\",\"version\":\"%s\",\"packages\":[%s]}";
        Declarations.Result result = read("a.jsonl", String.format(bare, "1.10.0", npm("ten", "")) + "\n" + String.format(bare, "1.9.0", npm("nine", ""))
                + "\n" + String.format(bare, "1.10.0-rc.1", npm("candidate", "")) + "\n");
        assertEquals("npm:ten@1.0.0", target(result));
    }

    @Test
    void aServerWithoutAnActiveVersionIsLeftOut() throws IOException {
        assertEquals(Map.of("x/one", "not-active"), reasons(read("a.jsonl", server("x/one", "1", "deprecated", true, npm("one", "")))));
    }

    @Test
    void whatIsLeftOutHasItsReason() throws IOException {
        String required = ",\"environmentVariables\":[{\"name\":\"TOKEN\",\"isRequired\":true,\"isSecret\":%s}]";
        Declarations.Result result = read("a.jsonl", String.join("\n",
                "{\"name\":\"a/remote\",\"version\":\"1\",\"remotes\":[{\"type\":\"sse\",\"url\":\"u\"}]}",
                server("b/oci", "1", "active", true, "{\"registryType\":\"oci\",\"identifier\":\"i\",\"transport\":{\"type\":\"stdio\"}}"),
                server("c/http", "1", "active", true, "{\"registryType\":\"npm\",\"identifier\":\"h\",\"transport\":{\"type\":\"streamable-http\"}}"),
                server("d/bad", "1", "active", true, npm("../../etc", "")),
                server("e/secret", "1", "active", true, npm("secret", String.format(required, "true"))),
                server("f/variable", "1", "active", true, npm("variable", String.format(required, "false"))),
                server("g/argument", "1", "active", true, npm("argument", ",\"packageArguments\":[{\"type\":\"positional\",\"valueHint\":\"root\",\"isRequired\":true}]")),
                server("h/snake", "1", "active", true,
                        "{\"registry_type\":\"pypi\",\"identifier\":\"snake\",\"environment_variables\":[{\"name\":\"K\",\"is_required\":true,\"is_secret\":true}]}")));
        assertEquals(Map.of("a/remote", "no-package", "b/oci", "other-registry", "c/http", "not-stdio", "d/bad", "bad-identifier", "e/secret", "needs-secret",
                "f/variable", "needs-variable", "g/argument", "needs-argument", "h/snake", "needs-secret"), reasons(result));
        assertEquals(0, result.targets().size());
    }

    @Test
    void ofSeveralPackagesTheFirstThatCanBeMeasuredIsTaken() throws IOException {
        Declarations.Result result = read("a.jsonl", server("x/one", "1", "active", true,
                "{\"registryType\":\"oci\",\"identifier\":\"i\"}," + npm("one", "")));
        assertEquals("npm:one@1.0.0", target(result));
    }

    @Test
    void defaultsBecomeArgumentsAndVariables() throws IOException {
        Declarations.Result result = read("a.jsonl", server("x/one", "1", "active", true, npm("one", ",\"packageArguments\":["
                + "{\"type\":\"named\",\"name\":\"--root\",\"value\":\"{dir}/data\",\"variables\":{\"dir\":{\"default\":\"/tmp\"}}},"
                + "{\"type\":\"named\",\"name\":\"--stdio\",\"isRequired\":true},"
                + "{\"type\":\"positional\",\"valueHint\":\"optional\"},"
                + "{\"type\":\"positional\",\"value\":\"serve\"}],"
                + "\"environmentVariables\":[{\"name\":\"REGION\",\"default\":\"eu\",\"isRequired\":true},{\"name\":\"OPTIONAL\"}]")));
        Outcome.Kept kept = result.targets().get(0).target();
        assertEquals(List.of("--root=/tmp/data", "--stdio", "serve"), kept.args());
        assertEquals(Map.of("REGION", "eu"), kept.env());
    }

    @Test
    void aVariableInAValueThatNobodyFillsInIsMissing() throws IOException {
        Declarations.Result result = read("a.jsonl", server("x/one", "1", "active", true, npm("one", ",\"packageArguments\":["
                + "{\"type\":\"named\",\"name\":\"--key\",\"isRequired\":true,\"value\":\"{key}\",\"variables\":{\"key\":{\"isRequired\":true,\"isSecret\":true}}}]")));
        assertEquals(Map.of("x/one", "needs-secret"), reasons(result));
    }

    @Test
    void onePackageUnderSeveralNamesIsOneTarget() throws IOException {
        Declarations.Result result = read("a.jsonl", server("x/one", "1", "active", true, npm("same", "")) + "\n" + server("y/two", "1", "active", true, npm("same", "")));
        assertEquals("npm:same@1.0.0", target(result));
        assertEquals(List.of("x/one", "y/two"), result.targets().get(0).names().stream().map(Declaration::name).toList());
        assertEquals(1, result.duplicates());
    }

    @Test
    void entriesThatCannotBeReadAreCountedAndNamed() throws IOException {
        Declarations.Result result = read("a.jsonl", "{not json\n[]\n{\"version\":\"1\"}\n\n" + server("x/one", "1", "active", true, npm("one", "")));
        assertEquals(List.of("a.jsonl line 1", "a.jsonl line 2", "a.jsonl line 3"), result.malformed().stream().map(Declarations.Malformed::place).toList());
        assertEquals(4, result.entries());
        assertEquals("npm:one@1.0.0", target(result));
    }

    @Test
    void theFunnelAddsUp() throws IOException {
        Declarations.Result result = read("a.json", "[" + String.join(",", server("x/one", "1", "active", true, npm("same", "")),
                server("x/one", "0", "active", false, npm("same", "")), server("y/two", "1", "active", true, npm("same", "")), "7",
                server("z/gone", "1", "deleted", true, npm("gone", ""))) + "]");
        long running = 0;
        for (ImportFiles.Stage stage : ImportFiles.funnel(result)) {
            if (stage.stage().equals("left-out")) {
                running -= stage.count();
            } else if (stage.stage().equals("declared")) {
                running = stage.count();
                assertEquals(5, running);
            } else {
                assertEquals(running, stage.count(), stage.toString());
            }
        }
        assertEquals(1, running);
    }

    @Test
    void aClientsSettingsNamePackages() throws IOException {
        Declarations.Result result = read("mcp.json", "{\"mcpServers\":{"
                + "\"npx\":{\"command\":\"npx\",\"args\":[\"-y\",\"@scope/one@latest\",\"/data\"],\"env\":{\"A\":\"b\"}},"
                + "\"uvx\":{\"command\":\"uvx\",\"args\":[\"--from\",\"pkg==2.0\",\"tool\",\"--x\"]},"
                + "\"windows\":{\"command\":\"cmd\",\"args\":[\"/c\",\"npx\",\"two\"]},"
                + "\"docker\":{\"command\":\"docker\",\"args\":[\"run\",\"i\"]},"
                + "\"url\":{\"url\":\"u\"},\"odd\":3}}");
        assertEquals(List.of("npm:@scope/one [/data]", "npm:two []", "pypi:pkg==2.0 [--x]"),
                result.targets().stream().map(t -> t.target().url() + " " + t.target().args()).toList());
        assertEquals(Map.of("docker", "other-registry", "url", "no-package"), reasons(result));
        assertEquals(1, result.malformed().size());
    }

    @Test
    void tablesAndListsNamePackages() throws IOException {
        assertEquals("pypi:b==2.0", target(read("a.csv", "server,registry,identifier,version,extra\ns/x,pypi,B,2.0,\"a,b\"\n")));
        assertEquals("npm:@s/a@1.0.0", target(read("a.txt", "# list\npkg:npm/%40s/a@1.0.0 # comment\n\n")));
        assertEquals("a.csv line 3", read("a.csv", "target\nnpm:a\nfoo\n").malformed().get(0).place());
    }

    @Test
    void aFileThatIsNoSourceIsNamed() {
        for (String[] bad : new String[][] {{"a.json", "{\"a\":1}"}, {"a.json", "{\"servers\":[{]}"}, {"a.json", "7"}, {"a.csv", "x,y\n1,2\n"}, {"a.yaml", ""}}) {
            FrameException e = assertThrows(FrameException.class, () -> read(bad[0], bad[1]), Arrays.toString(bad));
            assertTrue(e.getMessage().contains(bad[0]), e.getMessage());
        }
        for (String none : new String[] {"none.json", "none", "none.rpm"}) {
            assertTrue(assertThrows(FrameException.class, () -> Sources.read(folder.resolve(none), new Declarations())).getMessage().contains("no such file"), none);
        }
    }

    @Test
    void theFramesThatAnImportWritesCanBeReadAndHostileNamesStayInert() throws IOException {
        Declarations.Result result = read("a.jsonl", server("=cmd()\\u001b[31m", "1", "active", true,
                npm("one", ",\"packageArguments\":[{\"type\":\"positional\",\"value\":\"a \\\"b\\\",\\nc\"}]"))
                + "\n" + server("+x", "1", "deleted", true, ""));
        List<Path> files = ImportFiles.write(folder.resolve("out"), result, List.of());
        Frame frame = FrameReader.read(files.get(0));
        assertEquals(List.of(), frame.excluded());
        assertEquals(List.of("a \"b\",\nc"), frame.eligible().get(0).args());
        assertTrue(Files.readString(files.get(1)).contains("'=cmd()\\u001b[31m"));
        assertTrue(Files.readString(files.get(2)).contains("'+x"));
        byte[] first = Files.readAllBytes(files.get(1));
        ImportFiles.write(folder.resolve("out"), result, List.of());
        assertTrue(Arrays.equals(first, Files.readAllBytes(files.get(1))));
    }

    @Test
    void twentyThousandEntriesAreReadOneByOne() throws IOException {
        Path file = folder.resolve("big.json");
        String filler = "x".repeat(4000);
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.write("[");
            for (int i = 0; i < 20_000; i++) {
                out.write(i == 0 ? "" : ",\n");
                out.write(server("io.example/s" + i / 2, "1.0." + i % 2, "active", i % 2 == 1, npm("pkg-" + i % 7000, ",\"description\":\"" + filler + "\"")));
            }
            out.write("]");
        }
        Declarations declarations = new Declarations();
        Sources.read(file, declarations);
        Declarations.Result result = declarations.result();
        assertEquals(20_000, result.entries());
        assertEquals(10_000, result.superseded().size());
        assertEquals(10_000, result.targets().size() + result.duplicates());
    }

    private static List<String> malformed(Declarations.Result result) {
        return result.malformed().stream().map(m -> m.place() + ": " + m.reason()).toList();
    }

    @Test
    void anEntryBeyondAllLimitsCostsThatEntryAlone() throws IOException {
        String deep = "{\"name\":\"x/deep\",\"x\":" + "[".repeat(3000) + "]".repeat(3000) + "}";
        String digits = "{\"name\":\"x/digits\",\"x\":1" + "0".repeat(30_000) + "}";
        String many = "{\"name\":\"x/many\",\"x\":[" + "0,".repeat(600_000) + "0]}";
        String entries = String.join(",", deep, digits, many, server("x/good", "1.0.0", "active", true, npm("good", "")));
        for (String text : List.of("{\"servers\":[" + entries + "],\"metadata\":{}}", "[" + entries + "]")) {
            Declarations.Result result = read("limits.json", text);
            assertEquals("npm:good@1.0.0", target(result));
            List<String> named = malformed(result);
            assertEquals(3, named.size(), named.toString());
            assertTrue(named.get(0).startsWith("limits.json entry 1: nested") && named.get(1).startsWith("limits.json entry 2: Number")
                    && named.get(2).startsWith("limits.json entry 3: more than 500000 names"), named.toString());
        }
    }

    /** As {@code cat page-*.json} or a tool that prints pages leaves them. */
    @Test
    void pagesOneAfterAnotherInAFileAreAllRead() throws IOException {
        String pages = "{\"servers\":[" + server("x/one", "1.0.0", "active", true, npm("one", "")) + ",7],\"metadata\":{}}\n{\"servers\":[" + server("x/two", "1.0.0", "active", true, npm("two", ""))
                + ",7]}\n[" + server("x/three", "1.0.0", "active", true, npm("three", "")) + "]";
        Declarations.Result result = read("pages.json", pages);
        assertEquals(List.of("npm:one@1.0.0", "npm:three@1.0.0", "npm:two@1.0.0"), result.targets().stream().map(t -> t.target().url().toString()).toList());
        assertEquals(List.of("pages.json entry 2: not an object", "pages.json entry 4: not an object"), malformed(result));
        assertThrows(FrameException.class, () -> read("tail.json", "[] and so on"));
    }

    @Test
    void aLongNameOfAMemberCostsItsEntryAlone() throws IOException {
        String entries = "{\"name\":\"x/long\",\"" + "k".repeat(60_000) + "\":1}," + server("x/good", "1.0.0", "active", true, npm("good", ""));
        Declarations.Result result = read("names.json", "{\"" + "m".repeat(60_000) + "\":1,\"servers\":[" + entries + "]}");
        assertEquals("npm:good@1.0.0", target(result));
        assertTrue(malformed(result).get(0).startsWith("names.json entry 1: Name length"), malformed(result).toString());
    }

    @Test
    void theVersionThatIsSaidToStandIsTheOneThatDoes() throws IOException {
        Declarations.Result result = read("three.json", "[" + String.join(",", List.of("1.0.0", "3.0.0", "2.0.0", "4.0.0").stream()
                .map(version -> server("x/one", version, "active", false, npm("one", ""))).toList()) + "]");
        assertEquals(List.of("1.0.0 by 4.0.0", "2.0.0 by 4.0.0", "3.0.0 by 4.0.0"), result.superseded().stream().map(s -> s.version() + " by " + s.by()).sorted().toList());
    }

    /** The second of a name was the only one that was seen, and the first was counted nowhere. */
    @Test
    void settingsThatNameAServerTwiceAreTwoEntries() throws IOException {
        Declarations.Result result = read("mcp.json", "{\"mcpServers\":{\"a\":{\"command\":\"npx\",\"args\":[\"first\"]},\"a\":{\"command\":\"npx\",\"args\":[\"second\"]},"
                + "\"deep\":" + "[".repeat(3000) + "]".repeat(3000) + "}}");
        assertEquals(3, result.entries());
        assertEquals(1, result.superseded().size());
        assertEquals("npm:first", target(result));
        assertTrue(malformed(result).get(0).startsWith("mcp.json server deep: nested"), malformed(result).toString());
    }

    @Test
    void aVariableOfSettingsHasTheValueThatStandsThereOrNone() throws IOException {
        Declarations.Result result = read("mcp.json", "{\"mcpServers\":{\"a\":{\"command\":\"npx\",\"args\":[\"notes\"],\"env\":{\"PORT\":5,\"UNSET\":null,\"TEXT\":\"x\"}},"
                + "\"b\":{\"command\":\"npx\",\"args\":[\"other\"],\"env\":{\"MANY\":[\"x\"]}}}}");
        assertEquals(Map.of("PORT", "5", "TEXT", "x"), result.targets().get(0).target().env());
        assertEquals(List.of("mcp.json server b: env: holds what no variable can be"), malformed(result));
    }

    @Test
    void argumentsAreToldApartAsAFrameTellsThem() throws IOException {
        Declarations.Result result = read("mcp.json", "{\"mcpServers\":{\"a\":{\"command\":\"npx\",\"args\":[\"notes\",\"x, y\"]},\"b\":{\"command\":\"npx\",\"args\":[\"notes\",\"x\",\"y\"]}}}");
        assertEquals(2, result.targets().size(), result.targets().toString());
        assertEquals(0, result.duplicates());
    }

    @Test
    void aFileOfBracketsIsRefusedAndNotADefect() throws IOException {
        FrameException e = assertThrows(FrameException.class, () -> read("deep.json", "{\"servers\":[" + "[".repeat(200_000)));
        assertTrue(e.getMessage().contains("deep.json") && e.getMessage().contains("not JSON"), e.getMessage());
    }

    @Test
    void aLongLineCostsThatLineAlone() throws IOException {
        Declarations.Result result = read("long.jsonl", "{\"name\":\"" + "x".repeat(17 << 20) + "\"}\n" + server("x/good", "1.0.0", "active", true, npm("good", "")) + "\n");
        assertEquals("npm:good@1.0.0", target(result));
        assertEquals(List.of("long.jsonl line 1: longer than 16 MiB"), malformed(result));
    }

    @Test
    void rowsThatAreNoCsvCostThoseRowsAlone() throws IOException {
        Declarations.Result result = read("rows.csv", "\uFEFF\"target\",server\r\nnpm:one@1.0.0,\"a, \"\"quoted\"\"\"\r\n\r\nnpm:two,\"two\nlines\"\r\nnpm:\"three\" x,three\r\n"
                + "npm:four\r\n\"npm:five,open\r\nnpm:six@1.0.0,six\r\n");
        assertEquals(List.of("npm:one@1.0.0", "npm:six@1.0.0", "npm:two"), result.targets().stream().map(t -> t.target().url().toString()).toList());
        assertEquals(List.of("a, \"quoted\"", "six", "two\nlines"), result.targets().stream().map(t -> t.names().get(0).name()).toList());
        List<String> named = malformed(result);
        assertEquals(List.of("rows.csv line 6", "rows.csv line 7", "rows.csv line 8"), named.stream().map(m -> m.replaceFirst(":.*", "")).toList(), named.toString());
    }

    @Test
    void bytesThatAreNoTextCostTheirLineAlone() throws IOException {
        for (String name : List.of("bytes.csv", "bytes.txt", "bytes.jsonl")) {
            Path file = folder.resolve(name);
            boolean json = name.endsWith("jsonl");
            String good = json ? server("x/good", "1.0.0", "active", true, npm("good", "")) : "npm:good@1.0.0";
            Files.write(file, ("\uFEFF" + (name.endsWith("csv") ? "target\r\n" : "") + good + "\r\n\u00ff\r\n").replace("\uFEFF", "\u00ef\u00bb\u00bf").getBytes(StandardCharsets.ISO_8859_1));
            Declarations declarations = new Declarations();
            Sources.read(file, declarations);
            assertEquals("npm:good@1.0.0", target(declarations.result()));
            assertEquals(1, declarations.result().malformed().size(), name);
        }
    }

    @Test
    void whatNoProgramCanBeGivenIsLeftOutBeforeTheFrame() throws IOException {
        String nul = npm("nul", ",\"packageArguments\":[{\"type\":\"positional\",\"value\":\"a\\u0000b\"}]");
        Declarations.Result declared = read("a.json", "[" + server("x/nul", "1.0.0", "active", true, nul) + "]");
        assertEquals(Map.of("x/nul", "needs-argument"), reasons(declared));
        Declarations.Result client = read("b.json", "{\"mcpServers\":{\"nul\":{\"command\":\"npx\",\"args\":[\"-y\",\"x\",\"a\\u0000b\"]},\"text\":{\"command\":\"npx\",\"args\":\"-y x\"}}}");
        assertEquals(2, client.malformed().size());
        assertEquals(0, client.targets().size());
    }

    @Test
    void pathsOfProgramsMayHoldSpacesAndPipxNamesItsPackage() throws IOException {
        Declarations.Result result = read("c.json", "{\"mcpServers\":{\"a\":{\"command\":\"C:\\\\Program Files\\\\nodejs\\\\npx.cmd\",\"args\":[\"-y\",\"spaced@1.0.0\"]},"
                + "\"b\":{\"command\":\"pipx\",\"args\":[\"run\",\"--spec\",\"spec==1.0\",\"tool\",\"--flag\"]},\"c\":{\"command\":\"npx -y inline@1.0.0\"}}}");
        assertEquals(List.of("npm:inline@1.0.0 []", "npm:spaced@1.0.0 []", "pypi:spec==1.0 [--flag]"),
                result.targets().stream().map(t -> t.target().url() + " " + t.target().args()).toList());
    }

    @Test
    void everyEntryThatIsLeftOutHasARowUnderItsReason() throws IOException {
        Declarations.Result result = read("all.json", "[5," + String.join(",",
                server("x/one", "1.0.0", "active", false, npm("one", "")),
                server("x/one", "2.0.0", "active", true, npm("one", "")),
                server("x/other-name", "1.0.0", "active", true, npm("one", "")),
                server("x/gone", "1.0.0", "deleted", true, npm("gone", "")),
                server("x/none", "1.0.0", "active", true, "")) + "]");
        List<Path> files = ImportFiles.write(folder.resolve("out"), result, List.of());
        Map<String, Long> rows = Files.readAllLines(files.get(2)).stream().skip(1).collect(Collectors.groupingBy(row -> row.replaceFirst(",.*", ""), Collectors.counting()));
        Map<String, Long> counted = ImportFiles.funnel(result).stream().filter(stage -> stage.stage().equals("left-out") && stage.count() > 0)
                .collect(Collectors.toMap(ImportFiles.Stage::reason, ImportFiles.Stage::count));
        assertEquals(Map.of("malformed", 1L, "superseded", 1L, "not-active", 1L, "no-package", 1L, "duplicate", 1L), counted);
        assertEquals(counted, rows);
    }
}

package dev.mcpprober.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.attribution.Attributor;
import dev.mcpprober.attribution.DirectoryTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntryPointTest {
    private static final String SITE = "/venv/lib/python3.13/site-packages";
    @TempDir Path folder;

    private void file(String path, String text) throws IOException {
        Path file = folder.resolve(path.substring(1));
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static Map<String, String> programs(String spec) {
        Map<String, String> programs = new LinkedHashMap<>();
        for (String one : spec.split(" ")) {
            programs.put(one.split("=")[0], one.contains("=") ? one.split("=")[1] : one);
        }
        return programs;
    }

    @ParameterizedTest
    @CsvSource({
        "srv, a, a", "srv, admin srv, srv", "My.Srv, admin my-srv, my-srv", "srv, notes notes-mcp-server, notes-mcp-server", "srv, mcp-notes cli, mcp-notes",
        "srv, notesmcp cli, notesmcp", "srv, a=x b=x, a", "srv, mcp-client mcp-server, mcp-server", "srv, mcp-a=x mcp-b=x other, mcp-a",
        "srv, srv-mcp other-mcp, srv-mcp", "srv, a b, ''", "srv, mcp-a mcp-b, ''", "srv, mcp-server-a mcp-server-b, ''"})
    void oneOfSeveral(String name, String spec, String expected) {
        ProgramChoice choice = ProgramChoice.of(name, programs(spec));
        assertEquals(Optional.of(expected).filter(e -> !e.isEmpty()), choice.name(), choice.reason());
    }

    private NpmEntryPoint npm(String bin, String script) throws IOException {
        file("/m/@x/srv/package.json", "{\"name\":\"@x/srv\"," + bin + "}");
        file("/m/@x/srv/dist/x.js", script);
        return NpmEntryPoint.of(new DirectoryTree(folder), "/m/@x/srv", "/m");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "#!/usr/bin/env node | node /m/@x/srv/dist/x.js",
        "#!/usr/bin/node | node /m/@x/srv/dist/x.js",
        "#! /usr/bin/env nodejs | node /m/@x/srv/dist/x.js",
        "#!/usr/bin/env -S node --experimental-strip-types --no-warnings | node --experimental-strip-types --no-warnings /m/@x/srv/dist/x.js",
        "#!/usr/bin/env -S FOO=1 node --import=tsx | node --import=tsx /m/@x/srv/dist/x.js",
        "#!/usr/bin/env node --no-warnings | node --no-warnings /m/@x/srv/dist/x.js",
        "import 'x' | node /m/@x/srv/dist/x.js",
        "#!/bin/sh | /bin/sh /m/@x/srv/dist/x.js"})
    void asTheKernelWouldStartIt(String first, String argv) throws IOException {
        assertEquals(argv, String.join(" ", npm("\"bin\":\"./dist/x.js\"", first + "\nrest").found().get().argv()));
    }

    @Test
    void aCarriageReturnInTheFirstLineIsNoArgument() throws IOException {
        assertEquals(List.of("node", "/m/@x/srv/dist/x.js"), npm("\"bin\":\"dist/x.js\"", "#!/usr/bin/env node\r\nx").found().get().argv());
    }

    @Test
    void anInterpreterThatIsInstalledAlongRunsIt() throws IOException {
        file("/m/tsx/cli.mjs", "");
        Files.createDirectories(folder.resolve("m/.bin"));
        Files.createSymbolicLink(folder.resolve("m/.bin/tsx"), Path.of("../tsx/cli.mjs"));
        assertEquals(List.of("node", "/m/tsx/cli.mjs", "/m/@x/srv/dist/x.js"), npm("\"bin\":\"dist/x.js\"", "#!/usr/bin/env tsx\n").found().get().argv());
    }

    @Test
    void anInterpreterThatIsNotThereIsNamed() throws IOException {
        NpmEntryPoint entry = npm("\"bin\":\"dist/x.js\"", "#!/usr/bin/env bun\n");
        assertEquals("bun", entry.needs());
        assertTrue(entry.found().isEmpty());
    }

    @Test
    void binForms() throws IOException {
        assertEquals("bin srv: named like the package, of 2", npm("\"bin\":{\"admin\":\"a.js\",\"srv\":\"dist/x.js\"}", "#!/usr/bin/env node\n").found().get().reason());
        assertEquals(List.of("admin", "srv"), npm("\"bin\":{\"admin\":\"a.js\",\"srv\":\"dist/x.js\"}", "#!/usr/bin/env node\n").found().get().candidates());
        assertEquals("bin x.js: the only program", npm("\"directories\":{\"bin\":\"dist\"}", "#!/usr/bin/env node\n").found().get().reason());
        assertEquals("package.json has no bin", npm("\"main\":\"dist/x.js\"", "").reason());
        assertEquals("package.json has no bin", npm("\"bin\":{}", "").reason());
        assertEquals("package.json has no bin", npm("\"bin\":\"" + "./".repeat(500_000) + "x.js\"", "").reason());
        assertTrue(npm("\"bin\":\"gone.js\"", "").reason().contains("which the package does not hold"));
        assertTrue(npm("\"bin\":\"../../../dist/x.js\"", "#!/usr/bin/env node\n").found().isPresent(), "dots lead nowhere");
    }

    private PypiEntryPoint pypi(String entryPoints, String... recorded) throws IOException {
        file(SITE + "/my_srv-1.dist-info/entry_points.txt", entryPoints);
        file(SITE + "/my_srv-1.dist-info/RECORD", String.join(",,\n", recorded) + ",,\n");
        return PypiEntryPoint.of(new DirectoryTree(folder), "/venv", SITE, SITE + "/my_srv-1.dist-info", "my-srv");
    }

    @Test
    void consoleScripts() throws IOException {
        file("/venv/bin/my-srv", "x");
        PypiEntryPoint entry = pypi("[console_scripts]\nother = o:m\nmy-srv = my_srv.cli:main [extra]\n\n[gui_scripts]\nz = z:z\n");
        assertEquals(List.of("/venv/bin/my-srv"), entry.found().get().argv());
        assertEquals("script my-srv: named like the package, of 2", entry.found().get().reason());
        assertEquals(new Attributor.Start.PythonModule(SITE, "my-srv", "my_srv.cli"), entry.start());
    }

    @Test
    void aProgramBesideTheInterpreter() throws IOException {
        file("/venv/bin/my-srv", "x");
        PypiEntryPoint entry = pypi("", "../../../bin/my-srv", "my_srv-1.dist-info/RECORD");
        assertEquals(new Attributor.Start.PythonProgram(SITE, "/venv/bin/my-srv"), entry.start());
    }

    @Test
    void aModule() throws IOException {
        PypiEntryPoint entry = pypi("", "my_srv/__init__.py", "my_srv/__main__.py", "my_srv/sub/__main__.py", "tests/__main__.py");
        assertEquals(List.of("/venv/bin/python", "-m", "my_srv"), entry.found().get().argv());
        assertEquals("no console script; python -m my_srv: named like the package, of 2", entry.found().get().reason());
        assertEquals(new Attributor.Start.PythonModule(SITE, "my-srv", "my_srv.__main__"), entry.start());
    }

    @Test
    void none() throws IOException {
        assertEquals("no console script and no package with a __main__", pypi("", "my_srv/__init__.py").reason());
        assertTrue(pypi("[console_scripts]\nmy-srv = a:b\n").reason().contains("was not installed"));
    }
}

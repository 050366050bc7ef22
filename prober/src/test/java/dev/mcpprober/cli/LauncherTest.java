package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code prober/bin/prober} with a Maven and a Java of its own: a prober that is at work keeps its jar while another one builds. */
class LauncherTest {
    private static final Path HOME = Path.of(System.getProperty("prober.home", ".")).toAbsolutePath();

    @TempDir Path temp;
    private Path jar;

    private record Ran(int status, String said) {}

    @BeforeEach
    void aTree() throws Exception {
        Path bin = Files.createDirectories(temp.resolve("prober/bin"));
        Files.copy(HOME.resolve("bin/prober"), bin.resolve("prober"));
        Files.createDirectories(temp.resolve("prober/src/main"));
        Files.createDirectories(temp.resolve("prober/target"));
        Files.writeString(temp.resolve("pom.xml"), "");
        Files.writeString(temp.resolve("prober/pom.xml"), "");
        // What Maven would write, under the name that it is given; what it finds at the old one is kept for the test to see.
        program("mvn", "name=mcp-prober; for word in \"$@\"; do case $word in -Dprober.name=*) name=${word#*=};; esac; done\n"
                + "cd '" + temp + "/prober/target'\n"
                + "printf half > \"$name.jar\"; cat mcp-prober.jar > seen 2>/dev/null\n"
                + "[ ! -e ../../broken ] || exit 1\n"
                + "printf 'new jar' > \"$name.jar\"\n");
        program("java", "while [ $# -gt 0 ]; do case $1 in -jar) cat \"$2\"; exit;; esac; shift; done\n");
        jar = temp.resolve("prober/target/mcp-prober.jar");
    }

    private void program(String name, String script) throws Exception {
        Path file = Files.createDirectories(temp.resolve("tools")).resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void anOldJar() throws Exception {
        Files.writeString(jar, "old jar");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
    }

    private Ran launch() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", temp.resolve("prober/bin/prober").toString(), "doctor").redirectErrorStream(true);
        builder.environment().remove("JAVA_HOME");
        builder.environment().put("PATH", temp.resolve("tools") + ":" + System.getenv("PATH"));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(process.waitFor(), said);
    }

    @Test
    void aBuildLeavesTheJarThatIsOpenAloneAndPutsTheNewOneInItsPlaceWhole() throws Exception {
        anOldJar();
        try (InputStream open = Files.newInputStream(jar)) {
            Ran ran = launch();
            assertEquals(0, ran.status(), ran.said());
            assertTrue(ran.said().endsWith("new jar"), ran.said());
            assertEquals("old jar", Files.readString(temp.resolve("prober/target/seen")), "while it is built, the old one stands");
            assertEquals("old jar", new String(open.readAllBytes(), StandardCharsets.UTF_8), "who has it open goes on with it");
        }
        Ran again = launch();
        assertEquals("new jar", again.said(), "it is not built twice");
    }

    /** It ran all of them. */
    @Test
    void theTestsTakeNoArgumentAndSaySoBeforeTheyRun() throws Exception {
        for (String argument : new String[] {"--help", "MessagesTest"}) {
            Files.copy(HOME.resolve("bin/test"), temp.resolve("prober/bin/test"), StandardCopyOption.REPLACE_EXISTING);
            ProcessBuilder builder = new ProcessBuilder("bash", temp.resolve("prober/bin/test").toString(), argument).redirectErrorStream(true);
            builder.environment().put("PATH", temp.resolve("tools") + ":" + System.getenv("PATH"));
            builder.environment().put("PROBER_TEST_NO_ENGINE", "1");
            builder.environment().put("PROBER_TEST_NO_BROWSER", "1");
            Process process = builder.start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(said.contains("usage: prober/bin/test "), said);
            assertEquals(argument.equals("--help") ? 0 : 2, process.waitFor());
        }
    }

    @Test
    void aBuildThatFailsLeavesTheOldJar() throws Exception {
        anOldJar();
        Files.createFile(temp.resolve("broken"));
        Ran ran = launch();
        assertEquals(3, ran.status(), ran.said());
        assertEquals("old jar", Files.readString(jar));
    }

    @Test
    void whatIsChangedDuringABuildIsBuiltTheNextTime() throws Exception {
        program("mvn", "cd '" + temp + "/prober/target'; printf 'new jar' > mcp-prober-new.jar; sleep 0.02; touch ../src/main/edited\n");
        assertTrue(launch().said().endsWith("new jar"));
        assertTrue(launch().said().contains("building"), "an edit is newer than the jar");
    }

    @Test
    void theNameThatTheLauncherBuildsUnderIsTheOneThatMavenTakes() throws Exception {
        assertTrue(Files.readString(HOME.resolve("pom.xml")).contains("<finalName>${prober.name}</finalName>"));
        assertTrue(Files.readString(HOME.resolve("parquet/pom.xml")).contains("<finalName>${prober.name}-parquet</finalName>"));
        assertTrue(Files.readString(HOME.resolve("../pom.xml")).contains("<prober.name>mcp-prober</prober.name>"));
    }
}

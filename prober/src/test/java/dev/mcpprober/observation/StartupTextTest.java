package dev.mcpprober.observation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Reading what servers print before they end: settings that lack, exceptions, prompts. */
class StartupTextTest {
    private static Set<String> names(String text) {
        return ConfigNeed.in(text, true).map(ConfigNeed::names).orElse(Set.of());
    }

    private static String type(String text) {
        return Traceback.in(text).map(Traceback::type).orElse("");
    }

    @Test
    void variables() {
        assertEquals(Set.of("API_KEY"), names("Error: API_KEY is required"));
        assertEquals(Set.of("API_KEY"), names("Please set the API_KEY environment variable"));
        assertEquals(Set.of("API_KEY"), names("ValueError: Missing $API_KEY"));
        assertEquals(Set.of("TOKEN"), names("environment variable TOKEN must be set"));
        assertEquals(Set.of("TOKEN"), names("The TOKEN environment variable is not set"));
        assertEquals(Set.of("A_B", "C_D"), names("A_B and C_D must be provided"));
        assertEquals(Set.of("DB_URL"), names("❌ No DB_URL provided"));
        assertEquals(Set.of("DB_URL", "DB_USER"), names("Missing required environment variables:\n  - DB_URL\n  - DB_USER\nbye"));
        assertEquals(Set.of("API_KEY"), names("Invalid environment variables: {\n  API_KEY: [ 'Required' ]\n}"));
    }

    @Test
    void settingsClassesAndEnvironmentLookups() {
        assertEquals(Set.of("api_key"), names("pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings\napi_key\n  Field required [type=missing, input_value={}, input_type=dict]"));
        assertEquals(Set.of("LINEAR_API_KEY"), names("ZodError: [\n  {\n    \"code\": \"invalid_type\",\n    \"path\": [\n      \"LINEAR_API_KEY\"\n    ],\n    \"message\": \"Required\"\n  }\n]\n"
                + "    at get error [as error] (file:///app/node_modules/zod/v3/types.js:55:31)"));
        assertEquals(Set.of(), names("pydantic_core._pydantic_core.ValidationError: 1 validation error for Tool\nname\n  Field required [type=missing]"));
        assertEquals(Set.of("GH_TOKEN"), names("  File \"x.py\", line 3, in <module>\n    t = os.environ['GH_TOKEN']\n  File \"<frozen os>\", line 716, in __getitem__\nKeyError: 'GH_TOKEN'"));
        assertEquals(Set.of(), names("  File \"x.py\", line 3, in <module>\n    t = table['row']\nKeyError: 'row'"));
    }

    @Test
    void arguments() {
        assertEquals(Set.of("--db", "path"), names("usage: x [-h] --db DB path\nx: error: the following arguments are required: --db, path"));
        assertEquals(Set.of("--api-key"), names("error: required option '--api-key <key>' not specified"));
        assertEquals(Set.of("--x"), names("Error: Missing option '--x'."));
        assertEquals(Set.of("PATH"), names("Error: Missing argument 'PATH'."));
        assertEquals(Set.of("host"), names("Missing required argument: host"));
        assertEquals(Set.of("token"), names("Error: required flag(s) \"token\" not set"));
        assertEquals(Set.of("--root"), names("--root is required"));
        assertEquals(Set.of("database URL"), names("Please provide a database URL as a command-line argument"));
        assertEquals(Set.of("<allowed-directory>"), names("Usage: mcp-server-filesystem <allowed-directory> [additional-directories...]"));
        assertEquals(Set.of(), names("Usage: tool [options] [<file>]"));
    }

    @Test
    void whatIsNoSetting() {
        for (String text : new String[] {"Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x' required by y", "Error [ERR_REQUIRE_ESM]: require() of ES Module is not supported, required from z",
            "code: 'MODULE_NOT_FOUND', required", "TypeError: f() missing 1 required positional argument: 'x'", "ssl: CERTIFICATE_VERIFY_FAILED required",
            "DEBUG_MODE is optional and not set", "CACHE_DIR not set, falling back to /tmp", "Connected to MY_SERVER"}) {
            assertEquals(Set.of(), names(text), text);
        }
    }

    @Test
    void exceptions() {
        assertEquals("ValueError", type("Traceback (most recent call last):\n  File \"a\", line 1, in f\n    g()\n\nDuring handling of the above exception, another exception occurred:\n\n"
                + "Traceback (most recent call last):\n  File \"b\", line 2, in h\nValueError: bad"));
        assertEquals("socket.gaierror", type("Traceback (most recent call last):\n  File \"a\", line 1\nsocket.gaierror: [Errno -3] Temporary failure in name resolution"));
        assertEquals("RuntimeError", type("  + Exception Group Traceback (most recent call last):\n  |   File \"a\", line 1\n  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n"
                + "  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n    |   File \"b\", line 2\n    | RuntimeError: inner\n    +------------------------------------"));
        assertEquals("Error [ERR_MODULE_NOT_FOUND]", type("node:internal/modules/esm/resolve:275\n    throw new ERR_MODULE_NOT_FOUND(\n          ^\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod'\n"
                + "    at packageResolve (node:internal/modules/esm/resolve:839:9)"));
        assertEquals("Error", type("Error: Cannot find module './x'\nRequire stack:\n- /app/y.js\n    at Function._resolveFilename (node:internal/modules/cjs/loader:1225:15)"));
        assertEquals("panic", type("panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.main()"));
        assertEquals("panicked", type("thread 'main' panicked at src/main.rs:2:5:\nboom"));
        assertEquals("java.lang.IllegalStateException", type("Exception in thread \"main\" java.lang.IllegalStateException: x\n\tat a.B.c(B.java:1)"));
        assertEquals("System.Exception", type("Unhandled exception. System.Exception: x\n   at P.Main()"));
        assertEquals("", type("Error: something went wrong, please look at the log"));
    }

    @Test
    void prompts() {
        assertEquals(Optional.of("Continue? (y/n)"), Prompt.in("Continue? (y/n) ", false));
        assertEquals(Optional.of("Password:"), Prompt.in("Login\nPassword: ", false));
        assertEquals(Optional.empty(), Prompt.in("Password: ", true));
        assertEquals(Optional.empty(), Prompt.in("Ready:\n", false));
        assertTrue(Prompt.in("Press any key to continue...\n", true).isPresent());
    }

    @Test
    void hostileTextIsReadInTime() {
        String underscores = "A_".repeat(120_000) + "- required";
        String colons = ": ".repeat(120_000);
        String frames = "    at ".repeat(30_000);
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            for (String text : new String[] {underscores, colons, frames, "[".repeat(200_000), "\n".repeat(200_000), "Traceback (most recent call last):\n".repeat(3_000)}) {
                ConfigNeed.in(text, true);
                Traceback.in(text);
                Prompt.in(text, false);
            }
        });
    }
}

package dev.mcpprober.observation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
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
    void variablesInOtherTongues() {
        for (String text : List.of("Fehler: Die Umgebungsvariable API_KEY ist nicht gesetzt.", "la variable d'environnement API_KEY est requise", "falta la variable de entorno API_KEY",
                "a variável de ambiente API_KEY não está definida", "Variabile d'ambiente API_KEY mancante", "Omgevingsvariabele API_KEY ontbreekt", "Brak zmiennej środowiskowej API_KEY",
                "не задана переменная окружения API_KEY", "API_KEY ortam değişkeni ayarlanmamış", "请设置环境变量 API_KEY", "未设置 API_KEY", "環境変数 API_KEY が設定されていません",
                "환경 변수 API_KEY 가 설정되지 않았습니다", "متغير البيئة API_KEY غير معين")) {
            assertEquals(Set.of("API_KEY"), names(text), text);
        }
        assertEquals(Set.of("its key"), names("API-Schlüssel fehlt"));
        assertEquals(Set.of(), names("Verbunden mit MY_SERVER"));
    }

    @Test
    void otherWaysToSayIt() {
        assertEquals(Set.of("API_KEY"), names("API_KEY wasn't provided"));
        assertEquals(Set.of("API_KEY"), names("Could not find API_KEY"));
        assertEquals(Set.of("API_KEY"), names("env API_KEY must not be empty"));
        assertEquals(Set.of("API_KEY"), names("Set API_KEY and start again."));
        assertEquals(Set.of("API_KEY"), names("export API_KEY=... before starting this server"));
        assertEquals(Set.of("API_KEY"), names("You need API_KEY"));
        assertEquals(Set.of(), names("Set MY_DEBUG=1 and run it again for details"));
        assertEquals(Set.of("DB_URL"), ConfigNeed.in("thread 'main' panicked at src/main.rs:9:42:\nDB_URL must be set: NotPresent", true).map(ConfigNeed::names).orElse(Set.of()));
        assertEquals("DB_URL must be set: NotPresent", Traceback.in("thread 'main' panicked at src/main.rs:9:42:\nDB_URL must be set: NotPresent").orElseThrow().message());
    }

    /** What only a user can give, called by what it is; a sign only in a process that has ended. */
    @Test
    void needsWithoutTheNameOfASetting() {
        for (String text : List.of("Error: API key is required.", "No API key provided", "Configuration file not found: /root/.config/x.json", "Missing credentials", "Please provide a valid access token")) {
            assertEquals(1, names(text).size(), text);
            assertEquals(Optional.empty(), ConfigNeed.in(text, false), text);
        }
        assertEquals(Set.of("its config.yaml"), names("Failed: no such file or directory, open '/root/.x/config.yaml'"));
        assertEquals(Set.of("its login"), names("You are not logged in."));
        assertEquals(Set.of("its auth"), names("Run `x auth` first"));
        for (String text : List.of("No config file found, using defaults", "Cannot find module './config'", "ModuleNotFoundError: No module named 'config'", "Unexpected token < in JSON",
                "FileNotFoundError: [Errno 2] No such file or directory: 'data/config.json'", "Server running on stdio", "Invalid token", "error TS2307: Cannot find module 'x'")) {
            assertEquals(Set.of(), names(text), text);
        }
    }

    @Test
    void usageLinesThatLeaveSomethingToFillIn() {
        assertEquals(Set.of("--vault PATH"), names("Usage: kb-server --vault PATH"));
        assertEquals(Set.of("CONFIG"), names("usage: server [--port PORT] [-v [N]] CONFIG"));
        assertEquals(Set.of(), names("Usage: server [options]"));
        assertEquals(Set.of(), names("usage: server [-h] [--port PORT] [DATABASE]"));
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
        for (String text : List.of("Lizenz annehmen? (j/n) ", "Acceptez-vous ? (o/n) ", "请输入 API 密钥：", "Bitte Passwort eingeben: ", "? Which profile? (Use arrow keys)\n> default\n  work")) {
            assertTrue(Prompt.in(text, false).isPresent(), text);
        }
        assertTrue(Prompt.in("Press any key to continue...\n", true).isPresent());
    }

    @Test
    void hostileTextIsReadInTime() {
        String underscores = "A_".repeat(120_000) + "- required";
        String colons = ": ".repeat(120_000);
        String frames = "    at ".repeat(30_000);
        String usage = ("usage: " + "[".repeat(900) + "]".repeat(900) + " <".repeat(90) + "\n").repeat(100);
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            for (String text : new String[] {underscores, colons, frames, usage, "no such file ".repeat(9_000), "run ".repeat(9_000), "[".repeat(200_000), "\n".repeat(200_000), "Traceback (most recent call last):\n".repeat(3_000)}) {
                ConfigNeed.in(text, true);
                Traceback.in(text);
                Prompt.in(text, false);
            }
        });
    }
}

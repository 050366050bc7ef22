package dev.mcpprober.cli;

import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.Shard;
import dev.mcpprober.install.InstallLimits;
import dev.mcpprober.io.Digests;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.SessionLimits;
import dev.mcpprober.session.ToolBudget;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a census measures and how: the question that a run folder answers.
 *
 * @param redactRules label of credential rules that the user adds
 */
record RunPlan(Path frameFile, Frame frame, Optional<Shard> shard, Profile profile, SessionLimits limits, ToolBudget toolBudget, InstallLimits installLimits,
               Optional<LocalDate> asOf, Optional<Path> lock, Optional<String> redactRules, int times) {
    /** Those that probes of most servers run from. */
    private static final List<String> IMAGES = List.of("node:22", "python:3.13");

    static final String REDACT_RULES = "redact rules";
    private static final String EOF_GRACE = "eof grace ms";

    /** The plan that a run was made by. */
    static RunPlan of(RunInfo info, Frame frame) throws UserError {
        Profile profile = Arrays.stream(Profile.values()).filter(p -> p.id().equals(info.profile())).findFirst()
                .orElseThrow(() -> new UserError("census.json: profile " + info.profile() + " is not known to this version"));
        SessionOptions session = new SessionOptions();
        session.profile = profile;
        session.start = seconds(info, "start timeout ms");
        session.request = seconds(info, "request timeout ms");
        session.session = seconds(info, "session timeout ms");
        session.eofGrace = info.settings().containsKey(EOF_GRACE) ? seconds(info, EOF_GRACE) : SessionLimits.DEFAULT.eofGrace().toSeconds();
        session.toolBudget = info.settings().getOrDefault("tool budget", "");
        InstallOptions install = new InstallOptions();
        install.timeout = seconds(info, "install timeout ms");
        String asOf = info.settings().getOrDefault("as of", "now");
        return new RunPlan(Path.of(info.frameFile()), frame, Optional.ofNullable(info.settings().get(RunInfo.SHARD)).map(Shard::parse), profile,
                session.limits(), session.toolBudget(), install.limits(), asOf.equals("now") ? Optional.empty() : Optional.of(LocalDate.parse(asOf)), Optional.ofNullable(info.settings().get("lock")).map(Path::of),
                Optional.ofNullable(info.settings().get(REDACT_RULES)), (int) number(info, RunInfo.REPEATS, "1"));
    }

    private static double seconds(RunInfo info, String name) throws UserError {
        return number(info, name, "") / 1000.0;
    }

    private static long number(RunInfo info, String name, String unset) throws UserError {
        String value = info.settings().getOrDefault(name, unset);
        if (!value.matches("\\d{1,9}")) {
            throw new UserError("census.json: setting \"" + name + "\" is missing or no number");
        }
        return Long.parseLong(value);
    }

    /** The rows that this run measures. */
    Frame part() {
        return shard.map(part -> part.of(frame)).orElse(frame);
    }

    /** What results may depend on. */
    Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        settings.put("probe policy", SandboxPolicy.probe().canonical());
        settings.put("start timeout ms", Long.toString(limits.start().toMillis()));
        settings.put("request timeout ms", Long.toString(limits.request().toMillis()));
        settings.put("session timeout ms", Long.toString(limits.session().toMillis()));
        if (!limits.eofGrace().equals(SessionLimits.DEFAULT.eofGrace())) {
            // Runs made before there was a choice do not name it.
            settings.put(EOF_GRACE, Long.toString(limits.eofGrace().toMillis()));
        }
        settings.put("tool budget", toolBudget.label());
        if (times > 1) {
            settings.put(RunInfo.REPEATS, Integer.toString(times));
        }
        settings.put("install timeout ms", Long.toString(installLimits.time().toMillis()));
        shard.ifPresent(part -> settings.put(RunInfo.SHARD, part.toString()));
        lock.ifPresent(run -> settings.put("lock", run.toAbsolutePath().normalize().toString()));
        redactRules.ifPresent(label -> settings.put(REDACT_RULES, label));
        settings.put("as of", asOf.map(LocalDate::toString).orElse("now"));
        return settings;
    }

    RunInfo info(Map<String, String> images, Map<String, String> host) {
        return new RunInfo(RunInfo.FORMAT_VERSION, Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS).toString(), ProberVersion.get(),
                frameFile.toAbsolutePath().toString(), frame.hash(), part().rows().size(), 0, profile.id(), settings(), images, host);
    }

    RunInfo info(EngineStack stack) throws EngineException {
        return info(images(stack), host(stack));
    }

    /** Digests, by name. */
    static Map<String, String> images(EngineStack stack) throws EngineException {
        Map<String, String> images = new TreeMap<>();
        for (String name : IMAGES) {
            images.put(name, stack.images().require(name).id());
        }
        return images;
    }

    /** Facts about this machine, without its engine. */
    static Map<String, String> host() {
        Map<String, String> host = new TreeMap<>();
        host.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version") + " " + System.getProperty("os.arch"));
        host.put("java", System.getProperty("java.version"));
        host.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        return host;
    }

    static Map<String, String> host(EngineStack stack) throws EngineException {
        Map<String, String> host = host();
        host.put("engine", stack.engine().describe());
        for (String name : IMAGES) {
            host.put("base of " + name, stack.images().require(name).origin().name().toLowerCase(Locale.ROOT));
        }
        return host;
    }

    /** One folder for one question: another frame, profile or setting gets another one. */
    Path defaultFolder() {
        String name = frameFile.getFileName().toString().replaceFirst("\\.[^.]*$", "").replaceAll("[^A-Za-z0-9._-]", "-");
        String digest = Digests.sha256(frame.hash() + profile.id() + settings()).substring(0, 8);
        Path home = Path.of(System.getProperty("prober.home", "prober")).toAbsolutePath().normalize();
        return home.resolveSibling("results").resolve("runs").resolve(name + "-" + digest);
    }
}

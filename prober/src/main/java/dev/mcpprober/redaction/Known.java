package dev.mcpprober.redaction;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value that we know beforehand and that must not be kept: what a server was given, or what names this machine.
 *
 * @param id    of what stands in its place
 * @param value its bytes, each as a character
 * @param alone counts only where no letter, digit or sign of a word stands beside it
 */
public record Known(String id, String value, boolean alone) {
    private static final int PLAIN = 8;
    private static final int SECRET = 4;
    private static final Pattern SECRET_NAME = Pattern.compile("key|token|secret|pass|pwd|auth|cred|cookie|session|private|dsn|pin|login|user|account|url|uri|conn");
    private static final Pattern OPTION = Pattern.compile("(?s)-{0,2}([A-Za-z][A-Za-z0-9._-]{0,60})(?:[=:](.*))?");
    private static final Pattern SECRET_OPTION = Pattern.compile("(?i)key|token|secret|passw|pwd|passphrase|credential|cookie|auth|\\bpin\\b");
    /** Words of the protocol and of JSON: where one of them is the value of a variable, taking it out would make frames into something else. */
    private static final Set<String> VOCABULARY = Set.of("true", "false", "null", "none", "error", "result", "method", "params", "jsonrpc", "code", "message", "data", "name",
            "tools", "tool", "text", "type", "object", "string", "number", "integer", "boolean", "array", "content", "iserror", "arguments", "inputschema", "properties",
            "required", "description", "initialize", "capabilities", "serverinfo", "version", "protocolversion", "resources", "prompts", "logging", "stdio", "http", "https",
            "node", "python", "test", "localhost", "default", "auto", "info", "debug", "warn", "development", "production", "mcp-prober", "server", "client", "title",
            "enabled", "disabled", "items", "schema", "value", "values", "ping", "notifications", "structuredcontent", "outputschema", "exit", "traceback");
    private static final Set<String> NO_PERSON = Set.of("root", "user", "node", "nobody", "admin", "docker", "ubuntu", "debian", "runner", "jenkins", "daemon", "guest",
            "app", "test", "tester", "build", "builder", "developer", "vagrant", "python", "java", "mcp", "prober", "ec2-user", "azureuser", "opc", "www-data", "system");

    /** Whether it stands there; of a person's name and a folder the case counts, since the same letters may be a word. */
    boolean stands(String text, int from) {
        return !id.equals("user") && !id.equals("home") || text.startsWith(value, from);
    }

    /** Variables that a server was given. Short ones and words of the protocol are no secrets, whatever they are called. */
    public static List<Known> variables(Map<String, String> environment) {
        TreeMap<String, String> values = new TreeMap<>();
        new TreeMap<>(environment).forEach((name, value) -> {
            boolean secret = SECRET_NAME.matcher(name.toLowerCase(Locale.ROOT)).find();
            values.merge(value.strip(), secret ? "secret" : "", (a, b) -> a.isEmpty() ? b : a);
            // A key of many lines comes back line by line.
            if (value.strip().contains("\n")) {
                value.lines().map(String::strip).forEach(line -> values.merge(line, "", (a, b) -> a));
            }
        });
        List<Known> out = new ArrayList<>();
        Set<String> seen = new TreeSet<>();
        values.forEach((value, secret) -> {
            int length = value.length();
            if (length < (secret.isEmpty() ? PLAIN : SECRET) || VOCABULARY.contains(value.toLowerCase(Locale.ROOT))) {
                return;
            }
            String id = seen.isEmpty() ? "env" : "env-" + (seen.size() + 1);
            seen.add(value);
            if (length < PLAIN) {
                add(out, id, value, true);
            } else {
                Spelling.of(value).forEach(spelling -> add(out, id, spelling, false));
            }
        });
        return out;
    }

    /**
     * Arguments that follow an option with the name of a secret, or stand behind its equals sign. A frame is often published, but what a server
     * is called with may be somebody's own.
     */
    public static List<Known> arguments(List<String> arguments) {
        Map<String, String> secrets = new TreeMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            Matcher option = OPTION.matcher(arguments.get(i));
            if (option.matches() && SECRET_OPTION.matcher(option.group(1)).find()) {
                String value = option.group(2) != null ? option.group(2) : i + 1 < arguments.size() && arguments.get(i).startsWith("-") ? arguments.get(i + 1) : "";
                boolean none = value.isEmpty() || option.group(2) == null && value.startsWith("--") || value.startsWith("/") || value.startsWith("./");
                secrets.merge(i + " key", none ? "" : value, (a, b) -> a);
            }
        }
        secrets.values().removeIf(String::isEmpty);
        return variables(secrets).stream().map(known -> new Known(known.id().replace("env", "argument"), known.value(), known.alone())).toList();
    }

    /** Of an environment that a server inherits, what has the name of a secret; the rest says what machine this is, and every program has it. */
    public static List<Known> inherited(Map<String, String> environment) {
        TreeMap<String, String> secrets = new TreeMap<>(environment);
        secrets.entrySet().removeIf(entry -> !entry.getKey().toLowerCase(Locale.ROOT).matches(".*(key|token|secret|passw|pwd|credential|cookie).*")
                || entry.getValue().length() < PLAIN || entry.getValue().startsWith("/"));
        return variables(secrets);
    }

    /** The container that a server runs in, by id and by the name that it then has for itself; nothing for what is no container. */
    public static List<Known> container(String id) {
        return id.matches("[0-9a-f]{64}") ? List.of(new Known("container", id, false), new Known("container", id.substring(0, 12), true)) : List.of();
    }

    private static final class Host {
        private static final List<Known> FACTS = facts(hostNames(), System.getProperty("user.name", ""), System.getProperty("user.home", ""), addresses());
    }

    /** Host, user, home folder and addresses of this machine. */
    public static List<Known> host() {
        return Host.FACTS;
    }

    static List<Known> facts(Set<String> hosts, String user, String home, Set<String> addresses) {
        List<Known> out = new ArrayList<>();
        // The folder first: it holds the user's name.
        if (home.length() >= PLAIN && home.startsWith("/") && home.indexOf('/', 1) > 0) {
            add(out, "home", home, false);
        }
        for (String host : hosts) {
            String lower = host.toLowerCase(Locale.ROOT);
            if (host.length() >= SECRET && !lower.startsWith("localhost") && !VOCABULARY.contains(lower) && !NO_PERSON.contains(lower)) {
                add(out, "host", host, true);
            }
        }
        if (user.length() >= SECRET - 1 && !NO_PERSON.contains(user.toLowerCase(Locale.ROOT)) && !VOCABULARY.contains(user.toLowerCase(Locale.ROOT))) {
            add(out, "user", user, true);
        }
        addresses.forEach(address -> add(out, "address", address, true));
        return List.copyOf(out);
    }

    private static void add(List<Known> out, String id, String value, boolean alone) {
        String bytes = new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        if (!bytes.isEmpty() && out.stream().noneMatch(known -> known.value().equals(bytes))) {
            out.add(new Known(id, bytes, alone));
        }
    }

    private static Set<String> hostNames() {
        Set<String> names = new TreeSet<>();
        try {
            names.add(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException e) {
            // A machine without a name has none to give away.
        }
        String own = System.getenv("HOSTNAME");
        if (own != null) {
            names.add(own);
        }
        // The short name is in the long one, and stands alone elsewhere.
        for (String name : List.copyOf(names)) {
            names.add(name.replaceFirst("\\..*", ""));
        }
        return names;
    }

    private static Set<String> addresses() {
        Set<String> out = new TreeSet<>();
        try {
            for (NetworkInterface card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                for (InetAddress address : Collections.list(card.getInetAddresses())) {
                    if (!address.isLoopbackAddress() && !address.isLinkLocalAddress() && !address.isAnyLocalAddress()) {
                        out.add(address.getHostAddress().replaceFirst("%.*", ""));
                    }
                }
            }
        } catch (SocketException e) {
            // Then there is none to know.
        }
        return out;
    }
}

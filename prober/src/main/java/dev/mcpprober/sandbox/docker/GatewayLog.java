package dev.mcpprober.sandbox.docker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Registry;
import dev.mcpprober.sandbox.GatewayEvidence;
import dev.mcpprober.sandbox.GatewayEvidence.Kind;
import dev.mcpprober.sandbox.GatewayEvidence.Served;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the gateway's log: one JSON object a line, for each request or look-up. What is in them comes from installs: hostile. */
final class GatewayLog {
    static final String ALIAS = "gw";
    static final int NPM_PORT = 4873;
    static final int PYTHON_PORT = 3141;
    /** Answers 403 to everything: what proxy variables of an install name, so that programs say which host they wanted. */
    static final int PROXY_PORT = 3128;

    private static final int MAX_SERVED = 50_000;
    private static final int MAX_NAMES = 200;
    private static final int MAX_TEXT = 300;
    private static final Pattern IP = Pattern.compile("\\{\"t\":[0-9.]+,\"ip\":\"([0-9.]+)\"");
    private static final Pattern REQUEST = Pattern.compile("(\\S+) (\\S+)(?: HTTP/\\S+)?");
    private static final Pattern ABSOLUTE = Pattern.compile("(?i)[a-z][a-z0-9+.-]*://(?:[^/@]*@)?([^/:?#]+).*");
    private static final Pattern NPM_FILE = Pattern.compile("/((?:@[^/]+/)?[^/@]+)/-/(?:@[^/]+/)?([^/]+)\\.tgz");
    private static final Pattern WHEEL = Pattern.compile("([^-]+)-([^-]+)(?:-\\d[^-]*)?-[^-]+-[^-]+-[^-]+\\.whl(?:\\.metadata)?");
    private static final Pattern SDIST = Pattern.compile("(.+)-([^-]+?)\\.(?:tar\\.gz|zip|tar\\.bz2|tgz|egg)(?:\\.metadata)?");

    private GatewayLog() {}

    /**
     * What one install did.
     *
     * @param subnet the install network's addresses, {@code a.b.c.d/n}; lines of others are left out
     * @param since  lines before it belong to an earlier install on the same network
     */
    static GatewayEvidence read(List<String> lines, String subnet, Instant since, boolean complete) {
        List<Served> served = new ArrayList<>();
        Set<String> blocked = new TreeSet<>();
        Set<String> refused = new LinkedHashSet<>();
        boolean whole = complete;
        for (String line : lines) {
            if (!(Json.parse(line) instanceof Json.Parsed.Value value) || !Ipv4.within(value.node().path("ip").asText(), subnet)) {
                continue;
            }
            JsonNode entry = value.node();
            // The name server's clock has whole seconds only.
            double start = entry.has("dns") ? since.getEpochSecond() : since.toEpochMilli() / 1e3;
            if (entry.path("t").asDouble() < start) {
                continue;
            }
            if (served.size() + refused.size() >= MAX_SERVED) {
                whole = false;
                break;
            }
            add(entry, served, blocked, refused);
        }
        return new GatewayEvidence(served, blocked.stream().limit(MAX_NAMES).toList(), refused.stream().limit(MAX_NAMES).toList(), whole);
    }

    /** Whether a line is about an address of {@code subnet}. The gateway writes the address before anything that an install chose. */
    static boolean isOf(String line, String subnet) {
        Matcher ip = IP.matcher(line);
        return ip.lookingAt() && Ipv4.within(ip.group(1), subnet);
    }

    private static void add(JsonNode entry, List<Served> served, Set<String> blocked, Set<String> refused) {
        if (entry.has("dns")) {
            String name = entry.path("dns").asText().toLowerCase(Locale.ROOT).replaceFirst("\\.$", "");
            if (!name.isEmpty() && !name.equals(ALIAS) && !name.endsWith(".arpa")) {
                blocked.add(cut(name));
            }
            return;
        }
        String request = entry.path("request").asText();
        int port = entry.path("port").asInt();
        String host = wantedHost(request, entry.path("host").asText(), port);
        int status = entry.path("status").asInt();
        if (!host.isEmpty()) {
            blocked.add(cut(host));
        } else if (status == 400 || status == 403 || status == 405) {
            refused.add(cut(request.replaceFirst(" HTTP/\\S+$", "")));
        } else if (port == NPM_PORT || port == PYTHON_PORT) {
            served.add(served(entry, port, status));
        }
    }

    /** The other host that a request was for, empty where it was for the gateway itself. */
    private static String wantedHost(String request, String hostHeader, int port) {
        Matcher line = REQUEST.matcher(request);
        if (line.matches()) {
            Matcher absolute = ABSOLUTE.matcher(line.group(2));
            if (line.group(1).equals("CONNECT")) {
                return bare(line.group(2));
            }
            if (absolute.matches()) {
                return absolute.group(1).equals(ALIAS) ? "" : absolute.group(1).toLowerCase(Locale.ROOT);
            }
        }
        String host = bare(hostHeader);
        return host.equals(ALIAS) || host.isEmpty() ? "" : host;
    }

    private static String bare(String hostAndPort) {
        return hostAndPort.replaceFirst(":\\d*$", "").toLowerCase(Locale.ROOT);
    }

    private static Served served(JsonNode entry, int port, int status) {
        Instant time = Instant.ofEpochMilli(Math.round(entry.path("t").asDouble() * 1e3));
        long bytes = entry.path("bytes").asLong();
        boolean cached = entry.path("upstream").asText().isEmpty() || entry.path("upstream").asText().equals("-");
        String path = decode(entry.path("path").asText());
        String file = path.substring(path.lastIndexOf('/') + 1);
        if (port == NPM_PORT) {
            Matcher tarball = NPM_FILE.matcher(path);
            if (tarball.matches()) {
                String name = tarball.group(1);
                String start = name.substring(name.indexOf('/') + 1) + "-";
                String version = tarball.group(2).startsWith(start) ? tarball.group(2).substring(start.length()) : "";
                return new Served(time, Registry.NPM, Kind.FILE, cut(name), cut(version), cut(file), status, bytes, cached);
            }
            return new Served(time, Registry.NPM, Kind.DOCUMENT, cut(path.replaceFirst("^/", "")), "", "", status, bytes, cached);
        }
        if (file.isEmpty()) {
            String project = path.replaceFirst("/$", "");
            return new Served(time, Registry.PYPI, Kind.DOCUMENT, cut(project.substring(project.lastIndexOf('/') + 1)), "", "", status, bytes, cached);
        }
        Matcher wheel = WHEEL.matcher(file);
        Matcher sdist = SDIST.matcher(file);
        Matcher known = wheel.matches() ? wheel : sdist.matches() ? sdist : null;
        return new Served(time, Registry.PYPI, Kind.FILE, known == null ? "" : cut(known.group(1)), known == null ? "" : cut(known.group(2)),
                cut(file), status, bytes, cached);
    }

    private static String decode(String path) {
        try {
            return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return path;
        }
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }
}

package dev.mcpprober.model;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One package of a registry, with or without a version.
 *
 * <p>Read from {@code npm:NAME[@VERSION]}, {@code pypi:NAME[==VERSION]} or a package URL ({@code pkg:npm/%40scope/name@1.2.3});
 * written as a package URL. PyPI names are normalised as PEP 503 says.
 */
public record PackageUrl(Registry registry, String name, Optional<String> version) {
    private static final Pattern NPM_NAME = Pattern.compile("(@[A-Za-z0-9~._-]{1,100}/)?[A-Za-z0-9~._-]{1,214}");
    private static final Pattern PYPI_NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,200}[A-Za-z0-9])?");
    private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.+!_~-]{0,100}");

    public PackageUrl {
        if (registry != Registry.NPM && registry != Registry.PYPI) {
            throw new IllegalArgumentException("a package URL names an npm or PyPI package, not " + registry.id());
        }
        Pattern shape = registry == Registry.NPM ? NPM_NAME : PYPI_NAME;
        if (!shape.matcher(name).matches() || name.startsWith(".") || name.contains("..")) {
            throw new IllegalArgumentException("not a name of the " + registry.id() + " registry: \"" + Printable.text(name) + "\"");
        }
        if (registry == Registry.PYPI) {
            name = normalPythonName(name);
        }
        version.ifPresent(v -> {
            if (!VERSION.matcher(v).matches()) {
                throw new IllegalArgumentException("not a version: \"" + Printable.text(v)
                        + "\" (write one exact version, e.g. 1.2.3; ranges and tags are not accepted)");
            }
        });
    }

    /** One spelling of the many that PyPI takes for a name, as PEP 503 says. */
    public static String normalPythonName(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_.]+", "-");
    }

    /** True for texts that {@link #parse} takes as a registry target rather than a path. */
    public static boolean looksLikeOne(String text) {
        return text.startsWith("npm:") || text.startsWith("pypi:") || text.startsWith("pkg:");
    }

    /** @throws IllegalArgumentException with a message for the user when the text is no target of a registry */
    public static PackageUrl parse(String text) {
        if (text.startsWith("npm:")) {
            String rest = text.substring(4);
            int at = rest.indexOf('@', 1);
            return at < 0 ? new PackageUrl(Registry.NPM, rest, Optional.empty())
                    : new PackageUrl(Registry.NPM, rest.substring(0, at), Optional.of(rest.substring(at + 1)));
        }
        if (text.startsWith("pypi:")) {
            String rest = text.substring(5);
            int at = rest.indexOf("==");
            return at < 0 ? new PackageUrl(Registry.PYPI, rest, Optional.empty())
                    : new PackageUrl(Registry.PYPI, rest.substring(0, at), Optional.of(rest.substring(at + 2)));
        }
        if (text.startsWith("pkg:")) {
            return parsePurl(text);
        }
        throw new IllegalArgumentException("not a target: \"" + Printable.text(text)
                + "\" (expected npm:NAME[@VERSION], pypi:NAME[==VERSION], pkg:npm/… or pkg:pypi/…)");
    }

    private static PackageUrl parsePurl(String text) {
        String rest = text.substring(4);
        int slash = rest.indexOf('/');
        String type = slash < 0 ? rest : rest.substring(0, slash);
        if (slash < 0 || !(type.equals("npm") || type.equals("pypi"))) {
            throw new IllegalArgumentException("package URL of an unsupported type: \"" + Printable.text(text) + "\" (pkg:npm/… or pkg:pypi/…)");
        }
        String path = rest.substring(slash + 1).split("[?#]", 2)[0];
        int at = path.lastIndexOf('@');
        boolean versioned = at > 0;
        Optional<String> version = versioned ? Optional.of(decode(path.substring(at + 1))) : Optional.empty();
        String name = decode(versioned ? path.substring(0, at) : path);
        return new PackageUrl(type.equals("npm") ? Registry.NPM : Registry.PYPI, name, version);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    public PackageUrl withVersion(String exact) {
        return new PackageUrl(registry, name, Optional.of(exact));
    }

    /** {@code pkg:npm/%40scope/name@1.2.3}; without a version where none is known. */
    public String purl() {
        String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("%2F", "/").replace("%7E", "~");
        return "pkg:" + registry.id() + "/" + encoded + version.map(v -> "@" + URLEncoder.encode(v, StandardCharsets.UTF_8).replace("%7E", "~")).orElse("");
    }

    @Override
    public String toString() {
        return registry.id() + ":" + name + version.map(v -> (registry == Registry.NPM ? "@" : "==") + v).orElse("");
    }
}

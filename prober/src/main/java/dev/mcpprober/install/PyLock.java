package dev.mcpprober.install;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code pylock.toml} as uv writes it: one archive in use per package.
 *
 * @param sha256   by file name
 * @param packages in the lock's order
 */
record PyLock(Map<String, String> sha256, List<Locked> packages) {
    private static final Pattern ARCHIVE = Pattern.compile("\\{ url = \"([^\"]*)\"[^{}]*?hashes = \\{ sha256 = \"([0-9a-f]{64})\"");
    private static final Pattern NAME = Pattern.compile("(?m)^name = \"([^\"]+)\"$");
    private static final Pattern VERSION = Pattern.compile("(?m)^version = \"([^\"]+)\"$");
    private static final Pattern WHEEL = Pattern.compile("(?m)^wheels = (.*)$");
    private static final Pattern SDIST = Pattern.compile("(?m)^sdist = (.*)$");

    /** @param digest of the wheel, else of the source archive; empty for a local package */
    record Locked(String name, String version, String digest) {}

    static PyLock read(String text) {
        Map<String, String> sha256 = new HashMap<>();
        Matcher archive = ARCHIVE.matcher(text);
        while (archive.find()) {
            sha256.put(archive.group(1).substring(archive.group(1).lastIndexOf('/') + 1), archive.group(2));
        }
        List<Locked> packages = new ArrayList<>();
        String[] blocks = text.split("(?m)^\\[\\[packages\\]\\]$");
        for (int i = 1; i < blocks.length; i++) {
            String wheel = digest(first(WHEEL, blocks[i]));
            packages.add(new Locked(first(NAME, blocks[i]), first(VERSION, blocks[i]), wheel.isEmpty() ? digest(first(SDIST, blocks[i])) : wheel));
        }
        return new PyLock(sha256, packages);
    }

    private static String digest(String archives) {
        Matcher matcher = ARCHIVE.matcher(archives);
        return matcher.find() ? "sha256:" + matcher.group(2) : "";
    }

    private static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : "";
    }
}

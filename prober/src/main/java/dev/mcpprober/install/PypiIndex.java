package dev.mcpprober.install;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What the Python index lists for one project, as far as an install needs to know when it fails. */
final class PypiIndex {
    private static final Pattern OTHER_PLATFORM = Pattern.compile("(?i).*(win32|win_amd64|win_arm64|macosx|musllinux|linux_armv|linux_i686|i686|ppc64|s390x|riscv).*");

    private static final int MAX_NAME = 500;

    /** @param requires Requires-Python, empty for none */
    record File(String name, String requires, Optional<Instant> uploaded) {}

    private final String project;
    private final List<File> files;

    private PypiIndex(String project, List<File> files) {
        this.project = project;
        this.files = files;
    }

    /** @param answer the {@code files} that {@code pypi-resolve.py} reports */
    static PypiIndex read(String project, JsonNode answer) {
        List<File> files = new ArrayList<>();
        for (JsonNode file : answer) {
            if (file.path("file").asText("").length() > MAX_NAME) {
                continue;
            }
            files.add(new File(file.path("file").asText(""), file.path("python").isTextual() ? file.path("python").asText() : "", time(file.path("time").asText(""))));
        }
        return new PypiIndex(project, files);
    }

    private static Optional<Instant> time(String text) {
        try {
            return text.isEmpty() || text.equals("null") ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /**
     * Why the project itself cannot be had as asked, with this Python; empty when it is not the project's files that stand in the way.
     *
     * @param python the Python at hand, e.g. {@code 3.13.5}
     */
    Optional<InstallOutcome> obstacle(Optional<String> version, Optional<Instant> before, String python) {
        List<File> asked = files.stream().filter(file -> version.isEmpty() || same(versionOf(file.name()), version.get())).toList();
        if (asked.isEmpty()) {
            return Optional.of(new InstallOutcome.NoVersionMatches("the index has no " + project + version.map(v -> " " + v).orElse("") + " (it has "
                    + (files.isEmpty() ? "no file of it at all" : some()) + ")"));
        }
        List<File> inTime = asked.stream().filter(file -> before.isEmpty() || file.uploaded().filter(t -> t.isBefore(before.get())).isPresent()).toList();
        if (inTime.isEmpty()) {
            return Optional.of(new InstallOutcome.NoVersionMatches("no " + project + version.map(v -> " " + v).orElse("") + " had been published by then"));
        }
        List<File> forPython = inTime.stream().filter(file -> PythonRequires.allows(file.requires(), python)).toList();
        if (forPython.isEmpty()) {
            return Optional.of(new InstallOutcome.UnsupportedRuntime(project + " wants Python " + inTime.get(0).requires()));
        }
        if (forPython.stream().allMatch(file -> file.name().endsWith(".whl") && OTHER_PLATFORM.matcher(file.name()).matches()
                && !file.name().contains("manylinux") && !file.name().endsWith("-any.whl"))) {
            return Optional.of(new InstallOutcome.UnsupportedRuntime(project + " has wheels for other platforms only, and no source"));
        }
        return Optional.empty();
    }

    private String some() {
        TreeSet<String> versions = new TreeSet<>();
        files.forEach(file -> versions.add(versionOf(file.name())));
        return versions.size() + " others, e.g. " + versions.last();
    }

    /** The version in the name of a wheel or source archive; empty where there is none. */
    String versionOf(String file) {
        if (file.endsWith(".whl")) {
            String[] parts = file.split("-");
            return parts.length >= 5 ? parts[1] : "";
        }
        String stem = file.replaceFirst("\\.(tar\\.gz|zip|tar\\.bz2|tgz)$", "");
        if (stem.equals(file)) {
            return "";
        }
        // The project's name may itself hold hyphens, in any of its spellings.
        String normal = stem.toLowerCase(Locale.ROOT).replaceAll("[-_.]+", "-");
        return normal.startsWith(project + "-") && stem.length() > project.length() ? stem.substring(stem.length() - (normal.length() - project.length() - 1)) : "";
    }

    /** Equal as releases: 1.0 is 1.0.0, a leading v and case do not count. */
    static boolean same(String a, String b) {
        return release(a).equals(release(b));
    }

    private static String release(String version) {
        String plain = version.toLowerCase(Locale.ROOT).replaceFirst("^v", "").replaceAll("[-_]", ".");
        int end = 0;
        while (end < plain.length() && (Character.isDigit(plain.charAt(end)) || plain.charAt(end) == '.')) {
            end++;
        }
        return plain.substring(0, end).replaceFirst("\\.$", "").replaceFirst("(\\.0+)+$", "") + plain.substring(end);
    }
}

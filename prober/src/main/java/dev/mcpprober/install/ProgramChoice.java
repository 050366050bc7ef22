package dev.mcpprober.install;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which of a package's programs is its server: the only one, else the one named like the package, else the one that looks like MCP.
 *
 * @param name   of the program; empty when it cannot be told
 * @param reason for a person
 */
record ProgramChoice(Optional<String> name, String reason) {
    /**
     * @param packageName without a scope
     * @param programs    name to what it runs, in the package's order; two names for the same thing are one program
     */
    static ProgramChoice of(String packageName, Map<String, String> programs) {
        List<String> names = List.copyOf(programs.keySet());
        if (names.isEmpty()) {
            return new ProgramChoice(Optional.empty(), "the package has no program");
        }
        if (names.size() == 1) {
            return chosen(names.get(0), "the only program");
        }
        Optional<String> like = names.stream().filter(name -> same(name, packageName)).findFirst();
        if (like.isPresent()) {
            return chosen(like.get(), "named like the package, of " + names.size());
        }
        if (Set.copyOf(programs.values()).size() == 1) {
            return chosen(names.get(0), "one program under " + names.size() + " names");
        }
        List<String> mcp = names.stream().filter(ProgramChoice::looksLikeMcp).toList();
        if (mcp.isEmpty()) {
            return new ProgramChoice(Optional.empty(), names.size() + " programs, none named like the package or like MCP: " + listed(names));
        }
        if (distinct(mcp, programs) == 1) {
            return chosen(mcp.get(0), "the one of " + names.size() + " that looks like MCP");
        }
        List<String> servers = mcp.stream().filter(name -> words(name).contains("server") || words(name).contains("stdio")).toList();
        if (distinct(servers, programs) == 1) {
            return chosen(servers.get(0), "the one of " + names.size() + " that looks like an MCP server");
        }
        List<String> ending = mcp.stream().filter(name -> same(name, packageName + "-mcp") || same(name, "mcp-" + packageName)
                || same(name, packageName + "-mcp-server") || same(name, "mcp-server-" + packageName)).toList();
        if (distinct(ending, programs) == 1) {
            return chosen(ending.get(0), "named like the package with MCP, of " + names.size());
        }
        return new ProgramChoice(Optional.empty(), mcp.size() + " of " + names.size() + " programs look like MCP: " + listed(mcp));
    }

    private static ProgramChoice chosen(String name, String why) {
        return new ProgramChoice(Optional.of(name), why);
    }

    private static long distinct(List<String> names, Map<String, String> programs) {
        return names.stream().map(programs::get).distinct().count();
    }

    private static boolean looksLikeMcp(String name) {
        return words(name).contains("mcp") || normal(name).endsWith("mcp") || normal(name).startsWith("mcp");
    }

    private static Set<String> words(String name) {
        return new TreeSet<>(List.of(name.toLowerCase(Locale.ROOT).split("[^a-z0-9]+")));
    }

    private static boolean same(String a, String b) {
        return normal(a).equals(normal(b));
    }

    private static String normal(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_.]+", "-");
    }

    private static String listed(List<String> names) {
        return names.stream().limit(10).collect(Collectors.joining(", ")) + (names.size() > 10 ? ", …" : "");
    }
}

package dev.mcpprober.attribution;

import java.util.ArrayDeque;
import java.util.Deque;

/** Path arithmetic on the absolute {@code /} paths of an {@link InstalledTree}. */
final class TreePaths {
    private TreePaths() {}

    /** The folder of a path; {@code /} for the top. */
    static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** {@code relative} seen from {@code folder}, with {@code .} and {@code ..} taken out; never above the top. */
    static String resolve(String folder, String relative) {
        Deque<String> parts = new ArrayDeque<>();
        for (String part : (relative.startsWith("/") ? relative : folder + "/" + relative).split("/")) {
            if (part.equals("..")) {
                parts.pollLast();
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.addLast(part);
            }
        }
        return "/" + String.join("/", parts);
    }

    static boolean inside(String path, String folder) {
        return folder.equals("/") || path.equals(folder) || path.startsWith(folder + "/");
    }

    /** The path as seen from {@code folder}, for messages. */
    static String relative(String path, String folder) {
        return inside(path, folder) && path.length() > folder.length() ? path.substring(folder.equals("/") ? 1 : folder.length() + 1) : path;
    }
}

package dev.mcpprober.corpus;

import dev.mcpprober.model.PackageUrl;

/** Who published a package, as far as its name tells: the unit in which servers are alike. */
public final class Publishers {
    private Publishers() {}

    /**
     * The npm scope where there is one ({@code npm:@scope}); else the package itself, since neither registry says more without being
     * asked. Targets on disk are publishers of their own.
     */
    public static String of(FrameEntry entry) {
        PackageUrl url = entry.url();
        if (url == null) {
            return entry.label();
        }
        return of(url.registry().id(), url.name());
    }

    /** The same for a name of a registry. */
    public static String of(String registry, String name) {
        int slash = name.indexOf('/');
        return registry + ":" + (slash > 0 ? name.substring(0, slash) : name);
    }

    /** From the name under which a server is declared, {@code io.github.someone/notes}: its namespace; the name itself where it has none. */
    public static String ofDeclaredName(String name) {
        int slash = name.indexOf('/');
        return slash > 0 ? name.substring(0, slash) : name;
    }
}

package dev.mcpprober.cli;

import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest; {@code dev} when run from classes. */
public final class ProberVersion implements IVersionProvider {
    public static String get() {
        String version = ProberVersion.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"prober " + get()};
    }
}

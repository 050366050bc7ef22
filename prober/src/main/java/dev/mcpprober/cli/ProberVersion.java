package dev.mcpprober.cli;

import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest; {@code dev} when run from classes. */
final class ProberVersion implements IVersionProvider {
    static String get() {
        String version = ProberVersion.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"prober " + get()};
    }
}

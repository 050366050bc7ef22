package dev.mcpprober.attribution;

import java.io.IOException;

/**
 * Tells the SDK of an installed server from its files: what its own code imports, never what its manifest or name suggests.
 * Rules and their evidence: {@code prober/docs/installing.md}.
 */
public final class Attributor {
    private Attributor() {}

    /** What a server starts with. Paths are those of the tree. */
    public sealed interface Start {
        /** A script that Node runs, or a native program in an npm package. */
        record Node(String file) implements Start {}

        /** A module that Python runs, of (or for) a distribution. */
        record PythonModule(String sitePackages, String distribution, String module) implements Start {}

        /** A program that a wheel put beside the interpreter. */
        record PythonProgram(String sitePackages, String file) implements Start {}
    }

    /** @throws IOException when the tree can no longer be read; a strange or broken package is {@code unknown}, never an exception */
    public static SdkAttribution attribute(InstalledTree tree, Start start) throws IOException {
        if (start instanceof Start.Node node) {
            return new NodeAttributor(tree).attribute(node.file());
        } else if (start instanceof Start.PythonModule python) {
            return new PyAttributor(tree, python.sitePackages()).attribute(python.distribution(), python.module());
        } else if (start instanceof Start.PythonProgram program) {
            return new PyAttributor(tree, program.sitePackages()).attributeProgram(program.file());
        }
        throw new IllegalStateException("a start of unknown kind");
    }
}

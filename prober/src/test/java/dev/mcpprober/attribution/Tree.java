package dev.mcpprober.attribution;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Builds a small installed tree on disk, as npm or pip would leave it. */
final class Tree {
    static final String APP = "/srv/app/node_modules/app";
    static final String SITE = "/srv/app/venv/lib/python3.13/site-packages";
    private final Path root;

    Tree(Path root) {
        this.root = root;
    }

    Tree file(String path, String text) throws IOException {
        return file(path, text.getBytes(StandardCharsets.UTF_8));
    }

    Tree file(String path, byte[] bytes) throws IOException {
        Path file = root.resolve(path.substring(1));
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
        return this;
    }

    Tree link(String path, String target) throws IOException {
        Path link = root.resolve(path.substring(1));
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of(target));
        return this;
    }

    /** An npm package with more members in its manifest, e.g. {@code "dependencies":{…}}. */
    Tree npm(String folder, String name, String version, String... members) throws IOException {
        String more = members.length == 0 ? "" : "," + String.join(",", members);
        return file(folder + "/package.json", "{\"name\":\"" + name + "\",\"version\":\"" + version + "\"" + more + "}");
    }

    Tree module(String name, String version, String... members) throws IOException {
        return npm("/srv/app/node_modules/" + name, name, version, members);
    }

    /** The server package {@code app} with one script. */
    Tree app(String source, String... members) throws IOException {
        return npm(APP, "app", "1.0.0", members).file(APP + "/index.js", source);
    }

    /** A distribution that owns the given files, which are written with their content: path, content, path, content… */
    Tree dist(String name, String version, String requires, String... files) throws IOException {
        StringBuilder record = new StringBuilder();
        for (int i = 0; i < files.length; i += 2) {
            file(SITE + "/" + files[i], files[i + 1]);
            record.append(files[i]).append(",sha256=x,1\n");
        }
        String info = SITE + "/" + name.replace('-', '_') + "-" + version + ".dist-info";
        StringBuilder metadata = new StringBuilder("Metadata-Version: 2.4\nName: " + name + "\nVersion: " + version + "\n");
        for (String requirement : requires.isEmpty() ? new String[0] : requires.split(";")) {
            metadata.append("Requires-Dist: ").append(requirement).append('\n');
        }
        return file(info + "/METADATA", metadata + "\nRequires-Dist: not-a-header\n").file(info + "/RECORD", record.toString());
    }

    InstalledTree tree() throws IOException {
        return new DirectoryTree(root);
    }

    SdkAttribution node() throws IOException {
        return node(APP + "/index.js");
    }

    SdkAttribution node(String file) throws IOException {
        return Attributor.attribute(tree(), new Attributor.Start.Node(file));
    }

    SdkAttribution python(String distribution, String module) throws IOException {
        return Attributor.attribute(tree(), new Attributor.Start.PythonModule(SITE, distribution, module));
    }
}

package dev.mcpprober.dataset.release;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.DataPackage;
import dev.mcpprober.dataset.Judge;
import dev.mcpprober.dataset.ParquetTables;
import dev.mcpprober.dataset.ReleaseData;
import dev.mcpprober.dataset.TableSchema;
import dev.mcpprober.dataset.Veil;
import dev.mcpprober.dataset.audit.AuditException;
import dev.mcpprober.dataset.audit.AuditTables;
import dev.mcpprober.dataset.audit.Audited;
import dev.mcpprober.dataset.declared.DeclaredShares;
import dev.mcpprober.dataset.disclosure.Disclosure;
import dev.mcpprober.dataset.disclosure.NameScan;
import dev.mcpprober.dataset.report.Report;
import dev.mcpprober.dataset.shares.ShareTable;
import dev.mcpprober.dataset.shares.Shares;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Folders;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A folder to publish: tables with their description, a card, licence, citation, provenance and checksums. The same run, rules and
 * options give the same bytes; nothing holds a time of writing, a host's name or a path of this machine.
 */
public final class Release {
    /** No folder without a file of this name is a release. */
    public static final String SUMS = "SHA256SUMS";
    static final String DATA = "data/";
    static final String LICENSE = "CC-BY-4.0";

    /**
     * What is asked for.
     *
     * @param ruleDigests  rule set to SHA-256 of its file
     * @param transcripts  whether they are part of it
     * @param author       who publishes it
     * @param previous     an earlier release, whose version this one follows; null for none
     * @param wantedVersion semantic version, or empty for the one that follows
     * @param report       whether a report of it is part of it
     * @param disclosure   which servers are not named
     * @param audited      labels of the run
     * @param parquet      writes the tables as Parquet too; empty for CSV alone
     */
    public record Options(Map<String, String> ruleDigests, boolean transcripts, String author, Path previous, String wantedVersion, boolean report, Disclosure disclosure,
                          Audited audited, Optional<ParquetTables> parquet) {
        /** Without Parquet. */
        public Options(Map<String, String> ruleDigests, boolean transcripts, String author, Path previous, String wantedVersion, boolean report, Disclosure disclosure,
                       Audited audited) {
            this(ruleDigests, transcripts, author, previous, wantedVersion, report, disclosure, audited, Optional.empty());
        }

        /** Without a report and an audit. Names every server. */
        public Options(Map<String, String> ruleDigests, boolean transcripts, String author, Path previous, String wantedVersion) {
            this(ruleDigests, transcripts, author, previous, wantedVersion, false);
        }

        /** Without an audit. Names every server. */
        public Options(Map<String, String> ruleDigests, boolean transcripts, String author, Path previous, String wantedVersion, boolean report) {
            this(ruleDigests, transcripts, author, previous, wantedVersion, report, Disclosure.NONE, Audited.none());
        }

        /** Without an audit. */
        public Options(Map<String, String> ruleDigests, boolean transcripts, String author, Path previous, String wantedVersion, boolean report, Disclosure disclosure) {
            this(ruleDigests, transcripts, author, previous, wantedVersion, report, disclosure, Audited.none());
        }
    }

    /**
     * @param files      in order, relative to the folder
     * @param why        of the version
     * @param unmeasured targets without a result
     */
    public record Result(List<String> files, String version, String why, int unmeasured) {}

    private Release() {}

    /** @throws RefusedException when {@code out} holds something else, or the version would not follow from the earlier release */
    public static Result build(RunFolder run, Analysis analysis, Path out, Options options) throws IOException, RefusedException {
        Path target = out.toAbsolutePath().normalize();
        boolean replaces = replaceable(target);
        Path beside = target.resolveSibling("." + target.getFileName() + ".building");
        Folders.delete(beside);
        try {
            Result result = write(run, analysis, beside, options);
            if (replaces) {
                Path old = target.resolveSibling("." + target.getFileName() + ".old");
                Folders.delete(old);
                Files.move(target, old, StandardCopyOption.ATOMIC_MOVE);
                Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE);
                Folders.delete(old);
            } else {
                Files.deleteIfExists(target);
                Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE);
            }
            return result;
        } finally {
            Folders.delete(beside);
        }
    }

    private static boolean replaceable(Path target) throws IOException, RefusedException {
        if (!Files.exists(target)) {
            return false;
        }
        if (!Files.isDirectory(target)) {
            throw new RefusedException(target + " is a file; name a folder");
        }
        try (Stream<Path> files = Files.list(target)) {
            if (files.findAny().isEmpty()) {
                return false;
            }
        }
        if (!Files.isRegularFile(target.resolve(SUMS)) || !Files.isRegularFile(target.resolve(DataPackage.FILE_NAME))) {
            throw new RefusedException(target + " holds something that is no release; name a new or an empty folder");
        }
        List<String> known = Checksums.read(target.resolve(SUMS)).stream().map(Checksums.Line::path).toList();
        List<String> foreign = Checksums.files(target).stream().filter(file -> !known.contains(file) && !file.equals(SUMS)).toList();
        if (!foreign.isEmpty()) {
            throw new RefusedException(target + " holds a release and files beside it that would be lost, e.g. " + foreign.get(0));
        }
        return true;
    }

    private static Result write(RunFolder run, Analysis analysis, Path folder, Options options) throws IOException, RefusedException {
        List<String> labels = analysis.judges().stream().map(Judge::label).toList();
        Shares shares = new Shares();
        DeclaredShares declared = new DeclaredShares();
        Audited.Count audited = options.audited().begin();
        ReleaseData data = ReleaseData.write(run, analysis, options.ruleDigests(), folder.resolve("data"), options.transcripts() ? folder : null, options.disclosure().veil(), server -> {
            Optional<Veil.Traits> told = options.disclosure().veil().told(server.row().target());
            shares.add(server, told);
            declared.add(server, told);
        }, audited::add);
        try {
            audited.write(folder.resolve("data"), options.disclosure().veil()::name);
        } catch (AuditException e) {
            throw new RefusedException(e.getMessage());
        }
        ShareTable.write(shares.finish(labels), folder.resolve("data"));
        DeclaredShares.write(declared.finish(), folder.resolve("data"));
        List<TableSchema> tables = new ArrayList<>(data.tables());
        tables.add(ShareTable.SCHEMA);
        tables.add(DeclaredShares.SCHEMA);
        tables.addAll(AuditTables.ALL);
        if (options.parquet().isPresent()) {
            ParquetFiles.write(options.parquet().get(), folder.resolve("data"), tables);
        }
        Provenance provenance = new Provenance(data, analysis.extractor(), labels, options);
        Map<String, String> facts = provenance.facts();
        // First without a version, so that it can be held against the earlier release.
        String name = "mcp-prober-" + data.info().frameHash().substring(0, 12);
        DataPackage.write(folder, DATA, head(name, data, "", facts), tables);
        DataVersion version = DataVersion.following(options.previous(), folder, options.wantedVersion());
        DataPackage.write(folder, DATA, head(name, data, version.version(), facts), tables);
        provenance.write(folder.resolve("provenance.json"), version.version());
        Map<String, String> texts = new Card(data, tables, labels, version, options, audited.markdown()).texts();
        for (Map.Entry<String, String> text : texts.entrySet()) {
            AtomicFiles.write(folder.resolve(text.getKey()), text.getValue().getBytes(StandardCharsets.UTF_8));
        }
        if (options.report()) {
            // Of the release's own tables, so that it can say nothing that they do not.
            Report.ofRelease(folder, folder.resolve(Report.FOLDER));
        }
        refuseNames(folder, options.disclosure().names());
        List<String> files = Checksums.write(folder);
        return new Result(files, version.version(), version.why(), data.summary().coverage().unmeasured());
    }

    /** The last word on what is withheld: whatever made a file, it does not leave with such a name in it. */
    private static void refuseNames(Path folder, NameScan names) throws IOException, RefusedException {
        // Parquet is compressed: a name could not be seen in it, and short ones stand in such bytes by chance. It is made of the CSVs, which are looked through.
        List<NameScan.Hit> hits = names.hits(folder, Checksums.files(folder).stream().filter(file -> !file.endsWith(ParquetFiles.ENDING)).toList());
        if (!hits.isEmpty()) {
            NameScan.Hit hit = hits.get(0);
            throw new RefusedException(hits.size() + (hits.size() == 1 ? " file names" : " files name") + " a server that is withheld, the first one " + hit.file()
                    + (hit.line() > 0 ? ", line " + hit.line() : "") + " (the server of line " + hit.frameLine() + " of the frame); withhold the server of that row too, by a line in "
                    + "the disclosure file, or leave out transcripts where it stands in one");
        }
    }

    private static DataPackage.Head head(String name, ReleaseData data, String version, Map<String, String> facts) {
        int unmeasured = data.summary().coverage().unmeasured();
        String description = (unmeasured == 0 ? "" : "Incomplete: " + unmeasured + " of " + data.summary().coverage().frame() + " rows of the frame are unmeasured. ")
                + "What MCP servers on npm and PyPI do when a call goes wrong: observations from recorded sessions, and verdicts on them.";
        return new DataPackage.Head(name, "MCP server conformance", description, version, LICENSE, new TreeMap<>(facts));
    }
}

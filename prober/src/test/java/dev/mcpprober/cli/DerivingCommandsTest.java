package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What compare, stats and dataset say to a command line that is wrong; what they derive is tested in package dataset. */
class DerivingCommandsTest {
    @TempDir Path temp;

    private void refused(String says, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = ProberCommand.run(args, new PrintWriter(out, true), new PrintWriter(err, true));
        assertEquals(ExitCode.USAGE, status, err.toString());
        assertTrue(err.toString().contains(says), err.toString());
        assertEquals("", out.toString());
    }

    @Test
    void compareTakesTwoOfEither() throws Exception {
        String run = temp.toString();
        Files.writeString(temp.resolve("census.json"), "{}");
        refused("there is one run and no --rules", "compare", run);
        refused("there are 3 runs", "compare", run, run, run);
        refused("--rules names 1", "compare", run, "--rules", "spec");
        refused("two runs are compared under one rule set, and 2 are named", "compare", run, run, "--rules", "spec,sep-2145");
        refused("--rules: both are spec@", "compare", run, "--rules", "spec,spec");
        refused("no rule set \"sep-9\"", "compare", run, "--rules", "spec,sep-9");
        refused("format version unknown", "compare", run, "--rules", "spec,sep-2145");
        refused("is no folder", "compare", run + "/none", "--rules", "spec,sep-2145");
    }

    @Test
    void aFolderThatIsNoRunIsNamedAsTheCommandLineHasIt() throws Exception {
        String run = temp.toString();
        String none = run + "/none";
        Files.writeString(temp.resolve("census.json"), "{}");
        String frame = Files.writeString(temp.resolve("frame.csv"), "target\nnpm:a\n").toString();
        refused("prober: DIR: " + none, "stats", none);
        refused("prober: A: " + none, "drift", none, run);
        refused("prober: B: " + none, "drift", run, none);
        refused("prober: PART: " + none, "census", "merge", none, "--to", run + "/out");
        refused("prober: --lock: " + none, "census", "run", frame, "--lock", none);
        refused("prober: --durations: " + none, "census", "run", frame, "--durations", none);
    }

    @Test
    void gradeSaysWhichTablesItLeftAlone() throws Exception {
        assertEquals("", GradeCommand.tables(temp, List.of("spec")));
        Files.createDirectory(temp.resolve("dataset"));
        assertEquals("the other tables in dataset/ are as they were; prober dataset build " + temp + " --rules spec,sep-2145 makes them anew\n",
                GradeCommand.tables(temp, List.of("spec", "sep-2145")));
    }

    @Test
    void statsKnowsItsGroupings() {
        refused("--by: no grouping \"colour\"; there are all, registry,", "stats", temp.toString(), "--by", "colour");
        refused("holds no census.json", "stats", temp.toString());
    }

    @Test
    void aReleaseIsAskedForWithTo() throws Exception {
        Files.writeString(temp.resolve("census.json"), "{}");
        refused("say where with --to OUT", "dataset", "build", temp.toString(), "--transcripts");
        refused("--author: one line", "dataset", "build", temp.toString(), "--to", temp.resolve("out").toString(), "--author", "a\"b");
        for (String[] option : new String[][] {{"--parquet"}, {"--author", "me"}, {"--hold-days", "30"}, {"--today", "2026-01-01"}}) {
            refused("say where with --to OUT", Stream.concat(Stream.of("dataset", "build", temp.toString()), Stream.of(option)).toArray(String[]::new));
        }
        refused("holds no datapackage.json, so it is no release", "dataset", "verify", temp.toString());
        refused("format version unknown", "dataset", "build", temp.toString(), "--to", temp.resolve("out").toString());
    }

    @Test
    void withoutItsModuleParquetIsRefusedBeforeAnythingIsWritten() throws Exception {
        Files.writeString(temp.resolve("census.json"), "{}");
        String module = "--parquet: the module for Parquet is not on the class path. prober/bin/prober builds it and puts it there";
        refused(module, "dataset", "build", temp.toString(), "--to", temp.resolve("out").toString(), "--parquet");
        refused(module, "dataset", "verify", temp.toString(), "--parquet");
    }

    @Test
    void whatIsWithheldAndRedactedIsSaidInFull() throws Exception {
        Files.writeString(temp.resolve("census.json"), "{}");
        String run = temp.toString();
        String out = temp.resolve("out").toString();
        refused("say where with --to OUT", "dataset", "build", run, "--key", "k");
        refused("say where with --to OUT", "dataset", "build", run, "--disclosure", "d.csv");
        refused("--hold-days: -1 is not between 0 and 3650", "dataset", "build", run, "--to", out, "--hold-days", "-1");
        refused("--today: \"soon\" is no day (YYYY-MM-DD)", "dataset", "notify", run, "--to", out, "--today", "soon");
        refused("--key: the key lies in the folder that is to be published", "dataset", "build", run, "--to", out, "--key", out + "/study.key");
        refused("no such file; write one with the columns target,check,policy,date,answer,note", "dataset", "build", run, "--to", out, "--disclosure", run + "/none.csv");
        String file = Files.writeString(temp.resolve("key"), "mine").toString();
        refused("--to: \"" + file + "/study.key\" cannot be written: ", "dataset", "key", "--to", file + "/study.key");
        refused("key is there already", "dataset", "key", "--to", file);
        refused("--redact-rules: " + run + "/none.toml: no such file", "dataset", "build", run, "--redact-rules", run + "/none.toml");
        String rules = Files.writeString(temp.resolve("r.toml"), "[[rules]]\nid = \"a\"\nregex = '('\n").toString();
        refused("--redact-rules: " + rules + ", rule 1 (a), regex: ", "report", run, "--redact-rules", rules);
        refused("--redact-rules: " + rules + ", rule 1 (a), regex: ", "check", "--cmd", "true", "--redact-rules", rules);
    }

    /** Before anything is read, since that may take minutes. */
    @Test
    void whereNothingCanBeWrittenIsToldFirst() throws Exception {
        Files.writeString(temp.resolve("census.json"), "no run");
        String run = temp.toString();
        String below = Files.writeString(temp.resolve("file"), "").resolve("out").toString();
        for (String[] command : new String[][] {{"compare", run, run}, {"census", "merge", run}, {"stats", run}, {"report", run}, {"audit", "sample", run}, {"audit", "score", run, "--labels", "l.csv"}}) {
            String[] all = Arrays.copyOf(command, command.length + 2);
            all[command.length] = "--to";
            all[command.length + 1] = below;
            refused("--to: \"" + below + "\" cannot be written: ", all);
        }
    }

    /** drift wrote its datapackage.json over that of the release. */
    @Test
    void tablesDoNotGoIntoARelease() throws Exception {
        Files.writeString(temp.resolve("census.json"), "{}");
        String run = temp.toString();
        String release = Files.createDirectory(temp.resolve("release")).toString();
        Files.writeString(temp.resolve("release/SHA256SUMS"), "");
        for (String[] command : new String[][] {{"compare", run, run}, {"drift", run, run}, {"stats", run}}) {
            refused("--to: \"" + release + "\" is a release", Stream.concat(Stream.of(command), Stream.of("--to", release)).toArray(String[]::new));
        }
    }

    @Test
    void aReportIsOfARunOrOfARelease() throws Exception {
        String run = temp.toString();
        refused("holds no census.json", "report", run);
        Files.writeString(temp.resolve("census.json"), "{}");
        refused("--to: " + run + " holds something that is no report", "report", run, "--to", run);
        refused("is no folder", "report", run, "--against", run + "/none");
        Path release = Files.createDirectories(temp.resolve("release/data")).getParent();
        Files.writeString(release.resolve("datapackage.json"), "{}");
        refused("--rules, --against and --audit are for run folders", "report", release.toString(), "--rules", "spec");
        refused("name another folder with --to", "report", release.toString());
        refused("DIR is not as it was built: ", "report", release.toString(), "--to", temp.resolve("out").toString());
    }
}

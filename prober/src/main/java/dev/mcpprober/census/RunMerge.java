package dev.mcpprober.census;

import dev.mcpprober.corpus.Shard;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Makes one run of the shards of a frame. The shards stay as they are. */
public final class RunMerge {
    private RunMerge() {}

    private record Part(RunFolder folder, RunInfo info, Shard shard) {}

    /**
     * @param into a folder that does not exist, or is empty
     * @throws RunRefused  when the parts are not the shards of one census, or not all of them
     * @throws IOException when one cannot be read, or the new one cannot be written
     */
    public static RunFolder merge(List<Path> parts, Path into, Clock clock) throws IOException {
        List<Part> shards = read(parts);
        complete(shards);
        RunFolder folder = new RunFolder(into);
        if (Files.exists(into)) {
            try (Stream<Path> inside = Files.list(into)) {
                if (inside.findAny().isPresent()) {
                    throw new RunRefused("folder " + into + " is not empty. Choose a new one.");
                }
            }
        }
        List<RunLock> locks = new ArrayList<>();
        try {
            for (Part part : shards) {
                locks.add(RunLock.take(part.folder().lock()));
            }
            Files.createDirectories(into);
            write(shards, folder, clock);
            return folder;
        } finally {
            for (RunLock lock : locks) {
                lock.close();
            }
        }
    }

    private static List<Part> read(List<Path> paths) throws IOException {
        List<Part> parts = new ArrayList<>();
        for (Path path : paths) {
            RunFolder folder = new RunFolder(path);
            RunInfo info = folder.readInfo();
            String shard = info.settings().get(RunInfo.SHARD);
            if (shard == null) {
                throw new RunRefused("run folder " + path + ": no shard (made without --shard), so it is whole by itself");
            }
            parts.add(whole(new Part(folder, info, parse(path, shard))));
        }
        parts.sort(Comparator.comparing(part -> part.shard().index()));
        return parts;
    }

    private static Shard parse(Path path, String shard) throws RunRefused {
        try {
            return Shard.parse(shard);
        } catch (IllegalArgumentException e) {
            throw new RunRefused("run folder " + path + ": " + e.getMessage());
        }
    }

    /** What a part has lost nobody would miss in the whole, which is made of what the parts have. */
    private static Part whole(Part part) throws IOException {
        List<FrameRow> rows = part.folder().readFrame();
        if (rows.size() != part.info().frameRows()) {
            throw new RunRefused(part.folder().frame() + " has " + rows.size() + " rows, its census.json says " + part.info().frameRows());
        }
        for (FrameRow row : rows) {
            if (!part.shard().contains(row.target())) {
                throw new RunRefused(part.folder().frame() + " has row " + row.target() + ", which is not of shard " + part.shard());
            }
        }
        if (!Files.exists(part.folder().ledger())) {
            throw new RunRefused("run folder " + part.folder().path() + " has no ledger.jsonl: it was never begun, or has lost it");
        }
        return part;
    }

    private static void complete(List<Part> parts) throws RunRefused {
        Part first = parts.get(0);
        for (Part part : parts) {
            if (part.shard().count() != first.shard().count()) {
                throw new RunRefused(part.folder().path() + " is shard " + part.shard() + ", " + first.folder().path() + " is shard " + first.shard());
            }
            var refusal = first.info().withoutShard().refusal(part.info().withoutShard());
            if (refusal.isPresent()) {
                throw new RunRefused(first.folder().path() + " and " + part.folder().path() + " are of different runs: " + refusal.get());
            }
        }
        for (int i = 1; i <= first.shard().count(); i++) {
            int index = i;
            List<Part> of = parts.stream().filter(part -> part.shard().index() == index).toList();
            if (of.isEmpty()) {
                throw new RunRefused("shard " + i + "/" + first.shard().count() + " is missing");
            }
            if (of.size() > 1) {
                throw new RunRefused(of.get(0).folder().path() + " and " + of.get(1).folder().path() + " are both shard " + of.get(0).shard());
            }
        }
    }

    private static void write(List<Part> parts, RunFolder into, Clock clock) throws IOException {
        List<FrameRow> rows = new ArrayList<>();
        for (Part part : parts) {
            rows.addAll(part.folder().readFrame());
        }
        rows.sort(Comparator.comparingInt(FrameRow::line));
        into.writeFrame(rows);
        try (Ledger ledger = Ledger.open(into.ledger())) {
            RunAbsorber absorber = new RunAbsorber(into, ledger);
            for (Part part : parts) {
                absorber.book(absorber.take(part.folder()));
            }
            ledger.append(new LedgerEvent.Closed(clock.instant().truncatedTo(ChronoUnit.MILLIS).toString(), ""));
        }
        // Last: a folder without it is no run, so one that was broken off is none.
        into.writeInfo(info(parts, rows.size(), clock));
    }

    private static RunInfo info(List<Part> parts, int rows, Clock clock) {
        RunInfo first = parts.get(0).info().withoutShard();
        Map<String, String> images = new TreeMap<>();
        Map<String, String> host = new TreeMap<>();
        for (Part part : parts) {
            part.info().images().forEach((name, digest) -> images.put(same(parts, name, digest) ? name : name + " of shard " + part.shard().index(), digest));
            part.info().host().forEach((name, value) -> host.put("shard " + part.shard().index() + " " + name, value));
        }
        return new RunInfo(first.formatVersion(), clock.instant().truncatedTo(ChronoUnit.SECONDS).toString(), first.proberVersion(),
                first.frameFile(), first.frameHash(), rows, first.seed(), first.profile(), first.settings(), images, host);
    }

    private static boolean same(List<Part> parts, String image, String digest) {
        return parts.stream().allMatch(part -> digest.equals(part.info().images().get(image)));
    }
}

package dev.mcpprober.redaction;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Bytes of a line to be replaced. {@code id} names what was found, and is empty where digits only take the place of digits. */
record Cut(int from, int to, byte[] instead, String id) {
    private static final Comparator<Cut> ORDER = Comparator.comparingInt(Cut::from).thenComparing(Comparator.comparingInt(Cut::to).reversed());

    Cut followedBy(String more) {
        return more.isEmpty() ? this : new Cut(from, to, (new String(instead, StandardCharsets.ISO_8859_1) + more).getBytes(StandardCharsets.ISO_8859_1), id);
    }

    /** In order; of those that overlap, the first one takes the place of all. */
    static List<Cut> merged(List<Cut> cuts) {
        List<Cut> out = new ArrayList<>();
        for (Cut cut : cuts.stream().sorted(ORDER).toList()) {
            Cut last = out.isEmpty() ? null : out.get(out.size() - 1);
            if (last == null || cut.from() >= last.to()) {
                out.add(cut);
            } else if (cut.to() > last.to()) {
                out.set(out.size() - 1, new Cut(last.from(), cut.to(), last.instead(), last.id()));
            }
        }
        return out;
    }

    /** The bytes from {@code start} to {@code end} with what is cut replaced; a cut that began before leaves nothing in its place. */
    static byte[] apply(byte[] bytes, int start, int end, List<Cut> merged) {
        int first = firstAfter(start, merged);
        // A line may have tens of MiB: it is in memory once more and no oftener.
        int length = end - start;
        for (int i = first; i < merged.size() && merged.get(i).from() < end; i++) {
            Cut cut = merged.get(i);
            length += (cut.from() >= start ? cut.instead().length : 0) - (Math.min(end, cut.to()) - Math.max(start, cut.from()));
        }
        byte[] out = new byte[length];
        int at = start;
        int to = 0;
        for (int i = first; i < merged.size() && merged.get(i).from() < end; i++) {
            Cut cut = merged.get(i);
            if (cut.from() >= start) {
                System.arraycopy(bytes, at, out, to, cut.from() - at);
                to += cut.from() - at;
                System.arraycopy(cut.instead(), 0, out, to, cut.instead().length);
                to += cut.instead().length;
            }
            at = Math.min(end, cut.to());
        }
        System.arraycopy(bytes, at, out, to, end - at);
        return out;
    }

    /** The first cut that ends after {@code start}. */
    private static int firstAfter(int start, List<Cut> merged) {
        int low = 0;
        int high = merged.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (merged.get(middle).to() <= start) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}

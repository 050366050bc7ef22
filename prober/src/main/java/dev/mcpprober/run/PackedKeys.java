package dev.mcpprober.run;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The work keys of a finished target in a fifth of the space: a frame has some hundred thousand of them. Nothing is lost. */
final class PackedKeys {
    private static final int DIGEST = 32;
    private static final int ENTRY = 2 * DIGEST + 2 * Integer.BYTES;

    private final byte[] entries;
    private final int installs;

    private PackedKeys(byte[] entries, int installs) {
        this.entries = entries;
        this.installs = installs;
    }

    /** One key. {@code number} is that of the attempt that completed it. */
    private record Entry(String key, int attempts, int number, String sha256) {}

    /** Empty where something of them has no place here: a fault, an attempt under way, a name of another form. */
    static Optional<PackedKeys> of(Map<String, LedgerState.OfKey> keys) {
        LedgerState.OfKey install = keys.get(LedgerEvent.INSTALL);
        ByteBuffer entries = ByteBuffer.allocate(ENTRY * (keys.size() - (install == null ? 0 : 1)));
        for (Map.Entry<String, LedgerState.OfKey> entry : keys.entrySet()) {
            LedgerState.OfKey of = entry.getValue();
            if (!of.isPlain()) {
                return Optional.empty();
            }
            if (of == install) {
                continue;
            }
            Optional<Entry> packed = entry(entry.getKey(), of);
            if (packed.isEmpty()) {
                return Optional.empty();
            }
            entries.put(HexFormat.of().parseHex(entry.getKey())).putInt(of.attempts()).putInt(packed.get().number()).put(HexFormat.of().parseHex(packed.get().sha256()));
        }
        return Optional.of(new PackedKeys(entries.array(), install == null ? -1 : install.attempts()));
    }

    private static Optional<Entry> entry(String key, LedgerState.OfKey of) {
        if (!key.matches("[0-9a-f]{64}") || of.completed().isEmpty()) {
            return Optional.empty();
        }
        LedgerState.Done done = of.completed().get();
        String prefix = key.substring(0, 16) + "-";
        if (!done.sha256().matches("[0-9a-f]{64}") || !done.attempt().startsWith(prefix) || !done.attempt().substring(prefix.length()).matches("[1-9]\\d{0,8}")) {
            return Optional.empty();
        }
        return Optional.of(new Entry(key, of.attempts(), Integer.parseInt(done.attempt().substring(prefix.length())), done.sha256()));
    }

    /** As they were, in their order; the install comes first. */
    Map<String, LedgerState.OfKey> unpacked() {
        Map<String, LedgerState.OfKey> keys = new LinkedHashMap<>();
        if (installs >= 0) {
            keys.put(LedgerEvent.INSTALL, new LedgerState.OfKey(installs, null));
        }
        ByteBuffer bytes = ByteBuffer.wrap(entries);
        byte[] digest = new byte[DIGEST];
        while (bytes.hasRemaining()) {
            bytes.get(digest);
            String key = HexFormat.of().formatHex(digest);
            int attempts = bytes.getInt();
            int number = bytes.getInt();
            bytes.get(digest);
            keys.put(key, new LedgerState.OfKey(attempts, new LedgerState.Done(key.substring(0, 16) + "-" + number, HexFormat.of().formatHex(digest))));
        }
        return keys;
    }

    /** The attempt that completed each key, in their order. */
    List<String> attempts() {
        List<String> attempts = new ArrayList<>();
        for (LedgerState.OfKey key : unpacked().values()) {
            key.completed().ifPresent(done -> attempts.add(done.attempt()));
        }
        return attempts;
    }
}

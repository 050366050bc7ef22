package dev.mcpprober.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a ledger's events amount to, target by target. Not for use by several threads at once; {@link #apply} takes the events
 * in the order of the file.
 */
public final class LedgerState {
    private final Map<String, OfTarget> targets = new LinkedHashMap<>();
    private String openedBy = "";
    private boolean closed;
    private String closeReason = "";

    /** Everything about one target. */
    public static final class OfTarget {
        private final String id;
        private Map<String, OfKey> keys = Map.of();
        /** The keys of a finished target, whose attempts are those that count; else null. */
        private PackedKeys packed;
        private boolean excluded;
        private LedgerEvent.Installed installed;
        private LedgerEvent.Finished finished;

        private OfTarget(String id) {
            this.id = id;
        }

        public boolean excluded() {
            return excluded;
        }

        /** The last install that came to a result. */
        public Optional<LedgerEvent.Installed> installed() {
            return Optional.ofNullable(installed);
        }

        /** Present while the target is measured. */
        public Optional<LedgerEvent.Finished> finished() {
            return Optional.ofNullable(packed == null ? finished : new LedgerEvent.Finished(finished.at(), id, finished.state(), finished.detail(), packed.attempts()));
        }

        public OfKey key(String key) {
            return keys().getOrDefault(key, OfKey.NONE);
        }

        public Map<String, OfKey> keys() {
            return packed == null ? Collections.unmodifiableMap(keys) : packed.unpacked();
        }

        /** The last fault of any of its attempts. */
        public Optional<LedgerEvent.Faulted> lastFault() {
            return keys.values().stream().map(k -> k.lastFault).filter(f -> f != null).max((a, b) -> a.at().compareTo(b.at()));
        }

        public TargetState state() {
            if (excluded) {
                return TargetState.EXCLUDED;
            }
            return finished == null ? TargetState.UNMEASURED : TargetState.of(finished.state());
        }

        private OfKey change(String key) {
            return changing().computeIfAbsent(key, k -> new OfKey());
        }

        private Map<String, OfKey> changing() {
            if (packed != null) {
                finished = finished().orElse(null);
                keys = packed.unpacked();
                packed = null;
            } else if (keys.isEmpty()) {
                keys = new LinkedHashMap<>(8);
            }
            return keys;
        }

        /** What is finished is seldom looked at again: it keeps no text twice. */
        private void finish(LedgerEvent.Finished event) {
            Map<String, OfKey> whole = changing();
            finished = event;
            Optional<PackedKeys> small = PackedKeys.of(whole).filter(pack -> pack.attempts().equals(event.attempts()));
            if (small.isPresent()) {
                finished = new LedgerEvent.Finished(event.at(), id, TargetState.of(event.state()).id(), event.detail().intern(), List.of());
                packed = small.get();
                keys = Map.of();
            }
        }

        private void install(LedgerEvent.Installed event) {
            installed = new LedgerEvent.Installed(event.at(), id, event.attempt(), event.outcome().intern(), event.usable(), event.sha256());
            change(LedgerEvent.INSTALL).open = null;
        }
    }

    /** Everything about one work key of one target. */
    public static final class OfKey {
        private static final OfKey NONE = new OfKey();
        private List<LedgerEvent.Faulted> faults = List.of();
        private Done completed;
        private LedgerEvent.Started open;
        private LedgerEvent.Faulted lastFault;
        private int attempts;

        OfKey() {}

        OfKey(int attempts, Done completed) {
            this.attempts = attempts;
            this.completed = completed;
        }

        /** Nothing else is known of it than how often it was tried and what completed it. */
        boolean isPlain() {
            return faults.isEmpty() && open == null && lastFault == null;
        }

        /** Attempts started so far, whatever became of them. */
        public int attempts() {
            return attempts;
        }

        /** Faults since the last time that a retry was allowed. */
        public List<LedgerEvent.Faulted> faults() {
            return faults;
        }

        /** The last session that came to its end. */
        public Optional<Done> completed() {
            return Optional.ofNullable(completed);
        }

        /** Started and neither completed nor faulted: under way, or broken off by a death of the program. */
        public Optional<LedgerEvent.Started> open() {
            return Optional.ofNullable(open);
        }
    }

    /** A session that came to its end; a frame has some hundred thousand of them, so nothing more is kept. */
    public record Done(String attempt, String sha256) {}

    public void apply(LedgerEvent event) {
        if (event instanceof LedgerEvent.Opened e) {
            openedBy = e.proberVersion();
            closed = false;
        } else if (event instanceof LedgerEvent.Closed e) {
            closed = true;
            closeReason = e.reason();
        } else if (event instanceof LedgerEvent.Excluded e) {
            target(e.target()).excluded = true;
        } else if (event instanceof LedgerEvent.Planned e) {
            target(e.target()).change(e.key());
        } else if (event instanceof LedgerEvent.Started e) {
            OfKey key = target(e.target()).change(e.key());
            key.open = e;
            key.attempts++;
            // Work on a measured target means that what stood for it was found damaged.
            target(e.target()).finished = null;
        } else if (event instanceof LedgerEvent.Installed e) {
            target(e.target()).install(e);
        } else if (event instanceof LedgerEvent.Completed e) {
            OfKey key = target(e.target()).change(e.key());
            key.open = null;
            key.completed = new Done(e.attempt(), e.sha256());
        } else if (event instanceof LedgerEvent.Faulted e) {
            OfKey key = target(e.target()).change(e.key());
            key.open = null;
            key.lastFault = e;
            key.faults = Stream.concat(key.faults.stream(), Stream.of(e)).toList();
        } else if (event instanceof LedgerEvent.Finished e) {
            target(e.target()).finish(e);
        } else if (event instanceof LedgerEvent.RetryAllowed e) {
            target(e.target()).changing().values().forEach(key -> key.faults = List.of());
        }
    }

    private OfTarget target(String id) {
        return targets.computeIfAbsent(id, OfTarget::new);
    }

    /** An empty state for a target that the ledger does not know. */
    public OfTarget of(String target) {
        return targets.getOrDefault(target, new OfTarget(target));
    }

    /** Attempts that were started and have no end. */
    public List<LedgerEvent.Started> open() {
        List<LedgerEvent.Started> out = new ArrayList<>();
        for (OfTarget target : targets.values()) {
            for (OfKey key : target.keys.values()) {
                key.open().ifPresent(out::add);
            }
        }
        return out;
    }

    /** True after a clean end, whether all was done or not. */
    public boolean closed() {
        return closed;
    }

    /** Why the last run ended early; empty where it did not. */
    public String closeReason() {
        return closeReason;
    }

    /** Version of the program that last opened the folder; empty before the first. */
    public String openedBy() {
        return openedBy;
    }

    /** Counts the states of the given targets, which are the whole frame. */
    public Coverage coverage(Iterable<String> frame) {
        int[] counts = new int[TargetState.values().length];
        int total = 0;
        for (String target : frame) {
            counts[of(target).state().ordinal()]++;
            total++;
        }
        return new Coverage(total, counts[TargetState.EXCLUDED.ordinal()], counts[TargetState.UNMEASURED.ordinal()],
                counts[TargetState.NOT_INSTALLED.ordinal()], counts[TargetState.START_FAILED.ordinal()], counts[TargetState.STARTED.ordinal()]);
    }
}

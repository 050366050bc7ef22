package dev.mcpprober.toolfailure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The closed set of classes, each with the codes that the proposal recommends for it. */
public enum FailureClass {
    CAPABILITY("capability", Set.of("capability_unsupported", "resource_not_found", "invalid_input")),
    RELIABILITY("reliability", Set.of("retryable_transient_error")),
    GOVERNANCE("governance", Set.of("auth_required", "permission_denied", "policy_blocked", "user_action_required"));

    private final String id;
    private final Set<String> baseline;

    FailureClass(String id, Set<String> baseline) {
        this.id = id;
        this.baseline = baseline;
    }

    public String id() {
        return id;
    }

    /** Empty for anything but the three literals; {@code Capability} is none. */
    public static Optional<FailureClass> of(String id) {
        return Arrays.stream(values()).filter(c -> c.id.equals(id)).findFirst();
    }

    /** The class that the proposal's table gives to a baseline code; empty for codes of a server's own. */
    static Optional<FailureClass> ofCode(String code) {
        return Arrays.stream(values()).filter(c -> c.baseline.contains(code)).findFirst();
    }

    /** The baseline code that {@code code} is but for case and word breaks, e.g. {@code auth_required} for {@code authRequired}. */
    static Optional<String> respelled(String code) {
        List<String> all = Arrays.stream(values()).flatMap(c -> c.baseline.stream()).toList();
        return all.contains(code) ? Optional.empty() : all.stream().filter(known -> plain(known).equals(plain(code))).findFirst();
    }

    private static String plain(String code) {
        return code.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }
}

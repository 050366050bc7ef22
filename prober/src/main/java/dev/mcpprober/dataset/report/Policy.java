package dev.mcpprober.dataset.report;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** What a page lets its browser do: nothing but what it names by its hash. */
public final class Policy {
    private Policy() {}

    /** Source expression for a script or a style that stands in the page, as it stands there. */
    public static String hash(String text) {
        try {
            return "'sha256-" + Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8))) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}

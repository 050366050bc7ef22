package dev.mcpprober.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Names one unit of work: the same artefact, script, era, policy, image and repeat give the same key on every machine.
 * Resume is "plan minus keys whose completed transcript exists and hashes right".
 *
 * @param hex 64 lower-case hexadecimal digits
 */
public record WorkKey(String hex) {
    public static WorkKey of(String artefactDigest, String script, Era era, String policyDigest, String imageDigest, int repeat) {
        return new WorkKey(sha256(String.join("\n", artefactDigest, script, era.id(), policyDigest, imageDigest, Integer.toString(repeat))));
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}

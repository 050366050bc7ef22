package dev.mcpprober.dataset.disclosure;

import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret of one study, from which pseudonyms are made: a digest without one is undone in seconds, as all names of the registries are
 * known. The same key gives a server the same pseudonym in every release of the study.
 */
public final class StudyKey {
    private static final String MARK = "mcp-prober study key 1: ";
    private static final int BYTES = 32;
    private static final int LENGTH = 16;
    private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
    static final String HOW = "make one with: prober dataset key --to FILE, keep it apart from what you publish, and name it with --key FILE";

    private final byte[] key;

    private StudyKey(byte[] key) {
        this.key = key;
    }

    /** Makes a key in a new file that nobody else may read. */
    public static void create(Path file) throws IOException, DisclosureException {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        Files.createDirectories(file.toAbsolutePath().normalize().getParent());
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException e) {
            throw new DisclosureException(Printable.text(file.toString(), 300) + " is there already; a key that is lost or overwritten cannot be made again, name another file");
        }
        Files.writeString(file, MARK + Base64.getEncoder().encodeToString(bytes) + "\n", StandardCharsets.UTF_8, StandardOpenOption.WRITE);
    }

    public static StudyKey read(Path file) throws IOException, DisclosureException {
        String name = "--key: " + Printable.text(file.toString(), 300);
        if (!Files.isRegularFile(file)) {
            throw new DisclosureException(name + ": no such file; " + HOW);
        }
        String text = Files.size(file) > 1000 ? "" : new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).strip();
        byte[] bytes = new byte[0];
        if (text.startsWith(MARK)) {
            try {
                bytes = Base64.getDecoder().decode(text.substring(MARK.length()));
            } catch (IllegalArgumentException e) {
                // Said below.
            }
        }
        if (bytes.length != BYTES) {
            throw new DisclosureException(name + ": no key of this program; " + HOW);
        }
        return new StudyKey(bytes);
    }

    /** Sixteen letters and digits for a name. */
    String pseudonym(String name) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return base32(mac.doFinal(name.getBytes(StandardCharsets.UTF_8))).substring(0, LENGTH).toLowerCase(Locale.ROOT);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HMAC-SHA-256", e);
        }
    }

    /** RFC 4648, without padding. */
    static String base32(byte[] bytes) {
        StringBuilder out = new StringBuilder();
        int bits = 0;
        int value = 0;
        for (byte b : bytes) {
            value = value << 8 | b & 0xff;
            for (bits += 8; bits >= 5; bits -= 5) {
                out.append(BASE32.charAt(value >> bits - 5 & 31));
            }
            value &= (1 << bits) - 1;
        }
        if (bits > 0) {
            out.append(BASE32.charAt(value << 5 - bits & 31));
        }
        return out.toString();
    }
}

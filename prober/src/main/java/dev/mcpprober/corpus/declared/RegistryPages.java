package dev.mcpprober.corpus.declared;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.corpus.FrameException;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Fetches the pages of a registry's list of servers into a folder, one file each, following {@code metadata.nextCursor}. A run that was
 * broken off goes on with the page after the last one; a page that is there already is asked for by its entity tag, so that what has
 * not changed is not sent again. Each page has a note of the address and cursor that it answers: pages of another registry are not taken.
 */
public final class RegistryPages {
    private static final int MAX_PAGES = 20_000;
    private static final int MAX_BYTES = LimitedLines.LIMIT;
    private static final int TRIES = 5;
    /** A registry that wants to be left alone for longer than this is asked again by a later run. */
    private static final Duration MAX_WAIT = Duration.ofMinutes(10);
    private static final Duration HEAD_LIMIT = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(20)).followRedirects(HttpClient.Redirect.NORMAL).build();
    private final URI address;
    private final Path folder;
    private final Options options;
    private final Pause pause;

    /**
     * @param limit servers asked for in one page
     * @param pause between two requests
     * @param agent what the requests say they come from
     * @param bodyLimit for the body of one answer
     */
    public record Options(int limit, Duration pause, String agent, Duration bodyLimit) {}

    /** Waits; tests need not. */
    @FunctionalInterface
    public interface Pause {
        void wait(Duration time) throws InterruptedException;
    }

    /** @param fetched pages that were sent, of {@code files}; the others had not changed or were there already */
    public record Fetched(List<Path> files, int fetched) {}

    public RegistryPages(URI address, Path folder, Options options, Pause pause) {
        this.address = address;
        this.folder = folder;
        this.options = options;
        this.pause = pause;
    }

    /**
     * @throws FetchStopped when the registry cannot be had for now; the pages that are there stay, and the same call goes on
     * @throws FrameException when the registry does not answer as one
     */
    public Fetched fetch() throws IOException, InterruptedException {
        Files.createDirectories(folder);
        List<Path> files = new ArrayList<>();
        Set<String> cursors = new HashSet<>();
        Optional<String> cursor = Optional.of("");
        int fetched = 0;
        int asked = begin();
        while (cursor.isPresent()) {
            Path file = folder.resolve(String.format(Locale.ROOT, "page-%05d.json", files.size() + 1));
            // A broken-off run trusts the pages that it came to; those behind may be left from an earlier one.
            if (files.size() >= asked || !trusted(file, cursor.get())) {
                fetched += page(cursor.get(), file) ? 1 : 0;
                write("asked", Integer.toString(files.size() + 1));
            }
            files.add(file);
            cursor = next(file);
            if (cursor.isPresent() && (!cursors.add(cursor.get()) || files.size() >= MAX_PAGES)) {
                throw new FrameException(address + ": its cursors do not end (page " + files.size() + " names one that was there before, or there are "
                        + MAX_PAGES + " pages)");
            }
        }
        removeOlder(files.size());
        write("complete", "");
        return new Fetched(files, fetched);
    }

    /** How many pages a run that was broken off had asked for; none where the last one came to the end, and so each is asked for again. */
    private int begin() throws IOException {
        Path asked = folder.resolve("asked");
        if (Files.exists(folder.resolve("complete"))) {
            write("asked", "0");
            Files.delete(folder.resolve("complete"));
        }
        String text = Files.exists(asked) ? Files.readString(asked, StandardCharsets.ISO_8859_1) : "";
        return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
    }

    private void write(String name, String text) throws IOException {
        AtomicFiles.write(folder.resolve(name), text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Pages beyond the last one, left by an earlier and longer list. */
    private void removeOlder(int pages) throws IOException {
        for (int i = pages + 1; Files.deleteIfExists(folder.resolve(String.format(Locale.ROOT, "page-%05d.json", i))); i++) {
            Files.deleteIfExists(folder.resolve(String.format(Locale.ROOT, "page-%05d.json.tag", i)));
        }
    }

    private boolean page(String cursor, Path file) throws IOException, InterruptedException {
        // The tag belongs to the page at that cursor; after a change further up the same file may be another page.
        Optional<String> known = trusted(file, cursor) ? ServerJson.text(note(file), "etag").filter(text -> !text.isEmpty()) : Optional.empty();
        for (int attempt = 1; ; attempt++) {
            pause.wait(options.pause());
            Duration wait;
            Optional<Body> body = Optional.empty();
            try {
                HttpResponse<InputStream> answer = client.send(request(cursor, known), HttpResponse.BodyHandlers.ofInputStream());
                int status = answer.statusCode();
                if (status == 200) {
                    body = Optional.of(new Body(bytes(answer.body()), answer.headers().firstValue("etag").orElse("")));
                } else {
                    answer.body().close();
                }
                if (status == 304 && known.isPresent()) {
                    return false;
                }
                if (status != 200 && status != 429 && status < 500) {
                    throw new FrameException(address + ": answered " + status + " for page " + file.getFileName() + (status == 304 ? ", of which it was not asked for changes" : ""));
                }
                wait = retryAfter(answer, attempt);
                if (body.isEmpty() && (attempt >= TRIES || wait.compareTo(MAX_WAIT) > 0)) {
                    throw new FetchStopped(address + ": answered " + status + " for page " + file.getFileName() + ", to be asked again after " + wait.toSeconds() + " s");
                }
            } catch (FrameException | FetchStopped e) {
                throw e;
            } catch (IOException e) {
                if (attempt >= TRIES) {
                    throw new FetchStopped(address + ": cannot be reached (" + e + ")", e);
                }
                wait = Duration.ofSeconds(1L << attempt);
            }
            if (body.isPresent()) {
                store(body.get(), file, cursor);
                return true;
            }
            pause.wait(wait);
        }
    }

    /** Reads a body that may not end, or not come. */
    private byte[] bytes(InputStream body) throws IOException {
        CompletableFuture<Void> end = CompletableFuture.runAsync(() -> close(body), CompletableFuture.delayedExecutor(options.bodyLimit().toMillis(), TimeUnit.MILLISECONDS));
        try (body) {
            byte[] bytes = body.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new FrameException(address + ": a page of more than " + (MAX_BYTES >> 20) + " MiB");
            }
            return bytes;
        } finally {
            end.cancel(false);
        }
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpRequest request(String cursor, Optional<String> tag) {
        String query = "limit=" + options.limit() + (cursor.isEmpty() ? "" : "&cursor=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8));
        String text = address.toString();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(text + (text.contains("?") ? "&" : "?") + query))
                .timeout(HEAD_LIMIT).header("accept", "application/json").header("user-agent", options.agent());
        tag.ifPresent(value -> request.header("if-none-match", value));
        return request.build();
    }

    /** Seconds, or a date (RFC 9110, 10.2.3). */
    private static Duration retryAfter(HttpResponse<?> answer, int attempt) {
        String value = answer.headers().firstValue("retry-after").orElse("").strip();
        if (value.matches("[0-9]{1,9}")) {
            return Duration.ofSeconds(Long.parseLong(value));
        }
        try {
            Duration until = Duration.between(ZonedDateTime.now(), ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME));
            return until.isNegative() ? Duration.ZERO : until.plusSeconds(1);
        } catch (DateTimeParseException e) {
            return Duration.ofSeconds(1L << attempt);
        }
    }

    private record Body(byte[] bytes, String tag) {}

    private void store(Body body, Path file, String cursor) throws IOException {
        try {
            PageText.next(new ByteArrayInputStream(body.bytes()));
        } catch (IllegalArgumentException e) {
            throw new FrameException(address + ": answers, but not with a list of servers (" + e.getMessage() + "); is it the address of one, …/v0/servers?", e);
        }
        // First without a note: a page and a note that do not belong together would be taken for the page at that cursor.
        Files.deleteIfExists(noteOf(file));
        AtomicFiles.write(file, body.bytes());
        ObjectNode note = Json.object().put("address", Digests.sha256(address.toString())).put("cursor", cursor).put("etag", body.tag());
        AtomicFiles.write(noteOf(file), Json.write(note).getBytes(StandardCharsets.UTF_8));
    }

    private static Optional<String> next(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return PageText.next(in);
        } catch (IllegalArgumentException e) {
            throw new FrameException(file + ": no page of a registry (" + e.getMessage() + "); delete it, and the same command fetches it again", e);
        }
    }

    private static Path noteOf(Path file) {
        return file.resolveSibling(file.getFileName() + ".tag");
    }

    /** Whether the page there is the one that this address gave for this cursor. */
    private boolean trusted(Path file, String cursor) throws IOException {
        JsonNode note = note(file);
        return Files.exists(file) && note.path("address").asText().equals(Digests.sha256(address.toString())) && note.path("cursor").asText().equals(cursor);
    }

    /** Empty where there is none that can be read. */
    private static JsonNode note(Path file) throws IOException {
        Path note = noteOf(file);
        return Files.exists(note) && Json.parse(Files.readString(note)) instanceof Json.Parsed.Value value ? value.node() : Json.object();
    }
}

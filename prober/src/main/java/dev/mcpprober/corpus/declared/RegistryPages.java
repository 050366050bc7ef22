package dev.mcpprober.corpus.declared;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.corpus.FrameException;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Fetches the pages of a registry's list of servers into a folder, one file each, following {@code metadata.nextCursor}. A run that was
 * broken off goes on with the page after the last one; a page that is there already is asked for by its entity tag, so that what has
 * not changed is not sent again.
 */
public final class RegistryPages {
    private static final int MAX_PAGES = 20_000;
    private static final int MAX_BYTES = 64 << 20;
    private static final int TRIES = 5;

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(20)).followRedirects(HttpClient.Redirect.NORMAL).build();
    private final URI address;
    private final Path folder;
    private final Options options;
    private final Pause pause;

    /**
     * @param limit servers asked for in one page
     * @param pause between two requests
     * @param agent what the requests say they come from
     */
    public record Options(int limit, Duration pause, String agent) {}

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

    /** @throws FrameException when the registry does not answer as one; the pages that are there stay, and the same call goes on */
    public Fetched fetch() throws IOException, InterruptedException {
        Files.createDirectories(folder);
        List<Path> files = new ArrayList<>();
        Set<String> cursors = new HashSet<>();
        Optional<String> cursor = Optional.of("");
        int fetched = 0;
        boolean complete = Files.exists(folder.resolve("complete"));
        while (cursor.isPresent()) {
            Path file = folder.resolve(String.format("page-%05d.json", files.size() + 1));
            // A broken-off run trusts what it has; a new run over a complete set asks whether each page still stands.
            if (complete || !Files.exists(file)) {
                Files.deleteIfExists(folder.resolve("complete"));
                fetched += page(cursor.get(), file) ? 1 : 0;
            }
            files.add(file);
            cursor = next(file);
            if (cursor.isPresent() && (!cursors.add(cursor.get()) || files.size() >= MAX_PAGES)) {
                throw new FrameException(address + ": its cursors go round (page " + files.size() + " names a cursor that was there before)");
            }
        }
        removeOlder(files.size());
        AtomicFiles.write(folder.resolve("complete"), new byte[0]);
        return new Fetched(files, fetched);
    }

    /** Pages beyond the last one, left by an earlier and longer list. */
    private void removeOlder(int pages) throws IOException {
        for (int i = pages + 1; Files.deleteIfExists(folder.resolve(String.format("page-%05d.json", i))); i++) {
            Files.deleteIfExists(folder.resolve(String.format("page-%05d.json.tag", i)));
        }
    }

    private boolean page(String cursor, Path file) throws IOException, InterruptedException {
        Path tag = file.resolveSibling(file.getFileName() + ".tag");
        // The tag belongs to the page at that cursor; after a change further up the same file may be another page.
        Optional<String> known = Files.exists(file) && Files.exists(tag) ? tag(tag, cursor) : Optional.empty();
        for (int attempt = 1; ; attempt++) {
            pause.wait(options.pause());
            HttpResponse<InputStream> answer = send(request(cursor, known), attempt);
            if (answer == null) {
                continue;
            }
            try (InputStream body = answer.body()) {
                if (answer.statusCode() == 304) {
                    return false;
                }
                if (answer.statusCode() == 200) {
                    store(body, file);
                    ObjectNode note = Json.object().put("cursor", cursor).put("etag", answer.headers().firstValue("etag").orElse(""));
                    AtomicFiles.write(tag, Json.write(note).getBytes(StandardCharsets.UTF_8));
                    return true;
                }
            }
            boolean passing = answer.statusCode() == 429 || answer.statusCode() >= 500;
            if (!passing || attempt >= TRIES) {
                throw new FrameException(address + ": answered " + answer.statusCode() + " for page " + file.getFileName() + "; the same command goes on there");
            }
            pause.wait(retryAfter(answer, attempt));
        }
    }

    private HttpResponse<InputStream> send(HttpRequest request, int attempt) throws IOException, InterruptedException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            if (attempt >= TRIES) {
                throw new FrameException(address + ": cannot be reached (" + e + "); the same command goes on", e);
            }
            pause.wait(Duration.ofSeconds(1L << attempt));
            return null;
        }
    }

    private HttpRequest request(String cursor, Optional<String> tag) {
        String query = "limit=" + options.limit() + (cursor.isEmpty() ? "" : "&cursor=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8));
        String text = address.toString();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(text + (text.contains("?") ? "&" : "?") + query))
                .timeout(Duration.ofSeconds(60)).header("accept", "application/json").header("user-agent", options.agent());
        tag.ifPresent(value -> request.header("if-none-match", value));
        return request.build();
    }

    private static Duration retryAfter(HttpResponse<?> answer, int attempt) {
        String value = answer.headers().firstValue("retry-after").orElse("");
        return Duration.ofSeconds(value.matches("[0-9]{1,3}") ? Long.parseLong(value) : 1L << attempt);
    }

    private void store(InputStream body, Path file) throws IOException {
        byte[] bytes = body.readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
            throw new FrameException(address + ": a page of more than " + (MAX_BYTES >> 20) + " MiB");
        }
        JsonNode page = Json.parse(new String(bytes, StandardCharsets.UTF_8)) instanceof Json.Parsed.Value value ? value.node() : Json.object();
        if (!page.path("servers").isArray()) {
            throw new FrameException(address + ": answers, but with no list of servers (a JSON object with \"servers\"); is it the address of one, …/v0/servers?");
        }
        AtomicFiles.write(file, bytes);
    }

    private static Optional<String> next(Path file) throws IOException {
        if (Json.parse(Files.readString(file)) instanceof Json.Parsed.Value page) {
            JsonNode metadata = page.node().path("metadata");
            return ServerJson.text(metadata, "nextCursor", "next_cursor").filter(cursor -> !cursor.isEmpty());
        }
        throw new FrameException(file + ": no page of a registry; delete it, and the same command fetches it again");
    }

    private static Optional<String> tag(Path file, String cursor) throws IOException {
        if (Json.parse(Files.readString(file)) instanceof Json.Parsed.Value note && note.node().path("cursor").asText().equals(cursor)) {
            return ServerJson.text(note.node(), "etag").filter(text -> !text.isEmpty());
        }
        return Optional.empty();
    }
}

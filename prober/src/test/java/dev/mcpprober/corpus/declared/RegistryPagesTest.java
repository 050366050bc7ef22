package dev.mcpprober.corpus.declared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mcpprober.corpus.FrameException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RegistryPagesTest {
    @TempDir Path folder;

    private final List<String> asked = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private Answer answer = this::page;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;

    private interface Answer {
        void to(HttpExchange exchange, int cursor) throws IOException;
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String query = exchange.getRequestURI().getRawQuery();
            asked.add(query + " " + exchange.getRequestHeaders().getFirst("if-none-match"));
            int cursor = query.contains("cursor=") ? Integer.parseInt(query.replaceFirst(".*cursor=", "")) : 0;
            answer.to(exchange, cursor);
            exchange.close();
        });
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private RegistryPages pages() {
        return pages("/v0/servers", Duration.ofMinutes(1));
    }

    private RegistryPages pages(String path, Duration bodyLimit) {
        return new RegistryPages(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path), folder.resolve("pages"),
                new RegistryPages.Options(2, Duration.ofMillis(7), "test", bodyLimit), pauses::add);
    }

    /** Three pages, each with its tag. */
    private void page(HttpExchange exchange, int cursor) throws IOException {
        String tag = "\"v" + cursor + "\"";
        exchange.getResponseHeaders().add("etag", tag);
        if (tag.equals(exchange.getRequestHeaders().getFirst("if-none-match"))) {
            exchange.sendResponseHeaders(304, -1);
            return;
        }
        send(exchange, 200, "{\"servers\":[{\"name\":\"s/" + cursor + "\"}],\"metadata\":{" + (cursor < 2 ? "\"nextCursor\":\"" + (cursor + 1) + "\"" : "") + "}}");
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Test
    void everyPageIsFetchedOnceAndPolitely() throws Exception {
        RegistryPages.Fetched fetched = pages().fetch();
        assertEquals(3, fetched.files().size());
        assertEquals(List.of("limit=2 null", "limit=2&cursor=1 null", "limit=2&cursor=2 null"), asked);
        assertEquals(List.of(Duration.ofMillis(7), Duration.ofMillis(7), Duration.ofMillis(7)), pauses);
    }

    @Test
    void pagesThatHaveNotChangedAreNotSentAgain() throws Exception {
        pages().fetch();
        asked.clear();
        assertEquals(0, pages().fetch().fetched());
        assertEquals(List.of("limit=2 \"v0\"", "limit=2&cursor=1 \"v1\"", "limit=2&cursor=2 \"v2\""), asked);
    }

    @Test
    void aBrokenOffRunGoesOnWhereItStopped() throws Exception {
        answer = (exchange, cursor) -> {
            if (cursor == 1) {
                send(exchange, 404, "gone");
            } else {
                page(exchange, cursor);
            }
        };
        FrameException e = assertThrows(FrameException.class, () -> pages().fetch());
        assertTrue(e.getMessage().contains("404") && e.getMessage().contains("page-00002"), e.getMessage());
        answer = this::page;
        asked.clear();
        assertEquals(2, pages().fetch().fetched());
        assertEquals(List.of("limit=2&cursor=1 null", "limit=2&cursor=2 null"), asked);
    }

    /** Pages that an earlier run came to the end of were taken for those that this one had come to: nothing was asked for, and old pages were the news. */
    @Test
    void aRunOverACompleteSetThatIsBrokenOffGoesOnWhereItStopped() throws Exception {
        pages().fetch();
        answer = (exchange, cursor) -> {
            if (cursor == 1) {
                exchange.sendResponseHeaders(503, -1);
            } else {
                page(exchange, cursor);
            }
        };
        assertThrows(FetchStopped.class, () -> pages().fetch());
        answer = this::page;
        asked.clear();
        pages().fetch();
        assertEquals(List.of("limit=2&cursor=1 \"v1\"", "limit=2&cursor=2 \"v2\""), asked);
        asked.clear();
        pages().fetch();
        assertEquals(3, asked.size());
    }

    @Test
    void aRegistryThatIsBusyIsAskedAgainWhenItSays() throws Exception {
        answer = (exchange, cursor) -> {
            if (asked.size() == 1) {
                exchange.getResponseHeaders().add("retry-after", "9");
                exchange.sendResponseHeaders(429, -1);
            } else {
                page(exchange, cursor);
            }
        };
        assertEquals(3, pages().fetch().fetched());
        assertTrue(pauses.contains(Duration.ofSeconds(9)), pauses.toString());
    }

    @Test
    void aRegistryThatStaysBusyEndsTheFetch() {
        answer = (exchange, cursor) -> exchange.sendResponseHeaders(503, -1);
        assertThrows(FetchStopped.class, () -> pages().fetch());
        assertEquals(5, asked.size());
    }

    @Test
    void cursorsThatGoRoundAreFound() {
        answer = (exchange, cursor) -> send(exchange, 200, "{\"servers\":[],\"metadata\":{\"nextCursor\":\"1\"}}");
        assertTrue(assertThrows(FrameException.class, () -> pages().fetch()).getMessage().contains("do not end"));
    }

    @Test
    void anAddressThatIsNoRegistryIsNamed() {
        answer = (exchange, cursor) -> send(exchange, 200, "<html>");
        assertTrue(assertThrows(FrameException.class, () -> pages().fetch()).getMessage().contains("not with a list of servers"));
        assertEquals(0, folder.resolve("pages").toFile().list().length);
    }

    @Test
    void pagesOfALongerListAreRemoved() throws Exception {
        pages().fetch();
        answer = (exchange, cursor) -> send(exchange, 200, "{\"servers\":[],\"metadata\":{}}");
        assertEquals(1, pages().fetch().files().size());
        assertTrue(Files.notExists(folder.resolve("pages/page-00002.json")));
    }

    @Test
    void aRegistryThatSaysWhenByADateIsAskedAfterIt() throws Exception {
        answer = (exchange, cursor) -> {
            if (asked.size() == 1) {
                exchange.getResponseHeaders().add("retry-after", DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC).plusMinutes(5)));
                exchange.sendResponseHeaders(503, -1);
            } else {
                page(exchange, cursor);
            }
        };
        pages().fetch();
        assertTrue(pauses.stream().anyMatch(pause -> pause.compareTo(Duration.ofMinutes(3)) > 0), pauses.toString());
    }

    @Test
    void aRegistryThatWantsHoursIsLeftAlone() {
        answer = (exchange, cursor) -> {
            exchange.getResponseHeaders().add("retry-after", "7200");
            exchange.sendResponseHeaders(429, -1);
        };
        assertTrue(assertThrows(FetchStopped.class, () -> pages().fetch()).getMessage().contains("7200 s"));
        assertEquals(1, asked.size());
    }

    @Test
    void aPageThatIsCutShortIsAskedForAgain() throws Exception {
        answer = (exchange, cursor) -> {
            if (asked.size() == 2) {
                exchange.sendResponseHeaders(200, 5000);
                exchange.getResponseBody().write("{\"servers\":[".getBytes(StandardCharsets.UTF_8));
                throw new IOException("the connection goes");
            }
            page(exchange, cursor);
        };
        assertEquals(3, pages().fetch().fetched());
    }

    @Test
    void aBodyThatDoesNotComeToItsEndIsGivenUp() {
        CountDownLatch over = new CountDownLatch(1);
        answer = (exchange, cursor) -> {
            exchange.sendResponseHeaders(200, 5000);
            exchange.getResponseBody().flush();
            try {
                over.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        };
        assertThrows(FetchStopped.class, () -> {
            try {
                pages("/v0/servers", Duration.ofMillis(50)).fetch();
            } finally {
                over.countDown();
            }
        });
    }

    @Test
    void aBodyThatDoesNotEndIsGivenUp() {
        answer = (exchange, cursor) -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] blanks = new byte[1 << 20];
            Arrays.fill(blanks, (byte) ' ');
            while (true) {
                exchange.getResponseBody().write(blanks);
            }
        };
        assertTrue(assertThrows(FrameException.class, () -> pages().fetch()).getMessage().contains("more than 16 MiB"));
    }

    @Test
    void redirectsThatGoRoundEndTheFetch() {
        answer = (exchange, cursor) -> {
            exchange.getResponseHeaders().add("location", "/v0/servers?limit=2&x=" + asked.size());
            exchange.sendResponseHeaders(302, -1);
        };
        assertTrue(assertThrows(FrameException.class, () -> pages().fetch()).getMessage().contains("302"));
    }

    @Test
    void anAnswerThatSaysUnchangedUnaskedIsNamed() {
        answer = (exchange, cursor) -> exchange.sendResponseHeaders(304, -1);
        assertTrue(assertThrows(FrameException.class, () -> pages().fetch()).getMessage().contains("304"));
    }

    @Test
    void pagesOfAnotherRegistryAreNotTaken() throws Exception {
        answer = (exchange, cursor) -> {
            if (cursor == 2) {
                send(exchange, 404, "gone");
            } else {
                page(exchange, cursor);
            }
        };
        assertThrows(FrameException.class, () -> pages().fetch());
        answer = this::page;
        asked.clear();
        assertEquals(3, pages("/other/v0/servers", Duration.ofMinutes(1)).fetch().fetched());
        assertEquals(List.of("limit=2 null", "limit=2&cursor=1 null", "limit=2&cursor=2 null"), asked);
    }

    @Test
    void anEntryBeyondAllLimitsIsNoReasonToRefuseItsPage() throws Exception {
        answer = (exchange, cursor) -> send(exchange, 200, "{\"servers\":[{\"name\":\"d\",\"x\":" + "[".repeat(2000) + "]".repeat(2000) + "}],\"metadata\":{}}");
        assertEquals(1, pages().fetch().files().size());
    }

    @Test
    void aCursorThatIsNoTextIsNoEnd() {
        answer = (exchange, cursor) -> send(exchange, 200, "{\"servers\":[],\"metadata\":{\"nextCursor\":{\"after\":1}}}");
        assertTrue(assertThrows(FrameException.class, () -> pages().fetch()).getMessage().contains("cursor"));
    }
}

package dev.mcpprober.sandbox.docker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A company's mirror on this machine: npm under {@code /repo.x/npm}, a Python index under {@code /py/simple} with relative links,
 * both behind a password. Listens on every address, since the gateway comes from a bridge.
 */
final class FakeRegistry implements AutoCloseable {
    private static final String CREDENTIALS = "us:p@ss";

    private final HttpServer server;
    private final List<String> requests = new CopyOnWriteArrayList<>();

    FakeRegistry() throws IOException {
        server = HttpServer.create(new InetSocketAddress(0), 16);
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "fake-registry");
            thread.setDaemon(true);
            return thread;
        }));
        server.createContext("/", this::answer);
        server.start();
    }

    String npm() {
        return "http://us:p%40ss@localhost:" + port() + "/repo.x/npm";
    }

    String python() {
        return "http://us:p%40ss@localhost:" + port() + "/py/simple";
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Paths asked for, with the headers that came along beside the usual ones. */
    List<String> requests() {
        return requests;
    }

    /** One more page, for whoever asks, password or not. */
    void page(String path, String html) {
        server.createContext(path, exchange -> send(exchange, 200, "text/html", html.getBytes(StandardCharsets.UTF_8)));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getRawPath();
        requests.add(path + (exchange.getRequestHeaders().containsKey("X-Secret") ? " X-Secret" : ""));
        boolean known = ("Basic " + base64(CREDENTIALS.getBytes(StandardCharsets.UTF_8))).equals(exchange.getRequestHeaders().getFirst("Authorization"));
        switch (known ? path : "no password") {
            case "/repo.x/npm/foo", "/repo.x/npm/@scope%2ffoo" -> send(exchange, 200, "application/json", packument(path.endsWith("/foo") ? "foo" : "@scope/foo"));
            case "/repo.x/npm/foo/-/foo-1.0.0.tgz" -> send(exchange, 200, "application/octet-stream", tarball());
            case "/py/simple/bar/" -> send(exchange, 200, "text/html",
                    "<a href=\"../../packages/bar-1.0-py3-none-any.whl\">bar-1.0-py3-none-any.whl</a>".getBytes(StandardCharsets.UTF_8));
            case "/py/packages/bar-1.0-py3-none-any.whl" -> send(exchange, 200, "application/octet-stream", wheel());
            case "no password" -> send(exchange, 401, "text/plain", new byte[0]);
            default -> send(exchange, 404, "text/plain", new byte[0]);
        }
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private byte[] packument(String name) throws IOException {
        return """
                {"name":"%s","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"name":"%s","version":"1.0.0","dist":{
                 "tarball":"http://localhost:%d/repo.x/npm/foo/-/foo-1.0.0.tgz","integrity":"sha512-%s"}}}}
                """.formatted(name, name, port(), base64(digest(tarball()))).getBytes(StandardCharsets.UTF_8);
    }

    /** One file, package/package.json, in the tar format that every npm reads. */
    private static byte[] tarball() throws IOException {
        byte[] content = "{\"name\":\"foo\",\"version\":\"1.0.0\"}".getBytes(StandardCharsets.UTF_8);
        byte[] header = new byte[512];
        put(header, 0, "package/package.json");
        put(header, 100, "0000644\0");
        put(header, 108, "0000000\0");
        put(header, 116, "0000000\0");
        put(header, 124, String.format("%011o\0", content.length));
        put(header, 136, "00000000000\0");
        put(header, 148, "        ");
        header[156] = '0';
        put(header, 257, "ustar\00000");
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xFF;
        }
        put(header, 148, String.format("%06o\0 ", sum));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(header);
            gzip.write(java.util.Arrays.copyOf(content, 512));
            gzip.write(new byte[1024]);
        }
        return bytes.toByteArray();
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    private static byte[] wheel() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            add(zip, "bar.py", "");
            add(zip, "bar-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: bar\nVersion: 1.0\n");
            add(zip, "bar-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
            add(zip, "bar-1.0.dist-info/RECORD", "");
        }
        return bytes.toByteArray();
    }

    private static void add(ZipOutputStream zip, String name, String content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }

    private static byte[] digest(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-512").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

package dev.mcpprober.dataset;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;

/** Pictures of pages, taken by a Chromium without a window, and compared as somebody would who stands a step back. */
final class Screen {
    private static final int SHRUNK = 4;
    /** Side of a compared block, in shrunken pixels: 16 pixels of the page. */
    private static final int BLOCK = 4;
    /** Of 255, by which a block's mean may differ in any colour: letters are drawn a little differently everywhere. */
    private static final int TOLERANCE = 24;

    private final int width;
    private final int height;
    private final int[] pixels;

    private Screen(int width, int height, int[] pixels) {
        this.width = width;
        this.height = height;
        this.pixels = pixels;
    }

    /** Path of a browser, or null. */
    static Path browser() {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":")) {
            for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
                if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) {
                    return Path.of(folder, name);
                }
            }
        }
        return null;
    }

    /** What a command prints, or an empty text where it is not there or fails. */
    static String said(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String out = new String(process.getInputStream().readAllBytes());
            return process.waitFor() == 0 ? out.strip() : "";
        } catch (IOException e) {
            return "";
        }
    }

    private static void run(Path temp, List<String> command) throws Exception {
        Path log = Files.createTempFile(temp, "browser", ".log");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        if (!process.waitFor(3, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + ": " + Files.readString(log));
        }
    }

    private static List<String> command(Path temp, String... arguments) {
        List<String> command = new ArrayList<>(List.of(browser().toString(), "--headless", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking",
                "--disable-component-update", "--no-first-run", "--force-device-scale-factor=1", "--user-data-dir=" + temp.resolve("browser")));
        if (System.getProperty("user.name").equals("root")) {
            command.add("--no-sandbox");
        }
        command.addAll(List.of(arguments));
        return command;
    }

    /** @param dark the reader's setting */
    static Screen of(Path page, int width, int height, boolean dark, Path temp) throws Exception {
        Path png = Files.createTempFile(temp, "screen", ".png");
        List<String> command = command(temp, "--window-size=" + width + "," + height, "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1), "--screenshot=" + png, page.toUri().toString());
        run(temp, command);
        return shrunk(ImageIO.read(png.toFile()));
    }

    /** The first pages on paper, one below the other. */
    static Screen printed(Path page, int pages, Path temp) throws Exception {
        Path pdf = Files.createTempFile(temp, "print", ".pdf");
        run(temp, command(temp, "--no-pdf-header-footer", "--print-to-pdf=" + pdf, page.toUri().toString()));
        Path folder = Files.createTempDirectory(temp, "pages");
        run(temp, List.of("pdftoppm", "-r", "96", "-png", "-l", Integer.toString(pages), pdf.toString(), folder.resolve("p").toString()));
        List<Path> files;
        try (var list = Files.list(folder)) {
            files = list.sorted().toList();
        }
        BufferedImage first = ImageIO.read(files.get(0).toFile());
        BufferedImage all = new BufferedImage(first.getWidth(), first.getHeight() * files.size(), BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < files.size(); i++) {
            all.getGraphics().drawImage(ImageIO.read(files.get(i).toFile()), 0, i * first.getHeight(), null);
        }
        return shrunk(all);
    }

    static Screen read(Path png) throws IOException {
        BufferedImage image = ImageIO.read(png.toFile());
        return new Screen(image.getWidth(), image.getHeight(), image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth()));
    }

    void write(Path png) throws IOException {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        image.setRGB(0, 0, width, height, pixels, 0, width);
        Files.createDirectories(png.getParent());
        ImageIO.write(image, "png", png.toFile());
    }

    private static Screen shrunk(BufferedImage image) {
        Screen whole = new Screen(image.getWidth(), image.getHeight(), image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth()));
        int width = whole.width / SHRUNK;
        int height = whole.height / SHRUNK;
        int[] pixels = new int[width * height];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int[] mean = whole.mean(x * SHRUNK, y * SHRUNK, SHRUNK);
                pixels[y * width + x] = mean[0] << 16 | mean[1] << 8 | mean[2];
            }
        }
        return new Screen(width, height, pixels);
    }

    private int[] mean(int left, int top, int side) {
        int[] sum = new int[3];
        int count = 0;
        for (int y = top; y < Math.min(height, top + side); y++) {
            for (int x = left; x < Math.min(width, left + side); x++, count++) {
                int pixel = pixels[y * width + x];
                sum[0] += pixel >> 16 & 255;
                sum[1] += pixel >> 8 & 255;
                sum[2] += pixel & 255;
            }
        }
        return new int[] {sum[0] / count, sum[1] / count, sum[2] / count};
    }

    /** Blocks that do not look the same, by their place in the page. */
    List<String> differences(Screen other) {
        if (width != other.width || height != other.height) {
            return List.of("size " + width * SHRUNK + " x " + height * SHRUNK + " instead of " + other.width * SHRUNK + " x " + other.height * SHRUNK);
        }
        List<String> out = new ArrayList<>();
        for (int y = 0; y < height; y += BLOCK) {
            for (int x = 0; x < width; x += BLOCK) {
                int[] one = mean(x, y, BLOCK);
                int[] two = other.mean(x, y, BLOCK);
                if (Math.max(Math.abs(one[0] - two[0]), Math.max(Math.abs(one[1] - two[1]), Math.abs(one[2] - two[2]))) > TOLERANCE) {
                    out.add("at " + x * SHRUNK + "," + y * SHRUNK);
                }
            }
        }
        return out;
    }
}

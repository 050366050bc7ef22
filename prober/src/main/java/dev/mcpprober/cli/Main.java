package dev.mcpprober.cli;

public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(2);
    }
}

package dev.doorbell.tools;

/** The doorbell command: {@code doorbell SUBCOMMAND}. */
public final class DoorbellCommand {
    private static final int USAGE = 64;

    private DoorbellCommand() {}

    public static void main(String[] arguments) {
        if (arguments.length == 1 && arguments[0].equals("--version")) {
            System.out.println("doorbell 0.1.0-SNAPSHOT");
            return;
        }
        System.err.println("usage: doorbell --version");
        System.exit(USAGE);
    }
}

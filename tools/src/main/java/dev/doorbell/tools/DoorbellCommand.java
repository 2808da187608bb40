package dev.doorbell.tools;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The doorbell command: {@code doorbell SUBCOMMAND}. */
public final class DoorbellCommand {
    private DoorbellCommand() {}

    public static void main(String[] arguments) {
        CommandSpec command = CommandSpec.create().name("doorbell").version("doorbell 0.1.0-SNAPSHOT");
        command.mixinStandardHelpOptions(true);
        System.exit(new CommandLine(command).execute(arguments));
    }
}

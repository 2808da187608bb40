package dev.doorbell.tools;

import dev.doorbell.tools.doctor.Examination;
import dev.doorbell.tools.doctor.Finding;
import java.io.PrintStream;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code doorbell doctor}: why something does not work, before anybody has to read a stack trace. */
final class DoctorCommand implements Subcommand {
    @Override
    public String name() {
        return "doctor";
    }

    @Override
    public String summary() {
        return "look for what keeps RDMA from working here";
    }

    @Override
    public String description() {
        return """
               Looks at Java, the environment variables and every device: opens it, sends a message from it to
               itself, and lets its connection manager listen. Each line is ok, a note, or WRONG with what to
               do. Exit code 1 if something is wrong.""";
    }

    @Override
    public Options options() {
        return new Options();
    }

    @Override
    public int run(CommandLine line, PrintStream out) {
        List<Finding> findings = Examination.of(System.getenv());
        for (Finding finding : findings) {
            out.printf("  %-5s  %s%n", finding.grade().label(), finding.text());
        }
        return findings.stream().anyMatch(finding -> finding.grade() == Finding.Grade.WRONG)
                ? DoorbellCommand.FAILED
                : DoorbellCommand.OK;
    }
}

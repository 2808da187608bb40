package dev.doorbell.soft.kernel;

/**
 * What a command does. Runs under its context's lock; the core segments have the sizes that the table asks for.
 */
@FunctionalInterface
interface Command {
    /** Returns 0, or the errno with which it was refused; then it has changed nothing and answered nothing. */
    int run(Call call);
}

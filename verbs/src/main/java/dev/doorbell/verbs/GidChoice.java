package dev.doorbell.verbs;

import dev.doorbell.spec.GidEntry;

/**
 * The GID that a queue pair uses, and why.
 *
 * <p>The slots are those of ibv_query_gid_table(3); in C the program chooses.
 *
 * <p>Thread rules: immutable.
 *
 * @param entry the slot of the port's GID table
 * @param reason one sentence: why this one, and why not the others
 */
public record GidChoice(GidEntry entry, String reason) {}

package dev.doorbell.soft.kernel;

import dev.doorbell.spec.Gid;

/**
 * An identifier's membership in a multicast group.
 *
 * @param number its number among memberships; an identifier may have the same
 * @param uid the program's cookie
 * @param id the identifier
 * @param group the group
 * @param source counts its events
 */
record CmMembership(int number, long uid, CmIdentifier id, Gid group, EventSource source) {}

package dev.doorbell.soft.kernel;

/**
 * What is alive in a connection manager at a moment, for tests that look for leaks.
 *
 * @param files open files
 * @param identifiers identifiers
 * @param memberships memberships in multicast groups
 * @param endpoints sides of connections, and questions, those included that wait for late messages
 * @param ports port numbers that are taken
 */
public record CmCensus(int files, int identifiers, int memberships, int endpoints, int ports) {
    /** Whether nothing is alive. */
    public boolean isEmpty() {
        return files + identifiers + memberships + endpoints + ports == 0;
    }
}

package dev.doorbell.spec;

/**
 * One used slot of a port's GID table.
 *
 * <p>Follows {@code struct ibv_gid_entry} (ibv_query_gid_ex(3)).
 *
 * <p>Thread rules: immutable.
 *
 * @param port port number, from 1
 * @param index slot in the table; slots may have holes between them
 * @param gid the address
 * @param type its wire format
 * @param netDevice name of the network interface it belongs to; empty where there is none, or none in this namespace
 */
public record GidEntry(int port, int index, Gid gid, GidType type, String netDevice) {}

/**
 * The messages by which two sides set up and end a connection: management datagrams (MADs) of 256 bytes in datagrams
 * between the queue pairs number 1.
 *
 * <pre>
 *   UD SEND ONLY to QP 1 │ DETH │ MAD header 24 │ message 232
 *                                 {@link dev.doorbell.wire.cm.MadHeader}   {@link dev.doorbell.wire.cm.CmMessage}
 *
 *   active side                passive side                      either side
 *     REQ  ───────────────►                                        DREQ ──────────►
 *          ◄─────────────── (MRA) REP, or REJ                           ◄────────── DREP
 *     RTU  ───────────────►                                        SIDR_REQ ──────► for datagrams
 *                                                                       ◄────────── SIDR_REP
 * </pre>
 *
 * <p>{@link dev.doorbell.wire.cm.CmMad} checks the bytes once and makes a record of them; each message's record writes
 * itself, and prints itself on one line. "Local" is always the sender of the message, "remote" its receiver. None of this
 * belongs to the data path.
 */
@NullMarked
package dev.doorbell.wire.cm;

import org.jspecify.annotations.NullMarked;

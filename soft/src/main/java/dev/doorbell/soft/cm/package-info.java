/**
 * The connection manager of the transport: how two sides agree on a connection of queue pairs, by messages that may get
 * lost, come twice or come late.
 *
 * <pre>
 *   program's commands                     messages
 *        │ request, reply, disconnect          │ receive
 *        ▼                                     ▼
 *   CmEndpoint  ◀── one of many ──────────  CmAgent ── CmInbound: what a message does to an endpoint
 *        │                                     │
 *        ▼ CmHandler: what became of it        ▼ CmOutput: messages to send     CmTimers: what is repeated, given up, ended
 * </pre>
 *
 * <p>No threads, no clock, no input or output: time comes in as an argument, messages go out through an interface, and
 * whoever calls keeps others out. Which states there are, and what leads from one to the other, says
 * {@link dev.doorbell.soft.cm.CmState}.
 *
 * <p>Sections are those of the InfiniBand Architecture Specification, volume 1, chapter 12. Where it leaves a choice, this
 * does what Linux does.
 */
@NullMarked
package dev.doorbell.soft.cm;

import org.jspecify.annotations.NullMarked;

/**
 * System calls of Linux through {@code java.lang.foreign}: the one place that links native functions.
 *
 * <pre>
 *   Libc          one static method a system call; a negative errno says that it failed, as in the kernel itself
 *   SystemFile    a descriptor that nobody can use any more once it is closed, whatever races with the close
 *   MappedMemory  a mapping whose segment turns inaccessible before its pages go
 *   NativeAccess  whether all this is allowed
 *   SocketCalls   the system calls of sockets, like Libc
 *   UdpSocket     a bound socket; OutgoingMessage and IncomingMessages are what goes through it
 *   DescriptorWait  sleeps until a descriptor is readable or somebody wakes the sleeper
 * </pre>
 *
 * <p>Nothing here is linked before the first call, so a program that only lists devices needs no native access.
 */
@NullMarked
package dev.doorbell.linux.syscall;

import org.jspecify.annotations.NullMarked;

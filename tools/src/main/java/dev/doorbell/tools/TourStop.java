package dev.doorbell.tools;

/**
 * One operation of the tour, as it went.
 *
 * @param title name of the operation
 * @param meaning what it is for, one sentence
 * @param bytes bytes that were moved and checked
 * @param workRequests work requests posted, receives included
 * @param completions completions polled
 * @param doorbells doorbells rung
 * @param kernelCalls calls into a kernel between the first post and the last completion: commands, and doorbells that
 *     are system calls
 * @param elapsedNs from the first post to the last completion
 * @param complaint what was wrong, or empty
 */
record TourStop(
        String title,
        String meaning,
        long bytes,
        int workRequests,
        int completions,
        long doorbells,
        long kernelCalls,
        long elapsedNs,
        String complaint) {
    boolean isRight() {
        return complaint.isEmpty();
    }
}

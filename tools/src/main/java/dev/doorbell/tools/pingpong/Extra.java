package dev.doorbell.tools.pingpong;

/** Switches of the ping-pong programs, by their letters in ibverbs-utils. */
public enum Extra {
    /** Sleeps on completion events instead of polling. */
    EVENTS('e', "events", "sleep on completion events; otherwise poll"),
    /** The client marks each page, the server looks for the marks. */
    CHECK('c', "chk", "validate what the server received"),
    /** Registers memory on demand. */
    ON_DEMAND('o', "odp", "use on-demand paging"),
    /** Registers the whole address space on demand. */
    IMPLICIT_ON_DEMAND('O', "iodp", "use implicit on-demand paging"),
    /** Fetches on-demand memory early. */
    PREFETCH('P', "prefetch", "prefetch an on-demand region; with -o"),
    /** Measures in the device's clock. */
    TIMESTAMPS('t', "ts", "show the device's times between receives"),
    /** Keeps the message in the device's own memory. */
    DEVICE_MEMORY('j', "dm", "use memory of the device"),
    /** Posts by the newer calls of the C library. */
    NEW_SEND('N', "new_send", "post as ibv_wr_start(3) does; done always");

    private final String letter;
    private final String word;
    private final String description;

    Extra(char letter, String word, String description) {
        this.letter = String.valueOf(letter);
        this.word = word;
        this.description = description;
    }

    String letter() {
        return letter;
    }

    String word() {
        return word;
    }

    String description() {
        return description;
    }
}

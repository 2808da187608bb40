package dev.doorbell.tools.doctor;

/**
 * One thing that was looked at.
 *
 * @param grade how bad it is
 * @param text what was found, a sentence or less
 */
public record Finding(Grade grade, String text) {
    /** How bad it is. */
    public enum Grade {
        /** As it should be. */
        OK("ok"),
        /** No obstacle, but good to know where something else does not work. */
        NOTE("note"),
        /** What was asked for cannot be had. */
        WRONG("WRONG");

        private final String label;

        Grade(String label) {
            this.label = label;
        }

        /** The word for people. */
        public String label() {
            return label;
        }
    }

    static Finding ok(String text) {
        return new Finding(Grade.OK, text);
    }

    static Finding note(String text) {
        return new Finding(Grade.NOTE, text);
    }

    static Finding wrong(String text) {
        return new Finding(Grade.WRONG, text);
    }
}

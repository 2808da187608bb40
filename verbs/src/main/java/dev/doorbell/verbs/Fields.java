package dev.doorbell.verbs;

import java.util.HashMap;
import java.util.Map;

/** The text form of a value: a prefix with its version, then {@code name=value} pairs with commas between. */
record Fields(String type, String source, Map<String, String> values) {
    static Fields parse(String type, String prefix, String source) {
        String text = source.strip();
        if (!text.startsWith(prefix)) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no " + type + " that is known here: it would start with " + prefix);
        }
        Map<String, String> values = new HashMap<>();
        for (String pair : text.substring(prefix.length()).split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 0 || values.put(pair.substring(0, equals), pair.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("'" + pair + "' in '" + text + "' is no new name=value pair");
            }
        }
        return new Fields(type, text, values);
    }

    String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException(type + " '" + source + "' lacks " + name);
        }
        return value;
    }

    long number(String name) {
        String value = text(name);
        try {
            return value.startsWith("0x")
                    ? Long.parseUnsignedLong(value, 2, value.length(), 16)
                    : Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + "=" + value + " in '" + source + "' is no number", e);
        }
    }

    /** A number that must fit in an int as it is. */
    int integer(String name) {
        long value = number(name);
        if (value != (int) value) {
            throw new IllegalArgumentException(name + "=" + text(name) + " in '" + source + "' is too large");
        }
        return (int) value;
    }
}

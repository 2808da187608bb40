package dev.doorbell.kernel;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a method that only the object-oriented interface of uverbs has, such as those of a driver's own objects: an
 * object, a method, and attributes by their numbers ({@link dev.doorbell.kernel.abi.IoctlIds}). It is filled, passed to
 * {@link CommandChannel#call}, and read.
 *
 * <p>Thread rules: one thread.
 */
public final class MethodCall {
    /** What an attribute carries. */
    public enum Kind {
        /** A number of eight bytes, for the kernel. */
        NUMBER,
        /** Bytes for the kernel. */
        INPUT,
        /** Room for bytes from the kernel. */
        OUTPUT,
        /** The handle of an object. */
        HANDLE,
        /** The kernel puts the handle of the object that it made here. */
        NEW_HANDLE
    }

    /** One attribute. */
    public static final class Attribute {
        private final int id;
        private final Kind kind;
        private final @Nullable MemorySegment bytes;
        private long value;

        private Attribute(int id, Kind kind, @Nullable MemorySegment bytes, long value) {
            this.id = id;
            this.kind = kind;
            this.bytes = bytes;
            this.value = value;
        }

        /** Its number within the method. */
        public int id() {
            return id;
        }

        /** What it carries. */
        public Kind kind() {
            return kind;
        }

        /** The bytes of an input, or the room of an output. */
        public MemorySegment bytes() {
            if (bytes == null) {
                throw new IllegalStateException("attribute " + id + " is a " + kind);
            }
            return bytes;
        }

        /** The number, or the handle. */
        public long value() {
            return value;
        }

        /** For the kernel: stores the handle of the object that was made. */
        public void answer(int handle) {
            value = handle;
        }
    }

    private final int object;
    private final int method;
    private final List<Attribute> attributes = new ArrayList<>();

    /** A call without attributes. */
    public MethodCall(int object, int method) {
        this.object = object;
        this.method = method;
    }

    /** The object's number. */
    public int object() {
        return object;
    }

    /** The method's number within its object. */
    public int method() {
        return method;
    }

    /** The attributes in the order in which they were added. */
    public List<Attribute> attributes() {
        return Collections.unmodifiableList(attributes);
    }

    /** Adds a number of eight bytes. */
    public MethodCall number(int attribute, long value) {
        return add(new Attribute(attribute, Kind.NUMBER, null, value));
    }

    /** Adds bytes for the kernel. */
    public MethodCall input(int attribute, MemorySegment bytes) {
        return add(new Attribute(attribute, Kind.INPUT, bytes, 0));
    }

    /** Adds room, zeroed, for bytes from the kernel. */
    public MethodCall output(int attribute, MemorySegment room) {
        return add(new Attribute(attribute, Kind.OUTPUT, room, 0));
    }

    /** Adds the handle of an object. */
    public MethodCall handle(int attribute, int handle) {
        return add(new Attribute(attribute, Kind.HANDLE, null, handle));
    }

    /** Adds a place for the handle of the object that the method makes. */
    public MethodCall newHandle(int attribute) {
        return add(new Attribute(attribute, Kind.NEW_HANDLE, null, 0));
    }

    private MethodCall add(Attribute attribute) {
        attributes.add(attribute);
        return this;
    }

    /** The attribute with that number. */
    public @Nullable Attribute find(int id) {
        for (Attribute attribute : attributes) {
            if (attribute.id == id) {
                return attribute;
            }
        }
        return null;
    }

    /** The handle that the kernel answered. */
    public int answered(int id) {
        Attribute attribute = find(id);
        if (attribute == null || attribute.kind != Kind.NEW_HANDLE) {
            throw new IllegalArgumentException("attribute " + id + " is not a new handle of this call");
        }
        return (int) attribute.value;
    }
}

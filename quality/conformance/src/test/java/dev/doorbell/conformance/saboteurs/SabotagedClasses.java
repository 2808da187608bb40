package dev.doorbell.conformance.saboteurs;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles changed sources against the product, in memory. */
final class SabotagedClasses {
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private SabotagedClasses() {}

    /** Bytes of the classes, by name. */
    static Map<String, byte[]> compile(Map<String, String> sources, List<Path> classPath) {
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        Map<String, ByteArrayOutputStream> outputs = new HashMap<>();
        String path = classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        try (StandardJavaFileManager standard = COMPILER.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
            boolean compiled = COMPILER.getTask(
                            null,
                            new InMemory(standard, outputs),
                            diagnostics,
                            List.of("-proc:none", "-nowarn", "-classpath", path),
                            null,
                            sources.entrySet().stream()
                                    .map(source -> new Source(source.getKey(), source.getValue()))
                                    .toList())
                    .call();
            if (!compiled) {
                throw new AssertionError("the changed source does not compile: " + diagnostics.getDiagnostics());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, byte[]> classes = new HashMap<>();
        outputs.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
        return classes;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String className, String text) {
            super(URI.create("string:///" + className.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> outputs;

        InMemory(JavaFileManager standard, Map<String, ByteArrayOutputStream> outputs) {
            super(standard);
            this.outputs = outputs;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("bytes:///" + className.replace('.', '/')), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    outputs.put(className, bytes);
                    return bytes;
                }
            };
        }
    }
}

package dev.doorbell.conformance.saboteurs;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Loads the product and the suite again, with some classes replaced. */
final class SabotagedLoader extends URLClassLoader {
    private final Map<String, byte[]> replaced;

    SabotagedLoader(List<Path> classPath, Map<String, byte[]> replaced) {
        super(urls(classPath), ClassLoader.getPlatformClassLoader());
        this.replaced = replaced;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = replaced.get(name);
        return bytes == null ? super.findClass(name) : defineClass(name, bytes, 0, bytes.length);
    }

    private static URL[] urls(List<Path> classPath) {
        return classPath.stream().map(SabotagedLoader::url).toArray(URL[]::new);
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}

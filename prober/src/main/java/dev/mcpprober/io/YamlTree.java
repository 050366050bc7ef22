package dev.mcpprober.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** One mapping of a bundled YAML file. What is not as expected is a defect of the file, and of this program. */
public final class YamlTree {
    private final String where;
    private final Map<?, ?> members;

    private YamlTree(String where, Map<?, ?> members) {
        this.where = where;
        this.members = members;
    }

    public static YamlTree ofResource(String name) {
        try (InputStream in = YamlTree.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + name);
            }
            Object all = new Load(LoadSettings.builder().setLabel(name).build()).loadFromString(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return of(name, all);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    private static YamlTree of(String where, Object value) {
        if (value instanceof Map<?, ?> map) {
            return new YamlTree(where, map);
        }
        throw new IllegalStateException(where + ": a mapping is expected");
    }

    /** @throws IllegalStateException where there is no such member */
    public String text(String name) {
        return optional(name).orElseThrow(() -> new IllegalStateException(where + " lacks " + name));
    }

    public Optional<String> optional(String name) {
        return Optional.ofNullable(members.get(name)).map(value -> String.valueOf(value).strip());
    }

    /** A mapping within. */
    public YamlTree tree(String name) {
        return of(where + ", " + name, members.get(name));
    }

    public boolean has(String name) {
        return members.containsKey(name);
    }

    /** The mappings of a list within; empty where there is none. */
    public List<YamlTree> list(String name) {
        List<YamlTree> out = new ArrayList<>();
        if (members.get(name) instanceof List<?> list) {
            for (Object item : list) {
                out.add(of(where + ", " + name + " " + (out.size() + 1), item));
            }
        }
        return out;
    }

    /** The items of a list within, as texts. */
    public List<String> texts(String name) {
        return members.get(name) instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of();
    }

    /** The members of a mapping within, as texts, in the file's order. */
    public Map<String, String> map(String name) {
        Map<String, String> out = new LinkedHashMap<>();
        if (members.get(name) instanceof Map<?, ?> map) {
            map.forEach((key, value) -> out.put(String.valueOf(key), String.valueOf(value)));
        }
        return out;
    }

    /** @throws IllegalStateException where it has a key that is none of {@code known} */
    public YamlTree only(List<String> known) {
        for (Object key : members.keySet()) {
            if (!known.contains(String.valueOf(key))) {
                throw new IllegalStateException(where + ": no such key: " + key + "; known: " + new TreeSet<>(known));
            }
        }
        return this;
    }
}

package dev.mcpprober.io;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.JsonSchemas.Dialect;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The references and patterns of a schema, read where the dialects have subschemas and nowhere else: what stands in {@code enum} or
 * {@code default} is a value. Nothing is followed, so that recursive references cost nothing, and nothing is ever fetched.
 */
public final class SchemaRefs {
    private static final Set<String> VALUES = Set.of("enum", "const", "default", "examples", "example");
    /** Keywords whose members are named by the author, each with a schema. */
    private static final Set<String> NAMED = Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies");
    private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef", "$recursiveRef");

    /** A reference with the embedded resource that it stands in. */
    private record Reference(String text, JsonNode resource, URI base) {}

    private final JsonNode root;
    private final List<Reference> references = new ArrayList<>();
    private final Set<String> patterns = new LinkedHashSet<>();
    private final Set<String> anchors = new HashSet<>();
    private final Set<URI> resources = new HashSet<>();

    private SchemaRefs(JsonNode schema) {
        root = schema;
        walk(schema, schema, null);
    }

    public static SchemaRefs of(JsonNode schema) {
        return new SchemaRefs(schema);
    }

    private void walk(JsonNode schema, JsonNode resource, URI base) {
        if (schema.isArray()) {
            schema.forEach(one -> walk(one, resource, base));
            return;
        }
        if (!schema.isObject()) {
            return;
        }
        JsonNode here = resource;
        URI at = base;
        for (String keyword : List.of("$id", "id")) {
            String id = schema.path(keyword).isTextual() ? schema.get(keyword).textValue() : "";
            if (id.startsWith("#")) {
                anchors.add(id.substring(1));
            } else if (!id.isEmpty() && (keyword.equals("$id") || schema == root)) {
                here = schema;
                at = resolve(base, id).orElse(base);
                Optional.ofNullable(at).ifPresent(resources::add);
            }
        }
        for (String keyword : List.of("$anchor", "$dynamicAnchor")) {
            if (schema.path(keyword).isTextual()) {
                anchors.add(schema.get(keyword).textValue());
            }
        }
        for (Iterator<Map.Entry<String, JsonNode>> each = schema.fields(); each.hasNext();) {
            Map.Entry<String, JsonNode> member = each.next();
            JsonNode value = member.getValue();
            if (REFERENCES.contains(member.getKey()) && value.isTextual()) {
                references.add(new Reference(value.textValue(), here, at));
            } else if (member.getKey().equals("pattern") && value.isTextual()) {
                patterns.add(value.textValue());
            } else if (NAMED.contains(member.getKey()) && value.isObject()) {
                named(member.getKey(), value, here, at);
            } else if (!VALUES.contains(member.getKey()) && !member.getKey().startsWith("x-")) {
                walk(value, here, at);
            }
        }
    }

    private void named(String keyword, JsonNode schemas, JsonNode resource, URI base) {
        for (Iterator<Map.Entry<String, JsonNode>> each = schemas.fields(); each.hasNext();) {
            Map.Entry<String, JsonNode> one = each.next();
            if (keyword.equals("patternProperties")) {
                patterns.add(one.getKey());
            }
            walk(one.getValue(), resource, base);
        }
    }

    private static Optional<URI> resolve(URI base, String text) {
        try {
            URI uri = new URI(text);
            URI full = base == null ? uri : base.resolve(uri);
            String plain = full.toString();
            return Optional.of(new URI(plain.contains("#") ? plain.substring(0, plain.indexOf('#')) : plain));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /** The first reference that leads to nothing in this schema, though it says to look there. */
    public Optional<String> dangling() {
        return references.stream().filter(reference -> local(reference) && !leads(reference)).map(Reference::text).findFirst();
    }

    /** Into this document: a fragment, or a relative reference that nothing says the base of. */
    private boolean local(Reference reference) {
        if (reference.text().startsWith("#")) {
            return true;
        }
        Optional<URI> target = resolve(reference.base(), reference.text());
        return target.isPresent() && !target.get().isAbsolute() && !resources.contains(target.get());
    }

    private boolean leads(Reference reference) {
        String text = reference.text();
        if (!text.startsWith("#")) {
            return false;
        }
        String fragment = decoded(text.substring(1));
        if (!fragment.isEmpty() && !fragment.startsWith("/")) {
            return anchors.contains(fragment);
        }
        return pointed(reference.resource(), fragment) || pointed(root, fragment);
    }

    private static boolean pointed(JsonNode from, String pointer) {
        JsonNode at = from;
        for (String token : pointer.isEmpty() ? new String[0] : pointer.substring(1).split("/", -1)) {
            String key = token.replace("~1", "/").replace("~0", "~");
            at = at.isArray() && key.matches("\\d{1,9}") ? at.path(Integer.parseInt(key)) : at.path(key);
        }
        return !at.isMissingNode();
    }

    /** A fragment may have any character percent-encoded. */
    private static String decoded(String fragment) {
        try {
            return new URI("#" + fragment).getFragment();
        } catch (URISyntaxException e) {
            return fragment;
        }
    }

    /** References to other documents by an absolute URI, in order, each once; the dialects' own schemas, which readers bring along, left out. */
    public Set<String> network() {
        Set<String> out = new LinkedHashSet<>();
        for (Reference reference : references) {
            Optional<URI> target = reference.text().startsWith("#") ? Optional.empty() : resolve(reference.base(), reference.text());
            target.filter(uri -> uri.isAbsolute() && !resources.contains(uri) && Dialect.of(uri.toString()).isEmpty()).ifPresent(uri -> out.add(reference.text()));
        }
        return out;
    }

    /** The patterns, each once. */
    public Set<String> patterns() {
        return patterns;
    }
}

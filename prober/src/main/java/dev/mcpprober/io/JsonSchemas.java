package dev.mcpprober.io;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.OutputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Questions about JSON Schemas, answered without ever fetching anything: a reference that leads outside the schema makes it
 * unusable here, it is not followed. {@code format} is annotation only.
 */
public final class JsonSchemas {
    private static final Map<Dialect, SchemaRegistry> REGISTRIES = new EnumMap<>(Dialect.class);
    /** For one question. */
    private static final long MAX_WORK = 100_000_000;
    /** Work of one keyword. */
    private static final long KEYWORD = 20;
    /** Read once: there are five, and a listing may have hundreds of schemas to hold against one of them. */
    private static final Map<Dialect, Schema> META_SCHEMAS = new EnumMap<>(Dialect.class);

    private JsonSchemas() {}

    /** The dialects whose meta-schemas are bundled. */
    public enum Dialect {
        DRAFT_04("http://json-schema.org/draft-04/schema", SpecificationVersion.DRAFT_4),
        DRAFT_06("http://json-schema.org/draft-06/schema", SpecificationVersion.DRAFT_6),
        DRAFT_07("http://json-schema.org/draft-07/schema", SpecificationVersion.DRAFT_7),
        DRAFT_2019_09("https://json-schema.org/draft/2019-09/schema", SpecificationVersion.DRAFT_2019_09),
        DRAFT_2020_12("https://json-schema.org/draft/2020-12/schema", SpecificationVersion.DRAFT_2020_12);

        private final String uri;
        private final SpecificationVersion version;

        Dialect(String uri, SpecificationVersion version) {
            this.uri = uri;
            this.version = version;
        }

        /** Without a trailing {@code #}. */
        public String uri() {
            return uri;
        }

        /** The dialect of a {@code $schema} value; http and https and a trailing {@code #} make no difference. */
        public static Optional<Dialect> of(String uri) {
            String plain = uri.replaceFirst("#$", "").replaceFirst("^https?:", "");
            for (Dialect dialect : values()) {
                if (dialect.uri.replaceFirst("^https?:", "").equals(plain)) {
                    return Optional.of(dialect);
                }
            }
            return Optional.empty();
        }
    }

    /** A schema that cannot be put to use, with the reason; no statement about whether it is valid. */
    public static final class UnusableSchemaException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableSchemaException(String reason, Throwable cause) {
            super(reason, cause);
        }
    }

    /**
     * What the meta-schema of {@code dialect} has against {@code schema}; empty when it is a valid schema.
     *
     * @throws UnusableSchemaException when the schema is too large or too deep to be judged
     */
    public static List<String> faultsOfSchema(JsonNode schema, Dialect dialect) throws UnusableSchemaException {
        return faults(metaSchema(dialect), schema, new Work(MAX_WORK));
    }

    /**
     * What {@code schema} has against {@code instance}; empty when it is valid.
     *
     * @throws UnusableSchemaException when the schema is broken, points outside itself where that matters, or costs too much
     */
    public static List<String> faultsOfInstance(JsonNode schema, Dialect dialect, JsonNode instance) throws UnusableSchemaException {
        return faultsOfInstance(schema, dialect, instance, new Work(MAX_WORK));
    }

    /** As above, within {@code work}, which may be shared by many questions. */
    public static List<String> faultsOfInstance(JsonNode schema, Dialect dialect, JsonNode instance, Work work) throws UnusableSchemaException {
        try {
            work.spend(KEYWORD * size(schema));
            return faults(registry(dialect).getSchema(schema), instance, work);
        } catch (RuntimeException | StackOverflowError e) {
            throw unusable(e);
        }
    }

    private static List<String> faults(Schema schema, JsonNode instance, Work work) throws UnusableSchemaException {
        try {
            BoundedRegex.WORK.set(work);
            Counting context = new Counting(schema.createExecutionContext().getExecutionConfig(), work);
            return schema.validate(context, instance, OutputFormat.DEFAULT).stream().map(JsonSchemas::describe).toList();
        } catch (RuntimeException | StackOverflowError e) {
            throw unusable(e);
        } finally {
            BoundedRegex.WORK.remove();
        }
    }

    /** The library reports broken schemas, outside references and bad patterns by various unchecked exceptions. */
    private static UnusableSchemaException unusable(Throwable e) {
        return new UnusableSchemaException(e instanceof StackOverflowError ? "nested too deep" : String.valueOf(e.getMessage()), e);
    }

    /** Number of values in a tree. */
    public static long size(JsonNode tree) {
        long size = 1;
        for (JsonNode child : tree) {
            size += size(child);
        }
        return size;
    }

    private static String describe(Error error) {
        return error.getInstanceLocation() + ": " + error.getMessage();
    }

    private static synchronized Schema metaSchema(Dialect dialect) {
        return META_SCHEMAS.computeIfAbsent(dialect, d -> registry(d).getSchema(SchemaLocation.of(d.uri)));
    }

    private static synchronized SchemaRegistry registry(Dialect dialect) {
        return REGISTRIES.computeIfAbsent(dialect, d -> SchemaRegistry.withDefaultDialect(d.version, builder -> builder
                .schemaCacheEnabled(false)
                .schemaRegistryConfig(SchemaRegistryConfig.builder().formatAssertionsEnabled(false).preloadSchema(false)
                        .regularExpressionFactory(BoundedRegex::new).build())));
    }

    /** Every keyword that is evaluated, and every reference that is followed, passes here. */
    private static final class Counting extends ExecutionContext {
        private final Work work;

        Counting(ExecutionConfig config, Work work) {
            super(config);
            this.work = work;
        }

        @Override
        public void evaluationPathAddLast(String token) {
            work.spend(KEYWORD);
            super.evaluationPathAddLast(token);
        }

        @Override
        public void evaluationPathAddLast(int token) {
            work.spend(KEYWORD);
            super.evaluationPathAddLast(token);
        }
    }
}

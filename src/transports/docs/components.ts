import { z } from 'zod';

/** A JSON Schema (draft 2020-12), as used by OpenAPI 3.1. */
export type JsonSchema = Record<string, unknown>;

export interface Reference {
  readonly $ref: string;
}

/** Collects the schemas of a document, each under one name. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  /** Adds a schema under a name and returns a reference to it. */
  named(name: string, schema: z.ZodType, io: 'input' | 'output'): Reference {
    this.schemas[name] ??= this.inline(schema, io);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Returns a schema to use in place. Nested schemas with an id become components. */
  inline(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
    for (const [id, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
      const { id: _, $id: __, ...rest } = definition;
      this.schemas[id] ??= tidy(rest) as JsonSchema;
    }
    return tidy(root) as JsonSchema;
  }
}

/**
 * Rewrites references to point to the components, and removes what is noise to a reader: bounds of safe integers, the
 * pattern of a date-time, `propertyNames`, and our own `comma`.
 */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const given = value as JsonSchema;
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name, member]) => {
        if (name === 'maximum') return member !== Number.MAX_SAFE_INTEGER;
        if (name === 'minimum') return member !== Number.MIN_SAFE_INTEGER;
        if (name === 'pattern') return given.format !== 'date-time';
        return name !== 'comma' && name !== 'propertyNames';
      })
      .map(([name, member]) => {
        if (name === '$ref') return [name, String(member).replace('#/$defs/', '#/components/schemas/')];
        return [name, name === 'default' || name === 'enum' || name === 'const' ? member : tidy(member)];
      }),
  );
}

import { z } from 'zod';

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 takes it. */
export type JsonSchema = Record<string, unknown>;

export interface Reference {
  readonly $ref: string;
}

/** The schemas of a document, each under one name. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  /** Adds a schema under a name and refers to it. */
  named(name: string, schema: z.ZodType, io: 'input' | 'output'): Reference {
    this.schemas[name] ??= this.inline(schema, io);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** A schema in place; those in it that have an id become components. */
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
 * Points references at the components, and drops what says nothing to a reader: the bounds of any integer in a
 * JavaScript number, the expression behind a date-time, the names of members that may be any text.
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

import { defined } from '../../common/elements.ts';
import { type Html, html } from '../pages/page.ts';
import type { JsonSchema } from './components.ts';

/** Schemas by name, for resolving references. */
type Schemas = Readonly<Record<string, JsonSchema>>;

/** Nesting depth of the field lists; openapi.json has the rest. */
const DEPTH = 4;

interface ResolvedSchema {
  readonly schema: JsonSchema;
  /** The name of the component that it refers to. */
  readonly name: string | null;
  readonly nullable: boolean;
}

/** Resolves references and strips null from unions. */
function resolveSchema(schema: JsonSchema, schemas: Schemas): ResolvedSchema {
  const options = schema.anyOf as JsonSchema[] | undefined;
  const some = options?.filter((one) => one.type !== 'null');
  if (options && some?.length === 1) {
    const inner = resolveSchema(defined(some[0]), schemas);
    return { ...inner, nullable: some.length < options.length || inner.nullable };
  }
  const target = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  if (target === undefined) return { schema, name: null, nullable: false };
  return { ...resolveSchema(schemas[target] ?? {}, schemas), name: target };
}

const listed = (values: unknown): string => (values as unknown[]).map((value) => JSON.stringify(value)).join(', ');

/** Describes a type in a few words. */
function typeOf(given: JsonSchema, schemas: Schemas): string {
  const { schema, name, nullable } = resolveSchema(given, schemas);
  const or = nullable ? ' or null' : '';
  if (name) return name + or;
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(', ')}${or}`;
  if ('const' in schema) return JSON.stringify(schema.const) + or;
  if (schema.anyOf) return (schema.anyOf as JsonSchema[]).map((one) => typeOf(one, schemas)).join(' or ');
  if (schema.type === 'array' && Array.isArray(schema.prefixItems)) {
    return `[${schema.prefixItems.map((one: JsonSchema) => typeOf(one, schemas)).join('; ')}]${or}`;
  }
  if (schema.type === 'array') {
    const items = typeOf((schema.items ?? {}) as JsonSchema, schemas);
    return `list of ${items}${between(schema.minItems, schema.maxItems, ', with')}${or}`;
  }
  const type = String(schema.type ?? 'any value');
  const format = schema.format === 'date-time' ? 'time (RFC 3339, UTC)' : schema.format === 'uri' ? 'URL' : type;
  const minimum = schema.minimum ?? schema.exclusiveMinimum;
  if (type === 'string') {
    const { minLength, maxLength } = schema;
    return `${format}${maxLength === undefined ? '' : `, ${between(minLength, maxLength, '').trim()} characters`}${or}`;
  }
  return `${format}${between(minimum, schema.maximum, ',')}${or}`;
}

function between(from: unknown, to: unknown, before: string): string {
  if (from === undefined && to === undefined) return '';
  if (to === undefined) return `${before} at least ${from}`;
  return from === undefined ? `${before} at most ${to}` : `${before} ${from} to ${to}`.trimStart();
}

/** Lists the members of an object with type and meaning; nested objects can be expanded. Null if it has none. */
export function fieldList(
  given: JsonSchema,
  schemas: Schemas,
  where?: (name: string) => string,
  depth = 0,
): Html | null {
  const { schema } = resolveSchema(given, schemas);
  if (schema.anyOf) {
    const some = (schema.anyOf as JsonSchema[]).map((one) => fieldList(one, schemas, where, depth));
    return html`${some.map((one, i) => html`${i > 0 && html`<p>or</p>`}${one}`)}`;
  }
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  if (members.length === 0) return null;
  const required = new Set((schema.required ?? []) as string[]);
  const items = members.map(([name, member]) => {
    const looked = resolveSchema(member, schemas);
    const inner = looked.schema.type === 'array' ? ((looked.schema.items ?? {}) as JsonSchema) : member;
    const nested = depth < DEPTH ? fieldList(inner, schemas, undefined, depth + 1) : null;
    const notes = [
      typeOf(member, schemas),
      where?.(name),
      where && (required.has(name) ? 'required' : undefined),
      !where && !required.has(name) && 'may be absent',
      member.default !== undefined && `default ${listed([member.default])}`,
    ].filter(Boolean);
    const meaning = member.description ?? looked.schema.description;
    return html`
<dt><code>${name}</code> <span class="type">${notes.join('; ')}</span></dt>
<dd>${typeof meaning === 'string' && meaning}${nested && html`<details><summary>Members of ${name}</summary>${nested}</details>`}</dd>`;
  });
  return html`<dl class="fields">${items}</dl>`;
}

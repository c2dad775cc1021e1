import fc from 'fast-check';
import { z } from 'zod';
import type { AnyOp } from '../../src/core/op.ts';

/** Operations that delete the account or organization of their caller, or switch away from it. */
export const DESTRUCTIVE_OPS: readonly string[] = ['delete_account', 'delete_org', 'switch_org'];

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | false;
  /** Schemas by position, for a list of fixed length. */
  readonly prefixItems?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** Texts with a meaning somewhere: ids in every form, codes, places, and inputs that have broken parsers. */
const TEXTS = fc.constantFrom(
  ...['iso:ES-SE', 'iso:LU', 'r2171347', 'relation/1155955', '-1155955', 'wikidata:Q32', 'r1', 'w500', 'berlin', ''],
  ...[
    'ES',
    'es,LU',
    '37.4,-6',
    '91,0',
    'a@example.org',
    'viewer',
    'shelf',
    '%',
    '\u0000',
    '\ud800',
    '../x',
    '𝔘',
    "'; --",
  ],
);

/** Mostly valid values of a schema; ignores lengths and patterns. */
function mostlyValid(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(mostlyValid));
  const { minimum = -1e6, maximum = 1e6 } = schema;
  if (schema.type === 'integer') {
    return fc.integer({ min: Math.max(minimum, -1e9), max: Math.min(maximum, 1e9) });
  }
  if (schema.type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true });
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map(mostlyValid));
  if (schema.type === 'array')
    return fc.array(mostlyValid(schema.items || {}), { maxLength: Math.min(schema.maxItems ?? 4, 4) });
  if (schema.type === 'object') return objectOf(schema, mostlyValid);
  return fc.oneof({ weight: 3, arbitrary: TEXTS }, fc.string({ maxLength: Math.min(schema.maxLength ?? 60, 60) }));
}

/** The same, but sometimes a value has another type, is out of range or far too long. */
function sometimesInvalid(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.type === 'object' && schema.properties) {
    return fc
      .tuple(
        objectOf(schema, sometimesInvalid),
        fc.dictionary(fc.constantFrom('x', '__proto__', 'constructor', 'id'), fc.jsonValue(), { maxKeys: 1 }),
      )
      .map(([known, more]) => ({ ...more, ...known }));
  }
  return fc.oneof(
    { weight: 2, arbitrary: mostlyValid(schema) },
    fc.jsonValue(),
    fc.constantFrom(null, -1, 0, 1e300, 1.5, 'x'.repeat(20_000), [], {}, [[]], true),
  );
}

function objectOf({ properties = {}, required = [] }: Schema, value: (schema: Schema) => fc.Arbitrary<unknown>) {
  const members = Object.entries(properties).map(([name, schema]) => [name, value(schema)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: required.filter((name) => name in properties) });
}

/** An input of an operation. */
export type Input = Record<string, unknown>;

/**
 * Inputs of an operation: mostly valid ones, ones with invalid values, and its examples with one or two members
 * replaced. `known` gives values that a member has in a running service.
 */
export function inputs(
  op: AnyOp,
  known: (member: string) => fc.Arbitrary<unknown> | null = () => null,
): fc.Arbitrary<Input> {
  const schema = z.toJSONSchema(op.input, { io: 'input', unrepresentable: 'any' }) as Schema;
  const likelyInput = withKnown(objectOf(schema, mostlyValid) as fc.Arbitrary<Input>, schema, known);
  const doubtfulInput = sometimesInvalid(schema) as fc.Arbitrary<Input>;
  const examples = withKnown(fc.constantFrom(...op.examples.map(({ input }) => input)), schema, known);
  const more = fc.oneof({ weight: 2, arbitrary: likelyInput }, doubtfulInput);
  const names = Object.keys(schema.properties ?? {});
  const some = fc.tuple(more, fc.subarray(names, { maxLength: Math.min(2, names.length) }));
  const changed = fc.tuple(examples, some).map(([input, [other, chosen]]) => ({
    ...input,
    ...Object.fromEntries(chosen.filter((name) => Object.hasOwn(other, name)).map((name) => [name, other[name]])),
  }));
  return fc.oneof(likelyInput, doubtfulInput, changed);
}

/** The input with known values for three of four members that have them. */
function withKnown(
  input: fc.Arbitrary<Input>,
  { properties = {} }: Schema,
  known: (member: string) => fc.Arbitrary<unknown> | null,
): fc.Arbitrary<Input> {
  const members = Object.keys(properties).flatMap((name) => {
    const value = known(name);
    return value === null ? [] : [[name, fc.option(value, { freq: 3, nil: undefined })] as const];
  });
  if (members.length === 0) return input;
  return fc.tuple(input, fc.record(Object.fromEntries(members))).map(([given, values]) => {
    const found = Object.entries(values).filter(([name, value]) => value !== undefined && Object.hasOwn(given, name));
    return { ...given, ...Object.fromEntries(found) };
  });
}

/** Whether an input can be written as path and query, or as body, of the operation's route. */
export const writable = (op: AnyOp, input: Input): boolean =>
  Object.entries(input).every(([name, value]) => {
    const inText = op.route.method === 'GET' || op.route.path.includes(`:${name}`);
    return (
      !inText ||
      (value !== null && typeof value !== 'object' && !/\p{Surrogate}/u.test(String(value)) && String(value) !== '')
    );
  });

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { AnyOp } from '../../src/op.ts';
import { ops } from '../../src/ops/index.ts';
import { requestOf } from '../../src/transports/docs/snippets.ts';
import type { BoundaryHouse } from '../ops/boundary_house.ts';
import { type Caller, callerOf } from '../setup/routes.ts';
import { type Actor, enter, openShelf } from './shelf.ts';

let house: BoundaryHouse;
let person: Actor;
let call: Caller;
beforeAll(async () => {
  house = await openShelf();
  person = await enter(house, true);
  call = callerOf({ ...house, host: 'maps.example', ops });
});
afterAll(() => house?.close());

/** What ends the person or the organization that all calls are made by. */
const FINAL = ['delete_account', 'delete_org', 'switch_org'];
/** For each operation, by each of the four routes: FUZZ_CALLS=2000 is a long run. */
const RUNS = Number(process.env.FUZZ_CALLS ?? 6);

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | false;
  /** Of a list with so many elements. */
  readonly prefixItems?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** Texts that mean something somewhere: ids in every form, codes, places, and what has broken parsers. */
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

/** Values that a schema allows, mostly: lengths and patterns are left to the operation. */
function likely(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(likely));
  const { minimum = -1e6, maximum = 1e6 } = schema;
  if (schema.type === 'integer') {
    return fc.integer({ min: Math.max(minimum, -1e9), max: Math.min(maximum, 1e9) });
  }
  if (schema.type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true });
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map(likely));
  if (schema.type === 'array')
    return fc.array(likely(schema.items || {}), { maxLength: Math.min(schema.maxItems ?? 4, 4) });
  if (schema.type === 'object') return objectOf(schema, likely);
  return fc.oneof({ weight: 3, arbitrary: TEXTS }, fc.string({ maxLength: Math.min(schema.maxLength ?? 60, 60) }));
}

/** The same, each value now and then one of another type, out of range or far too long. */
function doubtful(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.type === 'object' && schema.properties) {
    return fc
      .tuple(
        objectOf(schema, doubtful),
        fc.dictionary(fc.constantFrom('x', '__proto__', 'constructor', 'id'), fc.jsonValue(), { maxKeys: 1 }),
      )
      .map(([known, more]) => ({ ...more, ...known }));
  }
  return fc.oneof(
    { weight: 2, arbitrary: likely(schema) },
    fc.jsonValue(),
    fc.constantFrom(null, -1, 0, 1e300, 1.5, 'x'.repeat(20_000), [], {}, [[]], true),
  );
}

function objectOf({ properties = {}, required = [] }: Schema, value: (schema: Schema) => fc.Arbitrary<unknown>) {
  const members = Object.entries(properties).map(([name, schema]) => [name, value(schema)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: required.filter((name) => name in properties) });
}

const inputs = (op: AnyOp): fc.Arbitrary<Record<string, unknown>> => {
  const schema = z.toJSONSchema(op.input, { io: 'input', unrepresentable: 'any' }) as Schema;
  return fc.oneof(objectOf(schema, likely), doubtful(schema)) as fc.Arbitrary<Record<string, unknown>>;
};

/** Whether an input can be written as the path and query, or the body, of the operation's own route. */
const writable = (op: AnyOp, input: Record<string, unknown>): boolean =>
  Object.entries(input).every(([name, value]) => {
    const inText = op.route.method === 'GET' || op.route.path.includes(`:${name}`);
    return (
      !inText ||
      (value !== null && typeof value !== 'object' && !/\p{Surrogate}/u.test(String(value)) && String(value) !== '')
    );
  });

// That an answer is declared (status, media type, headers, code, body) is seen to by the house with every reply.
test.each(ops.filter(({ name }) => !FINAL.includes(name)).map((op) => [op.name, op] as const))(
  'whatever %s is asked, it answers as declared, and never with a fault of ours',
  async (_name, op) => {
    await fc.assert(
      fc.asyncProperty(inputs(op), async (input) => {
        const byName = await person.rpc(op.name, input);
        expect(byName.status, byName.text).toBeLessThan(500);
        for (const route of ['mcp', 'cli'] as const) {
          const { status, json } = await call(route, op.name, input, person.key);
          expect(status, `${route} ${JSON.stringify(json).slice(0, 500)}`).toBeLessThan(500);
        }
        if (!writable(op, input)) return;
        const { method, path, body } = requestOf(op, input);
        const own = await person.ask(method, path, body ?? undefined);
        expect(own.status, `${method} ${path} ${own.text}`).toBeLessThan(500);
      }),
      { numRuns: RUNS },
    );
  },
);

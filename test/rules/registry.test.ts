import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defined } from '../../src/common/elements.ts';
import { PROBLEMS } from '../../src/core/errors.ts';
import type { AnyOp } from '../../src/core/op.ts';
import { ops } from '../../src/ops/index.ts';
import { fieldsOf } from '../../src/transports/decode.ts';
import { testOps } from '../transports/test_server.ts';

const shape = (path: string): string => path.replace(/:\w+/g, ':');
const parameters = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => defined(name));

/** Where a schema has a list of any length. */
function unbounded(schema: object, path = ''): string[] {
  const { type, maxItems, ...rest } = schema as { type?: unknown; maxItems?: unknown };
  const below = Object.entries(rest).flatMap(([name, member]) =>
    typeof member === 'object' && member !== null ? unbounded(member, `${path}/${name}`) : [],
  );
  return type === 'array' && maxItems === undefined ? [path, ...below] : below;
}

/** What is wrong with a registry, in words; empty when nothing is. */
function faults(registry: readonly AnyOp[]): string[] {
  const found: string[] = [];
  const names = new Set<string>();
  const routes = new Set<string>();
  const shapes = new Map<string, string>();
  for (const op of registry) {
    const fault = (text: string): void => void found.push(`${op.name}: ${text}`);
    if (!/^[a-z]+(_[a-z]+)*$/.test(op.name)) fault('the name is not snake_case');
    if (names.has(op.name)) fault('the name is taken');
    names.add(op.name);
    const { method, path } = op.route;
    if (!/^(\/(:[a-z_]+|[a-z0-9-]+))+(\.[a-z]+)?$/.test(path))
      fault(`the path ${path} is not lower-case segments and :parameters, with an extension at most`);
    if (/^\/ops\b/.test(path)) fault('/ops is for calls by name');
    const route = `${method} ${shape(path)}`;
    if (routes.has(route)) fault(`another operation has the route ${route}`);
    routes.add(route);
    const spelling = shapes.get(shape(path)) ?? path;
    if (spelling !== path) fault(`${path} and ${spelling} name one path differently`);
    shapes.set(shape(path), path);
    if (method === 'GET' && op.effect === 'write') fault('GET changes nothing');
    if (!/^[A-Z].*\.$/.test(op.summary)) fault('the summary is not a sentence');

    const { def } = op.input;
    if (!(def.catchall instanceof z.ZodNever)) fault('the input is not a strict object');
    const fields = new Map(fieldsOf(op).map((field) => [field.name, field]));
    for (const name of parameters(path)) {
      if (!fields.get(name)?.required) fault(`the parameter ${name} is not a required field of the input`);
    }
    for (const field of fields.values()) {
      if (method === 'GET' && field.kind === 'array' && !field.comma)
        fault(`${field.name} cannot be written in a query`);
      if (['json', 'output', 'url', 'local', 'help', 'version'].includes(field.name))
        fault(`${field.name} is a flag of every command`);
    }
    for (const example of op.examples) {
      const valid = op.input.safeParse(example.input).success;
      if (valid === (example.problem === 'invalid_input')) fault('an example is not the valid input that it promises');
      if (example.problem && !op.errors.includes(example.problem)) fault(`an example fails with ${example.problem}`);
    }
    if (op.examples.length === 0) fault('there is no example');
    for (const path of unbounded(z.toJSONSchema(op.input, { io: 'input' }))) fault(`the list ${path} has no bound`);
    z.toJSONSchema(op.output, { io: 'output' });

    const errors = new Set<string>(op.errors);
    if (errors.size !== op.errors.length) fault('an error is listed twice');
    for (const code of errors) if (!(code in PROBLEMS)) fault(`${code} is not a problem code`);
    const needed = ['invalid_input', 'rate_limited'];
    if (typeof op.access === 'function' || op.access.who !== 'public') needed.push('unauthorized');
    if (op.cost.units > 0) needed.push('quota_exceeded');
    for (const code of needed) if (!errors.has(code)) fault(`${code} is missing from its errors`);
    if (!Number.isSafeInteger(op.cost.units) || op.cost.units < 0) fault('the cost is not a number of units');
    if (op.cost.per === 'boundary' && !op.price) fault('a cost per boundary needs price()');
  }
  return found;
}

describe('the registry', () => {
  test('every operation is declared as all of them must be', () => {
    expect(faults(ops)).toEqual([]);
    expect(faults(testOps).filter((fault) => !/quota_exceeded/.test(fault))).toEqual([]);
  });

  test('the rule notices what it is for', () => {
    const good = ops.find(({ name }) => name === 'get_pricing') as AnyOp;
    const broken = (change: Partial<AnyOp>): string[] => faults([{ ...good, ...change }]);
    expect(broken({ name: 'getPricing' })).toHaveLength(1);
    expect(faults([good, good])).toHaveLength(2);
    expect(broken({ route: { method: 'GET', path: '/pricing/:id' } })).toHaveLength(1);
    expect(broken({ effect: 'write' })).toHaveLength(1);
    expect(broken({ access: { who: 'viewer' } })).toHaveLength(1);
    expect(broken({ cost: { units: 1, per: 'call' } })).toHaveLength(1);
    expect(broken({ errors: ['invalid_input'] })).toHaveLength(1);
    expect(broken({ input: z.object({}) })).toHaveLength(1);
    expect(broken({ input: z.strictObject({ a: z.strictObject({ b: z.array(z.int()) }).optional() }) })).toEqual([
      'get_pricing: the list /properties/a/properties/b has no bound',
    ]);
    expect(broken({ examples: [{ input: { q: 1 } }] })).toHaveLength(1);
    const other: AnyOp = {
      ...good,
      name: 'other',
      route: { method: 'POST', path: '/a/:b' },
      input: z.strictObject({ b: z.string() }),
    };
    const twin: AnyOp = {
      ...other,
      name: 'twin',
      route: { method: 'PUT', path: '/a/:c' },
      input: z.strictObject({ c: z.string() }),
    };
    expect(
      faults([
        { ...other, examples: [{ input: { b: 'x' } }] },
        { ...twin, examples: [{ input: { c: 'x' } }] },
      ]),
    ).toEqual(['twin: /a/:c and /a/:b name one path differently']);
  });
});

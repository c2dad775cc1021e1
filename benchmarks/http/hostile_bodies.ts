import { z } from 'zod';
import { BODY_BYTES, MOST_VALUES } from '../../src/core/input.ts';
import type { AnyOp } from '../../src/core/op.ts';

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
}

/** Bodies of exactly the size limit of an operation: long lists, many members, deep nesting, long texts. */
export function bodiesOf(op: AnyOp): string[] {
  const limit = op.bodyBytes ?? BODY_BYTES;
  const { properties = {} } = z.toJSONSchema(op.input, { io: 'input', unrepresentable: 'any' }) as Shape;
  const names = Object.keys(properties);
  const [field = 'x'] = names.filter((name) => properties[name].type === 'array').concat(names);
  const within = (room: number, one: string, between: string): string =>
    Array(Math.floor(room / (one.length + between.length)))
      .fill(one)
      .join(between);
  const inField = (value: (room: number) => string): string => `{"${field}":${value(limit - field.length - 10)}}`;
  const members = Array.from({ length: Math.floor(limit / 10) }, (_, i) => `"${i.toString(36).padStart(4, '0')}":0`);
  const values = op.mostValues ?? MOST_VALUES;
  const listed = `[${within(5 * values, '{"0":0}', ',').slice(0, 8 * Math.floor(values / 2) - 17)}]`;
  const groups = Array.from({ length: Math.floor(values / 12) }, (_, i) => `"${i}":[${within(18, '0', ',')}]`);
  const texts = names.map((name) => `"${name}":"${' a'.repeat(Math.floor(limit / names.length / 2) - 20)}"`);
  return [
    inField((room) => `[${within(room, '0', ',')}]`),
    inField((room) => `[${within(room, '{}', ',')}]`),
    inField((room) => '['.repeat(room / 2 - 1) + ']'.repeat(room / 2 - 1)),
    // As many values as the validator counts, each of them invalid.
    inField(() => `[${within(3_990, '{}', ',')}]`),
    inField(() => listed),
    `{"groups":{${groups.join(',')}}}`,
    `{${members.join(',')}}`,
    `{${members.slice(0, 990).join(',')}}`,
    `{${texts.join(',')}}`,
  ].map((body) => body.slice(0, limit));
}

/** A stored boundary that the inputs name. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** An operation and the largest inputs of one kind that it accepts. */
export interface LargeInputs {
  readonly what: string;
  readonly op: string;
  readonly inputs: readonly object[];
}

/** Steps of a plan that filter or repeat, and as many as fit beside their base and the union of all. */
const STEPS = 90;
const MOST_IDS = 5_000;

/**
 * The largest inputs that operations accept, over the boundaries of one level of a country: plans of areas, lists and
 * groups of ids. Each is free to plan or cheap to send, and much work to answer.
 * @param country id of the country whose boundaries of `level` they name
 */
export function largestInputs(country: string, level: number, boundaries: readonly Named[]): LargeInputs[] {
  const ids = boundaries.map(({ id }) => id).slice(0, MOST_IDS);
  const land = { op: 'place', id: country };
  const all = { op: 'children', of: 0, level };
  const merged = (steps: readonly object[], from: number) => ({
    dry_run: true,
    plan: { steps: [...steps, { op: 'union', of: Array.from({ length: steps.length - from }, (_, i) => from + i) }] },
  });
  const added = ids.slice(0, STEPS / 3).map((id) => ({ op: 'place', id }));
  const sets = added.map((_, i) => ({ op: 'union', of: [1, 2 + i] }));
  const coasts = sets.map((_, i) => ({ op: 'coast', of: 2 + added.length + i, is: 'coastal' }));
  const places = boundaries.slice(0, 41).map(({ name }) => name);
  const groups = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, i) => [
      `g${i}`,
      Array.from({ length: 10 }, (_, n) => ids[(i + n) % ids.length]),
    ]),
  );
  return [
    {
      what: `a plan of ${STEPS} equal sides`,
      op: 'create_area',
      inputs: [merged([land, ...Array(STEPS).fill({ op: 'side', of: 0, direction: 'west', level })], 1)],
    },
    {
      what: `a description of ${places.length} places`,
      op: 'create_area',
      inputs: [
        { dry_run: true, description: places.join(', ').slice(0, 2_000) },
        { dry_run: true, description: `${places.slice(0, -1).join('; ')} and ${places.at(-1)}`.slice(0, 2_000) },
      ],
    },
    {
      what: `a plan of ${coasts.length} coast steps`,
      op: 'create_area',
      inputs: [
        merged([land, all, ...added, ...sets, ...coasts], 2 + added.length + sets.length),
        merged([land, all, ...Array(STEPS).fill({ op: 'coast', of: 1, is: 'coastal' })], 2),
      ],
    },
    {
      what: `a merge of ${Math.min(50, ids.length)} boundaries`,
      op: 'union_boundaries',
      inputs: [{ include: ids.slice(0, 50) }],
    },
    { what: `a collection of ${ids.length} boundaries`, op: 'export_collection', inputs: [{ ids, detail: 'low' }] },
    { what: '10,000 groups of 10 boundaries', op: 'dissolve', inputs: [{ groups, detail: 'low' }] },
    { what: `a crosswalk of ${ids.length} with themselves`, op: 'crosswalk', inputs: [{ a: ids, b: ids }] },
    {
      what: '10,000 points',
      op: 'locate_points',
      inputs: [
        { points: Array.from({ length: 10_000 }, (_, i) => [-9 + 0.12 * (i % 100), 36 + 0.07 * Math.floor(i / 100)]) },
      ],
    },
  ];
}

/** Languages in which a selection's tiles are asked for: tags that no boundary has a name in. */
export const languages = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, i) => `q${'abcdefghijklmnopqrst'[Math.floor(i / 20) % 20]}${'abcdefghijklmnopqrst'[i % 20]}`,
  );

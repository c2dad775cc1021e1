import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROBLEMS } from '../../src/core/errors.ts';
import { type LibraryTestServer, type OrgMember, openLibraryTestServer } from '../library/library_test_server.ts';
import { rounds } from '../proof/rounds.ts';

/** FUZZ_CALLS=10000 makes a long run. */
const RUNS = { numRuns: Number(process.env.FUZZ_CALLS ?? rounds(600)) };

let server: LibraryTestServer;
let owner: OrgMember;
beforeAll(async () => {
  server = await openLibraryTestServer();
  ({ owner } = await server.staff());
});
afterAll(() => server?.close());

const NAMES = [
  'Atlantis',
  'Province 1',
  'Commune 11',
  'Lyonesse',
  'Ys',
  'Dateland',
  'Southland',
  'Openland',
  'Nowhere',
];
const IDS = ['r100', 'r101', 'r111', 'r300', 'r400', 'r410', 'r430', 'r431', 'r600', 'r700', 'w500', 'r9'];
const WORDS = [
  ...NAMES,
  ...IDS,
  ...'and or , ; ( ) without except the of in coastal landlocked provinces municipalities countries neighbors its border'.split(
    ' ',
  ),
  ...'within 5 20000 km around northern half south largest three smallest with more than people y sin ohne sauf le las'.split(
    ' ',
  ),
  ...[
    'that border',
    'on the coast',
    'whose name starts with',
    '"',
    "'s",
    'the capital of',
    'city of',
    '1e9',
    '-1',
    '\u202e',
  ],
];
const level = fc.constantFrom('country', 'state', 'province', 'municipality', 2, 4, 8, 11);
const direction = fc.constantFrom('north', 'south', 'east', 'west', 'northeast', 'southwest');
const km = fc.constantFrom(0.001, 1, 50, 1000);

/** A step with references to any earlier one. */
const step = (n: number): fc.Arbitrary<object> => {
  const ref = fc.nat(Math.max(0, n - 1));
  const place = fc.oneof(
    fc.record({ op: fc.constant('place'), id: fc.constantFrom(...IDS) }),
    fc.record({ op: fc.constant('place'), name: fc.constantFrom(...NAMES) }),
  );
  if (n === 0) return place;
  return fc.oneof(
    place,
    fc.record({ op: fc.constantFrom('capital', 'neighbors'), of: ref }),
    fc.record({ op: fc.constant('union'), of: fc.array(ref, { minLength: 1, maxLength: 4 }) }),
    fc.record({ op: fc.constant('difference'), of: ref, minus: ref }),
    fc.record({ op: fc.constant('intersection'), of: ref, with: ref }),
    fc.record({ op: fc.constantFrom('children', 'containing', 'neighbors'), of: ref, level }),
    fc.record({ op: fc.constant('around'), from: ref, km, level }),
    fc.record({ op: fc.constant('within'), of: ref, from: ref, km }),
    fc.record({ op: fc.constant('buffer'), of: ref, km }),
    fc.record({ op: fc.constant('touching'), of: ref, border: ref }),
    fc.record({ op: fc.constant('coast'), of: ref, is: fc.constantFrom('coastal', 'landlocked') }),
    fc.record({ op: fc.constantFrom('side', 'clip'), of: ref, direction }),
    fc.record({
      op: fc.constant('rank'),
      of: ref,
      by: fc.constantFrom('area', 'population'),
      order: fc.constantFrom('most', 'least'),
      count: fc.integer({ min: 1, max: 5 }),
    }),
    fc.record({
      op: fc.constant('named'),
      of: ref,
      how: fc.constantFrom('starts', 'contains'),
      text: fc.string({ minLength: 1 }),
    }),
  );
};
/** Steps of which each is part of the result: the last takes in all before it. */
const steps = fc
  .integer({ min: 1, max: 6 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, n) => step(n))))
  .map((list) => [...list, { op: 'union', of: list.map((_, n) => n) }]);
const description = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 })
  .map((words) => words.join(' '));

async function expectAnswer(input: Record<string, unknown>): Promise<void> {
  const { status, body } = await server.call('http', 'create_area', input, owner);
  if (status === 200) return;
  expect(status, JSON.stringify(body)).toBeLessThan(500);
  expect(PROBLEMS[body.code as keyof typeof PROBLEMS].status).toBe(status);
}

it('any plan is an area, or an error that is declared', { timeout: 3_600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), (list, dry_run) =>
      expectAnswer({ plan: { steps: list }, detail: 'low', dry_run }),
    ),
    RUNS,
  );
});

it('any words are an area, or an error that is declared', { timeout: 3_600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(description, fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' })), (text) =>
      expectAnswer({ description: text, detail: 'low' }),
    ),
    RUNS,
  );
});

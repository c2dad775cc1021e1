import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';
import { fixtureBoundary, fixtureWorld } from './fixture_world.ts';

interface Answer {
  readonly items: readonly { readonly a: string }[];
  readonly features: readonly { readonly id: string }[];
  readonly members: number;
  readonly count: number;
  readonly code: string;
  readonly detail: string;
  readonly issues: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  readonly left_out: { readonly count: number; readonly items: readonly { readonly id: string }[] };
}

let server: BoundaryTestServer;
let key: string;
let forms: Record<string, object>;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  const world = fixtureWorld();
  const quarters = { adminLevel: 9, country: 'XA' };
  const shaped = world.boundaries.find(({ id }) => id === 'r133');
  const boundaries = [
    ...world.boundaries,
    fixtureBoundary('r310', 'Broken', { ways: [300] }, quarters),
    fixtureBoundary('r311', 'Whole', defined(shaped).border, quarters),
  ];
  await storeBoundaries({ db: server.services.db, engine: server.engine }, { ...world, boundaries });
  ({ key } = await server.key());
  const saved = await server.ask('POST', '/v1/files', { key, json: { boundary_id: 'r101' } });
  forms = {
    ids: { ids: ['r101', 'relation/102'] },
    'a level': { children_of: 'r100', admin_level: 8 },
    'what tiles': { children_of: 'r100' },
    'all levels': { children_of: 'r100', levels: 'all' },
    'a country': { country: 'xa', kind: 'municipality' },
    'a box': { within: [-30.1, 29.9, -27.9, 33.1], admin_level: 8 },
    'a file': { file_id: saved.json.id },
  };
});
afterAll(() => server?.close());

const post = async (path: string, json: object) =>
  (await server.ask('POST', path, { key, json })).json as unknown as Answer;
/** The operations that take a selection, with one in its place in their input. */
const TAKERS: readonly (readonly [string, (form: object) => Promise<Answer>])[] = [
  ['crosswalk', (a) => post('/v1/crosswalk', { a, b: ['r100'] })],
  ['crosswalk, the other side', (b) => post('/v1/crosswalk', { a: ['r100'], b })],
  ['dissolve', (all) => post('/v1/dissolve', { groups: { all }, detail: 'low' })],
  ['a job of crosswalk', (a) => post('/v1/jobs', { op: 'crosswalk', input: { a, b: ['r100'] }, dry_run: true })],
  ['a job of dissolve', (all) => post('/v1/jobs', { op: 'dissolve', input: { groups: { all } }, dry_run: true })],
];

describe('a selection', () => {
  it.each(['ids', 'a level', 'what tiles', 'all levels', 'a country', 'a box', 'a file'])(
    'is the same boundaries for every operation: %s',
    async (name) => {
      const form = defined(forms[name]);
      const { features } = await post('/v1/collections', { ...form, detail: 'low' });
      expect(features.length).toBeGreaterThan(0);
      const ids = features.map(({ id }) => id).sort();
      const { items } = await post('/v1/crosswalk', { a: form, b: ['r100'] });
      expect(items.map(({ a }) => a).sort()).toEqual(ids);
      const kept = await server.rpc('export_collection', { ...form, detail: 'low' }, key);
      const { left_out } = kept.json as unknown as Answer;
      const merged = await post('/v1/dissolve', { groups: { all: form }, detail: 'low' });
      expect(merged).toMatchObject({ members: ids.length, left_out });
      expect((await post('/tiles/selections', form)).count).toBe(ids.length);
      for (const op of ['export_collection', 'crosswalk', 'dissolve']) {
        const input = op === 'crosswalk' ? { a: form, b: form } : op === 'dissolve' ? { groups: { all: form } } : form;
        expect((await post('/v1/jobs', { op, input, dry_run: true })).count, op).toBe(ids.length);
      }
    },
  );

  it.each(TAKERS)('that fits no form is refused with all of them, and the nearest: %s', async (_name, take) => {
    for (const [form, nearest] of [
      [5, ''],
      ['r101', ''],
      [{}, ''],
      [{ children_of: 7 }, '; nearest is {children_of, admin_level?, levels?}: children_of: must be text'],
      [{ admin_level: 8 }, '; nearest is {children_of, admin_level?, levels?}: children_of: must be text'],
      [{ country: 'xa', children_of: 'r100' }, '; nearest is {children_of, admin_level?, levels?}: country: not in it'],
      [['r101', 7], '; nearest is an array of ids: 1: must be text'],
    ] as const) {
      const { code, issues } = await take(form as object);
      expect([code, issues.length]).toEqual(['invalid_input', 1]);
      const message = `must be an array of ids, {ids}, {children_of, admin_level?, levels?}, {country, kind?, admin_level?}, {within, kind?, admin_level?}, {file_id}, or {set}${nearest}`;
      expect(defined(issues[0]).message).toBe(message);
      expect(defined(issues[0]).path).toMatch(/^(input\.)?(a|b|groups\.all)$/);
    }
  });

  it.each(TAKERS)('with fields that do not go together is refused, and of nothing is empty: %s', async (name, take) => {
    for (const [form, member, code] of [
      [{ country: 'XA' }, '.country', 'missing'],
      [{ children_of: 'r100', admin_level: 8, levels: 'all' }, '.levels', 'conflict'],
      [{ within: [0, 50, 1, 40], admin_level: 8 }, '.within', 'out_of_range'],
    ] as const) {
      const { issues } = await take(form);
      expect(issues).toMatchObject([{ path: expect.stringMatching(new RegExp(`\\${member}$`)), code }]);
    }
    // A crosswalk of nothing is an empty list; an area of nothing is none.
    const empty = name.includes('dissolve') ? 'not_found' : undefined;
    expect((await take({ country: 'ZZ', admin_level: 8 })).code).toBe(empty);
    expect((await take({ children_of: 'r111', admin_level: 12 })).code).toBe(empty);
    expect((await take({ children_of: 'r4711' })).code).toBe('not_found');
    expect((await take({ children_of: 'r200' })).code).toBe('no_children');
    expect(await take({ children_of: 'Atlantis' })).toMatchObject({
      code: 'invalid_id',
      candidates: expect.anything(),
    });
  });

  it('leaves out what has no polygon, and says so; a listed one is refused', async () => {
    const form = { country: 'XA', admin_level: 9 };
    const leftOut = { count: 1, items: [{ id: 'r310', name: 'Broken', reason: expect.any(String) }] };
    const kept = await server.rpc('export_collection', { ...form, detail: 'low' }, key);
    expect(kept.json).toMatchObject({ count: 2, left_out: leftOut });
    expect(await post('/v1/crosswalk', { a: form, b: ['r100'] })).toMatchObject({ total: 2, left_out: leftOut });
    const groups = { all: form };
    expect(await post('/v1/dissolve', { groups, detail: 'low' })).toMatchObject({ members: 2, left_out: leftOut });
    for (const [op, input] of [
      ['dissolve', { groups }],
      ['crosswalk', { a: form, b: ['r100'] }],
    ] as const) {
      expect(await post('/v1/jobs', { op, input, dry_run: true })).toMatchObject({ count: 2, left_out: 1 });
    }
    expect((await post('/v1/dissolve', { groups: { a: { ids: ['r310'] } } })).code).toBe('no_geometry');
    expect((await post('/v1/crosswalk', { a: { ids: ['r310'] }, b: ['r100'] })).code).toBe('no_geometry');
  });
});

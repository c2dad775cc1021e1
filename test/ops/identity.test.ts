import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pick, seeded as seededNumbers } from '../../src/bench/random.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import { drawn } from '../proof/rounds.ts';
import { seeded } from '../setup/seeded.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from './fixture_world.ts';

/** Boundaries of the seed data that random files have outlines of. */
const PLACES = ['WS', 'NO', 'LU', 'PT', 'NZ', 'ES', 'US', 'US-TX', 'US-HI', 'ES-AN', 'ES-SE', 'US-DE'];
const IDS = [
  ...PLACES.map((code) => `iso:${code}`),
  'iso:FJ',
  'iso:FR',
  'wikidata:Q683',
  'wikidata:Q20',
  'wikidata:Q29',
];
const TEXTS = [
  ...[
    'WS',
    'WSM',
    'NOR',
    'Samoa',
    'サモア',
    'Norge',
    'Norvège',
    'Estados Unidos',
    'アメリカ合衆国',
    'España',
    'Espagne',
  ],
  ...[
    'Nueva Zelanda',
    'Luxembourg',
    'Texas',
    'TX',
    'US-TX',
    'Harris County, TX',
    'Harris County, Texas',
    'Honolulu, HI',
  ],
  ...['Sevilla', 'Andalucía', 'Kent County, Delaware', 'Portugal'],
];
const WORDS = [
  'provinces of Spain',
  'coastal provinces of Spain',
  'counties of Delaware',
  'Texas without Harris County, TX',
  'the coastal provinces of Andalusia',
  'landlocked EU countries',
  'coastal US states',
];
const POINTS = [
  [29.76, -95.37],
  [37.39, -5.98],
  [49.6, 6.1],
  [39.5, -8],
  [61, 9.5],
  [-44, 170.5],
] as const;

interface Known {
  readonly id: string;
  readonly iso: unknown;
  readonly wikidata: unknown;
  readonly population: unknown;
  readonly kind: unknown;
  readonly country: unknown;
}

/** What lookups of many kinds find. */
interface Found {
  readonly ids: ReadonlyMap<string, Known>;
  readonly search: ReadonlyMap<string, string>;
  readonly reverse: ReadonlyMap<string, readonly string[]>;
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly words: ReadonlyMap<string, readonly string[]>;
}

let server: BoundaryTestServer;
let key: string;
let before: Found;

beforeAll(async () => {
  server = await openBoundaryTestServer({}, {}, 30_000, seeded);
  ({ key } = await server.key());
  before = await lookUp(IDS);
  for (const [words, ids] of before.words) expect([words, ids.length > 0]).toEqual([words, true]);
}, 600_000);
afterAll(() => server?.close());

async function get(id: string): Promise<Known> {
  const { status, json } = await server.get(`/v1/boundaries/${id}`, key);
  expect([id, status]).toEqual([id, 200]);
  const { iso, wikidata, population, kind, country } = json.properties;
  return { id: json.id, iso, wikidata, population, kind, country };
}

const listed = async (path: string) => {
  const { status, json } = await server.get(path, key);
  expect([path, status]).toEqual([path, 200]);
  return json.items.map(({ id }) => id);
};

const both = async <T>(texts: readonly string[], ask: (text: string) => Promise<T>): Promise<Map<string, T>> => {
  const found = new Map<string, T>();
  for (const text of texts) found.set(text, await ask(text));
  return found;
};

async function lookUp(ids: readonly string[]): Promise<Found> {
  return {
    ids: await both(ids, get),
    search: await both(TEXTS, async (q) => (await listed(`/v1/boundaries/search?q=${encodeURIComponent(q)}`))[0] ?? ''),
    reverse: await both(POINTS.map(String), (point) => {
      const [lat, lon] = point.split(',');
      return listed(`/v1/boundaries/reverse?lat=${lat}&lon=${lon}`);
    }),
    children: await both(['iso:ES', 'iso:US', 'iso:US-TX', 'iso:US-HI', 'iso:ES-AN'], (id) =>
      listed(`/v1/boundaries/${id}/children`),
    ),
    words: await understand(WORDS),
  };
}

/** What is meant by words: ids. */
const understand = (words: readonly string[]) =>
  both(words, async (description): Promise<string[]> => {
    const { status, json } = await server.ask('POST', '/v1/areas', { key, json: { description, dry_run: true } });
    expect([description, status, json.detail]).toEqual([description, 200, undefined]);
    const { plan } = json as unknown as { plan: Record<'include' | 'exclude', readonly { readonly id: string }[]> };
    return [...plan.include, ...plan.exclude].map((one) => one.id);
  });

/** A coarse outline of a boundary of the seed data, which brings some of what is known of it. */
async function outlineOf(code: string, next: () => number): Promise<SourceBoundary> {
  const { json } = await server.get(`/v1/boundaries/iso:${code}?detail=low&names=all`, key);
  const { type, coordinates } = json.geometry;
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as [number, number][][][];
  const rings = polygons.flat().map((ring) => Int32Array.from(ring.flat(), (at) => Math.round(at * 1e7)));
  const { local_name: name, wikidata, admin_level } = json.properties;
  const has = (share: number) => next() < share;
  return {
    ...fixtureBoundary('r1', has(0.7) ? String(name) : `Outline of ${name}`, { rings }),
    id: null,
    sourceId: code.toLowerCase(),
    adminLevel: admin_level as number,
    country: has(0.8) ? code.slice(0, 2) : null,
    iso: has(0.4) ? code : null,
    countryCode: null,
    wikidata: has(0.3) ? (wikidata as string) : null,
    population: has(0.2) ? 12_345 : null,
    names: has(0.3) ? { en: 'An outline', fr: 'Un contour' } : {},
    codes: [code.toLowerCase()],
  };
}

it('outlines that are tens of kilometers off leave the coasts that the seed data has', {
  timeout: 600_000,
}, async () => {
  const rough: [code: string, level: number, west: number, south: number, east: number, north: number][] = [
    ['ES', 2, -9.5, 35.7, 3.4, 43.9],
    ['AT', 2, 9.8, 46.7, 16.6, 48.7],
    ['ES-CA', 6, -6.2, 36.1, -5.3, 36.9],
    ['US-TX', 4, -106, 26.5, -94, 36],
  ];
  const some = drawn(rough);
  const boundaries = some.map(
    ([code, adminLevel, ...box]): SourceBoundary => ({
      ...fixtureBoundary('r1', code, ringsOf(rectangle(...box))),
      ...{ id: null, sourceId: code, adminLevel, iso: code, country: code.slice(0, 2), codes: [code] },
    }),
  );
  const source = { ...FIXTURE_SOURCE, id: 'file-0', seed: false };
  const coasts = await understand(WORDS);
  const summary = await storeBoundaries(server.services, { source, file: 'made', boundaries });
  expect(summary).toMatchObject({ added: some.length, aliased: some.length });
  const after = await understand(WORDS);
  const { status, json } = await server.get('/v1/boundaries/iso:AT', key);
  expect(status).toBe(200);
  const renamed = async (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await server.get(`/v1/boundaries/${id}`, key)).json.id));
  for (const [words, ids] of coasts)
    expect([...(after.get(words) ?? [])].sort(), words).toEqual((await renamed(ids)).sort());
  expect(after.get('landlocked EU countries')).toContain(json.id);
  const gone = (await ofFiles()).map(({ id }) => ({ id, version: 1 }));
  await storeBoundaries(server.services, { source, file: 'made', boundaries: [], deleted: gone });
  expect(await understand(WORDS)).toEqual(coasts);
});

describe('all that found a boundary before an import finds it, or what took its place, after it', () => {
  it.each(drawn([1, 2, 3]))('random file %i', { timeout: 600_000 }, async (round) => {
    const next = seededNumbers(round * 7919);
    const codes = [...new Set(Array.from({ length: 5 }, () => pick(next, PLACES)))];
    const boundaries: SourceBoundary[] = [];
    for (const code of codes) boundaries.push(await outlineOf(code, next));
    const source = { ...FIXTURE_SOURCE, id: `file-${round}`, seed: false };
    const summary = await storeBoundaries(server.services, { source, file: 'made', boundaries, replace: next() < 0.5 });
    expect(summary).toMatchObject({ added: boundaries.length, broken: [] });
    const after = await lookUp([...new Set([...IDS, ...[...before.ids.values()].map(({ id }) => id)])]);
    const now = new Map([...before.ids.values()].map(({ id }) => [id, after.ids.get(id)?.id]));
    const renamed = (id: string) => now.get(id) ?? id;
    for (const [asked, was] of before.ids) {
      const is = after.ids.get(asked);
      expect({ ...is, population: null }, asked).toEqual({ ...was, id: renamed(was.id), population: null });
      expect(is?.population === null, asked).toBe(was.population === null);
    }
    for (const [q, id] of before.search) expect([q, after.search.get(q)]).toEqual([q, renamed(id)]);
    for (const [point, ids] of before.reverse)
      expect(after.reverse.get(point), point).toEqual(expect.arrayContaining(ids.map(renamed)));
    // Besides, they may find what stands beside it.
    const beside = new Set((await ofFiles()).map(({ id }) => id).filter((id) => ![...now.values()].includes(id)));
    const found = (ids: readonly string[] = []) => ids.filter((id) => !beside.has(id)).sort();
    for (const [id, ids] of before.children) expect(found(after.children.get(id)), id).toEqual(ids.map(renamed).sort());
    for (const [words, ids] of before.words) {
      expect(found(after.words.get(words)), words).toEqual(ids.map(renamed).sort());
    }
    expect(await rivals()).toEqual([]);
  });

  it('and all of it is as before once the files are removed', { timeout: 600_000 }, async () => {
    const rows = await ofFiles();
    expect(rows.length).toBeGreaterThan(0);
    const gone = rows.map(({ id }) => ({ id, version: 1 }));
    const source = { ...FIXTURE_SOURCE, id: 'file-1', seed: false };
    await storeBoundaries(server.services, { source, file: 'made', boundaries: [], deleted: gone });
    expect(await lookUp(IDS)).toEqual(before);
  });
});

const ofFiles = () => server.services.db.query<{ id: string }>(`select id from boundary where source like 'file-%'`);

/** Boundaries with two countries of one code as parents, of which neither contains the other. */
const rivals = () =>
  server.services.db.query(
    `select p.child, a.id, b.id as other
     from boundary_parent p join boundary a on a.id = p.parent and a.kind = 'country'
     join boundary_parent q on q.child = p.child and q.parent > p.parent
     join boundary b on b.id = q.parent and b.kind = 'country' and b.country = a.country
     where not exists (select from boundary_parent n where (n.child, n.parent) in ((a.id, b.id), (b.id, a.id)))`,
  );

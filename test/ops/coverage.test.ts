import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { measureKinds } from '../../src/app/gauges.ts';
import { runCommand } from '../../src/cli/operator/index.ts';
import { defined } from '../../src/common/elements.ts';
import { invoke } from '../../src/core/invoke.ts';
import { LOCAL_OPERATOR } from '../../src/core/op.ts';
import {
  type CountryCompleteness,
  createCompletenessReport,
  type UnknownKind,
} from '../../src/domain/boundaries/completeness.ts';
import { searchBoundariesOp } from '../../src/ops/boundaries/search_boundaries.ts';
import { chooseFile } from '../../src/sources/catalog.ts';
import { importFile } from '../../src/sources/import.ts';
import type { KindRow } from '../../src/sources/kinds.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { leading } from '../setup/elements.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from './fixture_world.ts';

let server: BoundaryTestServer;
let key: string;
const run = (name: string, input: object) => runCommand({ services: server.services } as App, name, input, () => {});

const square = (postcode: string, west: number, south: number, id?: number) =>
  JSON.stringify({
    type: 'Feature',
    ...(id === undefined ? {} : { id }),
    properties: { postcode },
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [west, south],
          [west + 0.1, south],
          [west + 0.1, south + 0.1],
          [west, south + 0.1],
          [west, south],
        ],
      ],
    },
  });

beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key());
  const area = (id: number, box: [number, number, number, number], adminLevel: number, more: object = {}) =>
    fixtureBoundary(`r${id}`, `Area ${id}`, ringsOf(rectangle(...box)), { adminLevel, ...more });
  const boundaries = [
    area(51477, [6, 47, 14, 55], 2, { countryCode: 'DE' }),
    area(62422, [12, 52, 13, 53], 4),
    area(59518, [8, 50, 10, 52], 4),
    area(9001, [9, 51, 9.5, 51.5], 10),
    area(9002, [12.2, 52.2, 12.4, 52.4], 10),
    area(9003, [7, 48, 7.2, 48.2], 12),
    area(9004, [12.5, 52.5, 12.6, 52.6], 12),
  ];
  await storeBoundaries(server.services, { source: FIXTURE_SOURCE, file: 'made', boundaries });
  const folder = mkdtempSync(join(tmpdir(), 'postcodes-'));
  const path = join(folder, 'de_postcodes_geometry.jsonl');
  writeFileSync(path, `${[square('01067', 9, 51), square('01069', 9.1, 51, 17)].join('\n')}\n`);
  const source = { source: 'postcodes-de', license: 'CC-BY-4.0', attribution: 'the post office' };
  const summary = await importFile(server.services, path, source);
  expect(summary).toMatchObject({ read: 2, added: 2, skipped: [], broken: [] });
  rmSync(folder, { recursive: true });
});
afterAll(() => server?.close());

const at = async (lat: number, lon: number) =>
  (await server.get(`/v1/boundaries/reverse?lat=${lat}&lon=${lon}`, key)).json;

describe('postcode areas from outside', () => {
  it("Nominatim's file of a country is imported by what its name says, called by their codes", async () => {
    const { items, coverage } = await at(51.05, 9.15);
    expect(items.at(-1)).toMatchObject({ name: '01069', kind: 'postal_code', admin_level: null, country: 'DE' });
    expect(coverage).toEqual({ postal_code: 'mapped' });
    const { json } = await server.get('/v1/boundaries/search?q=01067&kind=postal_code');
    expect(json.items).toHaveLength(1);
    expect(
      (await server.get(`/v1/boundaries/${defined(json.items[0]).id}?detail=full`, key)).json.properties.attribution,
    ).toContain('the post office');
  });

  it('no postcode at a point where some are mapped differs from not mapped', async () => {
    expect(await at(48.1, 7.1)).toMatchObject({ coverage: { postal_code: 'mapped' } });
    expect((await at(48.1, 7.1)).items.some(({ kind }) => kind === 'postal_code')).toBe(false);
    expect(await at(48.85, 2.35)).toMatchObject({ items: [], completeness: { postal_code: 'not_mapped' } });
  });

  it('admin coverage says per country what is stored', async () => {
    const report = (await run('admin_coverage', {})) as CountryCompleteness[];
    expect(report).toHaveLength(1);
    expect(report[0]).toMatchObject({
      country: 'DE',
      levels: [
        { admin_level: 2, boundaries: 1 },
        { admin_level: 4, boundaries: 2 },
        { admin_level: 10, boundaries: 2 },
        { admin_level: 12, boundaries: 2 },
      ],
      postal_code: { state: 'mapped', boundaries: 2, share: 0 },
      broken: 0,
      stale: 0,
      sources: ['made', 'postcodes-de'],
    });
    expect(await run('admin_coverage', { country: 'FR' })).toEqual([]);
    await expect(run('admin_coverage', { country: 'France' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('kinds', () => {
  it('the table is public, with the source of every row, by HTTP and RPC alike', async () => {
    const { status, json } = await server.get('/v1/kinds');
    expect(status).toBe(200);
    expect(json.items.length).toBeGreaterThan(1300);
    expect((json.items as unknown as KindRow[]).every(({ source, as_of }) => source && as_of)).toBe(true);
    const german = await server.get('/v1/kinds?country=DE');
    // The rules for every country decide too, where a country has none of its own.
    expect(new Set(german.json.items.map(({ country }) => country))).toEqual(new Set(['DE', null]));
    expect(german.json.items).toContainEqual(expect.objectContaining({ admin_level: 6, when: null, kind: 'county' }));
    expect((await server.rpc('list_kinds', { country: 'DE' })).json).toEqual(german.json);
    expect((await server.rpc('list_kinds', { country: 'de' })).json).toEqual(german.json);
    expect((await server.get('/v1/kinds?country=deu')).json.code).toBe('invalid_input');
  });

  it('what lies in a boundary of the table has a kind of its own', async () => {
    const kinds = (await server.get('/v1/kinds?country=BE')).json.items;
    expect(kinds).toContainEqual(expect.objectContaining({ within: 'r59518', admin_level: 9, kind: 'borough' }));
    // Level 10 in Berlin (r62422) is a neighbourhood.
    expect((await at(52.3, 12.3)).items.at(-1)).toMatchObject({ id: 'r9002', kind: 'neighbourhood' });
  });

  it('unknown pairs are listed with examples, and counted in a metric', async () => {
    const unknown = (await run('admin_unknown_kinds', {})) as UnknownKind[];
    expect(unknown).toEqual([{ country: 'DE', admin_level: 12, boundaries: 2, examples: ['r9003', 'r9004'] }]);
    measureKinds(server.services.metrics, server.services.completeness);
    const page = await server.services.metrics.registry.metrics();
    expect(page).toContain('boundary_kinds_unknown{country_level="DE 12"} 2');
  });
});

describe('GET /v1/data-status?countries=true', () => {
  const asked = async (query = '') => (await server.ask('GET', `/v1/data-status${query}`)).json as unknown as object;

  it('tells anyone the levels of each country, and only when it is asked to', async () => {
    expect(await asked()).not.toHaveProperty('countries');
    expect(await asked('?countries=true')).toHaveProperty(
      'countries',
      expect.arrayContaining([
        {
          country: 'DE',
          levels: [
            { admin_level: 2, boundaries: 1 },
            { admin_level: 4, boundaries: 2 },
            { admin_level: 10, boundaries: 2 },
            { admin_level: 12, boundaries: 2 },
          ],
          postal_codes: 2,
          sources: expect.arrayContaining([expect.any(String)]),
          recipes: expect.arrayContaining(['bkg-vg250/states', 'geoboundaries/DEU/ADM1', 'overture/DE']),
        },
      ]),
    );
  });

  it('tells of countries of which nothing is stored what would bring them', async () => {
    const { countries } = (await asked('?countries=true')) as { countries: { country: string | null }[] };
    expect(countries.filter(({ country }) => country !== null)).toHaveLength(249 + 1);
    expect(countries.find(({ country }) => country === 'CH')).toEqual({
      ...{ country: 'CH', levels: [], postal_codes: 0, sources: [] },
      recipes: expect.arrayContaining(['swisstopo/cantons', 'geoboundaries/CHE/ADM2', 'overture/CH']),
    });
  });

  it('says where the publisher of each recipe has its file', async () => {
    interface Status {
      readonly countries: readonly { readonly recipes: readonly string[] }[];
      readonly catalog: readonly { readonly name: string; readonly homepage: string; readonly files: unknown[] }[];
    }
    expect(await asked()).not.toHaveProperty('catalog');
    const { countries, catalog } = (await asked('?countries=true')) as Status;
    const named = countries.flatMap(({ recipes }) => recipes.map((recipe) => recipe.split('/', 1)[0]));
    expect(catalog.map(({ name }) => name)).toEqual(expect.arrayContaining([...new Set(named)]));
    const files = (name: string) => catalog.find((one) => one.name === name)?.files;
    const regions = 'https://data.geocode.earth/wof/dist/shapefile/whosonfirst-data-admin-{iso2}-latest.zip';
    expect(files('whosonfirst')).toContainEqual(expect.objectContaining({ part: '{iso2}/regions', address: regions }));
    // The address of the catalog is that of a document, not of the file.
    expect(files('geoboundaries')).toContainEqual(expect.objectContaining({ part: '{iso3}/ADM1', address: null }));
  });

  it('has no more of a country than its own publishers and those of all countries', async () => {
    const { countries } = (await asked('?countries=true')) as { countries: { country: string; recipes: string[] }[] };
    for (const { country, recipes } of countries) {
      if (country !== null && country !== 'FR') expect(recipes.join(), country).not.toContain('etalab');
    }
  });

  it('the rows are read once for a state of the data, and once a minute where it changes, however many ask', async () => {
    let now = 0;
    let read = 0;
    const { db } = server.services;
    const counting = new Proxy(db, {
      get(of, name, self) {
        if (name !== 'query') return Reflect.get(of, name, self);
        return (...[sql, ...rest]: Parameters<typeof db.query>) => {
          if (String(sql).includes('from boundary\n')) read++;
          return of.query(sql, ...rest);
        };
      },
    });
    const report = createCompletenessReport(counting, () => now);
    const [first, second] = await Promise.all([report.recent(), report.recent()]);
    expect([second === first, read]).toEqual([true, 1]);
    now = 61_000;
    expect([(await report.recent()) === first, read]).toEqual([true, 1]);
    const kinds = await report.unknownKinds();
    expect([(await report.unknownKinds()) === kinds, kinds.length > 0, read]).toEqual([true, true, 2]);

    /** Changes the data, and waits until that is known. */
    const change = async (stale: string | null): Promise<void> => {
      const [{ id }] = (await db.query('select min(id) as id from boundary')) as [{ id: string }];
      await db.query('update boundary set stale = $1::jsonb where id = $2', [stale, id]);
      await new Promise((known) => setTimeout(known, 1_000));
    };
    await change('{}');
    expect((await report.recent()) === first).toBe(false);
    const changed = await report.recent();
    expect([sumOf(changed), read]).toEqual([sumOf(first) + 1, 3]);
    await change(null);
    now += 59_000;
    expect([(await report.recent()) === changed, read]).toEqual([true, 3]);
    now += 2_000;
    expect([sumOf(await report.recent()), read]).toEqual([sumOf(first), 4]);
    expect([await report.unknownKinds(), read]).toEqual([kinds, 5]);
  });
});

const sumOf = (report: readonly CountryCompleteness[]): number => report.reduce((sum, { stale }) => sum + stale, 0);

describe('a search without results', () => {
  const found = async (query: string) => (await server.ask('GET', `/v1/boundaries/search?${query}`)).json as object;

  it.each([
    ['q=Winterthur&country=CH', 'CH'],
    ['q=Winterthur,%20Switzerland', 'CH'],
    ['q=Graz,%20Austria', 'AT'],
    ['q=Lyon', 'FR'],
    ['q=Lombardia', 'IT'],
    ['q=Bretagne', 'FR'],
  ])('%s says that nothing of the country is stored, and what would bring it', async (query, country) => {
    for (const again of [1, 2]) {
      expect(await found(query), String(again)).toEqual({
        items: [],
        not_stored: [{ country, recipes: expect.arrayContaining([`overture/${country}`]) }],
      });
    }
  });

  it('says the command that would bring it to operators alone', async () => {
    const { body } = await invoke(
      searchBoundariesOp,
      { q: 'Graz, Austria' },
      {
        ...{ caller: LOCAL_OPERATOR, address: null, requestId: 'test', signal: new AbortController().signal },
        ...{ deadline: Date.now() + 60_000, transport: 'rpc' as const, services: server.services },
        ...{ baseUrl: 'https://maps.example', headers: {} },
      },
    );
    const [{ recipes, command }] = leading(
      (body as { not_stored: { recipes: string[]; command?: string }[] }).not_stored,
      1,
    );
    expect(command).toBe(`boundary import @${recipes[0]}`);
    // The catalog knows that file.
    expect(chooseFile(defined(recipes[0])).file.country ?? 'AT').toBe('AT');
  });

  it('says nothing of a country of which subdivisions are stored, or of none', async () => {
    expect(await found('q=Winterthur&country=DE')).toEqual({ items: [] });
    expect(await found('q=Xqzwertyuiop')).toEqual({ items: [] });
  });
});

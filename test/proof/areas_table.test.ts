import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { ProblemError } from '../../src/core/errors.ts';
import { invoke } from '../../src/core/invoke.ts';
import { LOCAL_OPERATOR } from '../../src/core/op.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { createArea } from '../../src/ops/areas/create_area.ts';
import type { Services } from '../../src/services.ts';
import { importFile } from '../../src/sources/import.ts';
import { readDescriptions, wantedOf } from '../areas/expected.ts';
import { putPeople } from '../areas/people.ts';
import { type FixtureBoundary, insertFixtures } from '../domain/fixture_boundaries.ts';
import { isNative } from '../setup/database.ts';
import { servicesOf } from '../setup/services.ts';
import { dataDir, openSeededEnvironment, type ProofEnvironment } from './environment.ts';
import { drawn } from './rounds.ts';

const descriptions = readDescriptions('descriptions.tsv');
/** Written when the grammar was there, and before any of them was tried: docs/areas.md has the figures of that first try. */
const second = readDescriptions('second.tsv');
const third = readDescriptions('third.tsv');
const FILES = ['luxembourg-2018-boundaries', 'liechtenstein-2024', 'malta-2018'];

interface Plan {
  readonly steps: readonly { readonly op: string; readonly direction?: string; readonly km?: number }[];
  readonly include: readonly { readonly id: string }[];
  readonly exclude: readonly { readonly id: string }[];
}

/** The clip or the buffer of a plan, as expectations write it. */
function cutOf({ steps }: Plan): string | null {
  const cut = steps.findLast(({ op }) => op === 'clip' || op === 'buffer');
  if (!cut) return null;
  return cut.op === 'clip' ? `half ${cut.direction}` : `buffer ${cut.km}`;
}

const sorted = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id).sort();

it('the table has at least 400 descriptions in four languages, 80 of them errors', () => {
  expect(descriptions.length).toBeGreaterThanOrEqual(400);
  expect(new Set(descriptions.map(({ language }) => language))).toEqual(new Set(['en', 'es', 'de', 'fr']));
  expect(descriptions.filter(({ expected }) => expected.startsWith('!')).length).toBeGreaterThanOrEqual(80);
});

// The expectations are worked out by PostGIS functions that the embedded database cannot be trusted with.
describe.skipIf(!dataDir || !isNative)('areas described in words (needs REAL_DATA_DIR and a native database)', () => {
  let server: ProofEnvironment;
  let services: Services;

  async function plan(asked: string | { readonly steps: readonly object[] }): Promise<Plan> {
    const answer = await invoke(
      createArea,
      { ...(typeof asked === 'string' ? { description: asked } : { plan: asked }), dry_run: true },
      {
        caller: LOCAL_OPERATOR,
        address: null,
        requestId: 'test',
        signal: new AbortController().signal,
        deadline: Date.now() + 120_000,
        transport: 'rpc',
        services,
        baseUrl: 'https://maps.example',
        headers: {},
      },
    );
    return (answer.body as { plan: Plan }).plan;
  }

  beforeAll(async () => {
    server = await openSeededEnvironment();
    const { test, engine } = server;
    const deps = { db: test.db, engine };
    for (const file of FILES) await importFile(deps, join(dataDir as string, `osm/${file}.boundaries.osm.pbf`), null);
    const { id: france } = only(await test.db.query<{ id: string }>("select id from boundary where iso = 'FR'"));
    const bytes = gunzipSync(await readFile(join(dataDir as string, 'coverage/fr-communes.geojson.gz')));
    const { features } = JSON.parse(bytes.toString()) as { features: { properties: { code: string; nom: string } }[] };
    // Their shapes decide nothing here.
    const communes = features.map(
      ({ properties: { code, nom } }, i): FixtureBoundary => ({
        id: `r${8_000_000_000_000 + i}`,
        name: nom,
        kind: 'municipality',
        adminLevel: 8,
        country: 'FR',
        codes: [code],
        parents: [france],
        box: [2, 47, 2.1, 47.1],
      }),
    );
    await insertFixtures(test.db, communes);
    await putPeople(test.db);
    await test.db.query('analyze boundary, boundary_name, boundary_parent, boundary_shape');
    services = servicesOf({ db: test.db, boundaries: createBoundaries(test.db), engine, upstream: null });
  }, 900_000);
  afterAll(() => server?.close());

  it.each([
    ['the first table', descriptions],
    ['the second table', second],
    ['the third table', third],
  ])(
    'are right in 95 of 100 cases of %s, and never wrong instead of an error',
    async (_table, descriptions) => {
      const wrong: string[] = [];
      const refused: string[] = [];
      for (const { description, expected } of drawn(descriptions)) {
        const wanted = await wantedOf(server.test.db, expected);
        let got: Plan | null = null;
        try {
          got = await plan(description);
        } catch (error) {
          if (!(error instanceof ProblemError) || error.code !== 'could_not_map') throw error;
          if (wanted !== null) refused.push(`${description}: ${error.message}`);
          continue;
        }
        const same =
          wanted !== null &&
          cutOf(got) === wanted.cut &&
          sorted(got.include).join() === wanted.include.join() &&
          sorted(got.exclude).join() === wanted.exclude.join();
        if (!same) wrong.push(description);
      }
      expect(wrong).toEqual([]);
      // Where a part is drawn, no more may be refused than of all: the share of a few is chance.
      expect(refused.length / descriptions.length, refused.join('\n')).toBeLessThanOrEqual(0.05);
    },
    900_000,
  );

  it('finds the 44 landlocked states of the United Nations and the Holy See, and Kosovo', async () => {
    const rows = await server.test.db.query<{ code: string }>(
      `select b.country_code as code from boundary b
       where b.kind = 'country' and b.has_geometry and not exists (
         select from boundary_parent p join boundary k on k.id = p.parent where p.child = b.id and k.kind = 'country')
       order by b.country_code`,
    );
    const codes = rows.map(({ code }) => code);
    const found: string[] = [];
    for (let at = 0; at < codes.length; at += 90) {
      const places = codes.slice(at, at + 90).map((code) => ({ op: 'place', id: `iso:${code}` }));
      const all = { op: 'union', of: places.map((_, k) => k) };
      const coast = { op: 'coast', of: places.length, is: 'landlocked' };
      const { include } = await plan({ steps: [...places, all, coast] });
      const named = await server.test.db.query<{ code: string }>(
        'select country_code as code from boundary where id = any ($1)',
        [include.map(({ id }) => id)],
      );
      found.push(...named.map(({ code }) => code));
    }
    const africa = 'BF BI BW CF ET LS ML MW NE RW SS SZ TD UG ZM ZW';
    const asia = 'AF AM AZ BT KG KZ LA MN NP TJ TM UZ';
    const europe = 'AD AT BY CH CZ HU LI LU MD MK RS SK SM VA XK';
    expect(found.sort()).toEqual(`${africa} ${asia} ${europe} BO PY`.split(' ').sort());
  }, 120_000);
});

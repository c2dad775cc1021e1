import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadQuery } from '../../src/db/query.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { idsOf, listSubdivisions } from '../../src/domain/boundaries/children.ts';
import type { CoverageOptions } from '../../src/sources/coverage/options.ts';
import { importFile } from '../../src/sources/import.ts';
import { dataDir, openSeededEnvironment, type ProofEnvironment } from './environment.ts';
import { isWhole } from './rounds.ts';

const MOST = 100_000;

interface NationalSet {
  readonly file: string;
  readonly country: string | null;
  readonly level: number;
  readonly map: Readonly<Record<string, string>>;
  readonly object?: string;
}

const SETS: readonly NationalSet[] = [
  { file: 'us-counties-10m.topo.json', country: 'US', level: 6, map: { name: 'name' }, object: 'counties' },
  { file: 'es-municipalities.topo.json', country: 'ES', level: 8, map: { name: 'name' }, object: 'municipalities' },
  { file: 'it-comuni.geojson.gz', country: 'IT', level: 8, map: { id: 'com_istat_code', name: 'name' } },
  { file: 'fr-communes.geojson.gz', country: 'FR', level: 8, map: { id: 'code', name: 'nom' } },
  {
    file: 'ne-admin1-10m.geojson.gz',
    country: null,
    level: 4,
    map: { id: 'adm1_code', name: 'name', country: 'iso_a2' },
  },
];

describe.skipIf(!dataDir)('the boundaries of a level in a country (REAL_DATA_DIR)', { timeout: 1_800_000 }, () => {
  let server: ProofEnvironment;
  afterEach(() => server?.close());

  /** The ids of a level in the country with this code, by each route. */
  async function byEveryRoute(code: string, level: number) {
    const { db } = server.test;
    const [country] = await createBoundaries(db).resolve([`iso:${code}`]);
    if (!country) throw new Error(`no country ${code}`);
    const children = await listSubdivisions(db, country, { adminLevel: level });
    const [place] = await db.query(loadQuery('selection_place'), [code, null, level, MOST, null, null, null, null]);
    const area = await db.query(loadQuery('area_children'), [[country.id], [], [], [], [], level, MOST]);
    // A territory with an ISO code of its own (Svalbard and Jan Mayen) is a subdivision, and another country.
    const territories = await db.query<{ id: string }>(
      'select id from boundary where country_code is not null and country_code <> $1 and admin_level = $2',
      [code, level],
    );
    const isTerritory = new Set(territories.map(({ id }) => id));
    const own = (ids: readonly string[]) => ids.filter((id) => !isTerritory.has(id)).sort();
    return {
      children: own(idsOf(children, 0, MOST)),
      country: [...(place?.ids ?? [])].sort(),
      area: own(area.flatMap(({ id }) => id ?? [])),
    };
  }

  it.each(isWhole ? SETS : SETS.slice(0, 1))(
    '$file: the same by children, country and words',
    async ({ file, country, level, map, object }) => {
      server = await openSeededEnvironment();
      const { test, engine } = server;
      const options: CoverageOptions = {
        ...{ source: 'national', license: 'any', attribution: 'any', map, adminLevel: level },
        ...(country === null ? {} : { country }),
        ...(object === undefined ? {} : { object }),
      };
      const summary = await importFile({ db: test.db, engine }, join(dataDir as string, 'coverage', file), options);
      expect(summary.added).toBeGreaterThan(2_000);
      const codes = country === null ? ['NO', 'AT', 'SE', 'CL', 'NZ', 'GR', 'ID', 'PH', 'DE', 'FR'] : [country];
      for (const code of codes) {
        const found = await byEveryRoute(code, level);
        expect(found.children.length, code).toBeGreaterThan(0);
        expect(found.country, code).toEqual(found.children);
        expect(found.area, code).toEqual(found.children);
      }
      const orphans = await test.db.query<{ id: string; country: string }>(
        `select b.id, b.country from boundary b join boundary c on c.country_code = b.country and c.type = 'administrative'
       where b.source = 'national' and b.country_code is null and c.admin_level < b.admin_level
       group by b.id, b.country
       having not exists (select from boundary_parent p join boundary c on c.id = p.parent and c.country_code = b.country
                          where p.child = b.id)`,
      );
      expect(orphans).toEqual([]);
    },
  );
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { defined } from '../../src/common/elements.ts';
import { importFile } from '../../src/sources/import.ts';
import { type FixtureBoundary, insertFixtures } from '../domain/fixture_boundaries.ts';
import { dataDir, type ProofEnvironment } from '../proof/environment.ts';

// Places of REAL_DATA_DIR for searches. Their shapes decide nothing there: with their boxes, 40,000 take seconds.

interface Feature {
  readonly properties: Readonly<Record<string, string>>;
  readonly geometry: { readonly coordinates: Nested };
}
type Nested = number | readonly Nested[];

/** west, south, east, north of coordinates of any depth, in degrees. */
function boxOf(coordinates: Nested): [number, number, number, number] {
  const box: [number, number, number, number] = [180, 90, -180, -90];
  const visit = (some: readonly Nested[]): void => {
    const [x, y] = some;
    if (typeof x !== 'number' || typeof y !== 'number') for (const one of some) visit(one as readonly Nested[]);
    else {
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    }
  };
  visit(coordinates as readonly Nested[]);
  return box;
}

async function featuresOf(file: string): Promise<Feature[]> {
  const bytes = await readFile(join(dataDir as string, 'coverage', file));
  return (JSON.parse(gunzipSync(bytes).toString()) as { features: Feature[] }).features;
}

/** The municipalities of a coverage file, named and boxed, in their country; `from` numbers them. */
export async function municipalities(
  file: string,
  id: string,
  name: string,
  country: string,
  parent: string,
  from: number,
) {
  const features = await featuresOf(file);
  const keys = new Map<string, string>();
  const made = features.map(({ properties, geometry }, i): FixtureBoundary => {
    const code = defined(properties[id]);
    keys.set(code, `r${from + i}`);
    const box = boxOf(geometry.coordinates);
    return {
      ...{ id: `r${from + i}`, name: defined(properties[name]), kind: 'municipality', adminLevel: 8, country },
      ...{ codes: [code], parents: [parent], box },
    };
  });
  return { made, keys };
}

/** Kinds of divisions by their English word in Natural Earth; others are regions. */
const KINDS: Readonly<Record<string, FixtureBoundary['kind']>> = {
  ...{ State: 'state', Province: 'province', Prefecture: 'province', District: 'district', County: 'county' },
  ...{ Department: 'county', Canton: 'district' },
};

/**
 * The first-level divisions of the countries of `parents` (ISO 3166-1 alpha-2 code, id), with their names in many
 * languages, and the ids by the code of the source; `from` numbers them.
 */
export async function divisions(parents: ReadonlyMap<string, string>, from: number) {
  const keys = new Map<string, string>();
  const features = await featuresOf('ne-admin1-10m.geojson.gz');
  const made = features.flatMap(({ properties: of, geometry }, i): FixtureBoundary[] => {
    const parent = parents.get(of.iso_a2 ?? '');
    if (!of.name || parent === undefined) return [];
    keys.set(defined(of.adm1_code), `r${from + i}`);
    const named = Object.entries(of).flatMap(([key, name]) => {
      const [, language] = /^name_([a-z]{2})$/.exec(key) ?? [];
      return language === undefined || !name ? [] : [[language, name] as const];
    });
    const iso = /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(of.iso_3166_2 ?? '') ? of.iso_3166_2 : null;
    return [
      {
        ...{
          id: `r${from + i}`,
          name: of.name,
          names: Object.fromEntries(named),
          kind: KINDS[of.type_en ?? ''] ?? 'region',
        },
        ...{ adminLevel: 4, country: of.iso_a2, iso, parents: [parent], box: boxOf(geometry.coordinates) },
      },
    ];
  });
  return { made, keys };
}

/** Countries whose divisions are those of the seed data, or that are left out here. */
const DIVIDED = new Set(['US', 'ES', 'LU', 'LI', 'MT', 'FR', 'IT', 'CH']);

/**
 * Stores the municipalities of Switzerland, as an import does, those of France and Italy, and the first-level divisions
 * of all countries that the seed data does not divide.
 * @returns the last three by their source, with their ids by the codes of the source
 */
export async function fillWithPlaces({ test: { db }, engine }: ProofEnvironment) {
  const swiss = { source: 'bfs', license: 'open', attribution: 'BFS', country: 'CH', adminLevel: 8 };
  await importFile({ db, engine }, join(dataDir as string, 'editions/switzerland/2024/municipalities.shp'), {
    ...swiss,
    map: { id: 'id', name: 'name' },
  });
  const countries = await db.query<{ id: string; iso: string }>(
    "select id, iso from boundary where kind = 'country' and iso is not null",
  );
  const parents = new Map(countries.map(({ id, iso }) => [iso, id]));
  const parent = (iso: string): string => parents.get(iso) as string;
  const made = {
    'ign-communes': await municipalities(
      'fr-communes.geojson.gz',
      'code',
      'nom',
      'FR',
      parent('FR'),
      8_000_000_000_000,
    ),
    'istat-comuni': await municipalities(
      ...(['it-comuni.geojson.gz', 'com_istat_code', 'name', 'IT', parent('IT'), 8_100_000_000_000] as const),
    ),
    ne: await divisions(new Map([...parents].filter(([iso]) => !DIVIDED.has(iso))), 8_300_000_000_000),
  };
  for (const { made: places } of Object.values(made)) await insertFixtures(db, places);
  await db.query('vacuum (analyze) boundary, boundary_name, boundary_parent');
  return made;
}

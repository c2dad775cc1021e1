import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../src/common/elements.ts';
import { type FixtureBoundary, insertFixtures } from '../domain/fixture_boundaries.ts';
import type { ProofEnvironment } from '../proof/environment.ts';
import { divisions } from '../search/stored_places.ts';

/** Districts of a country with their ids; `code` is the key of its offices, without a country. */
export interface District extends FixtureBoundary {
  readonly code: string;
}

/** The keys of the Länder in front of those of their Kreise. */
const LAENDER: Readonly<Record<string, string>> = {
  ...{ '01': 'SH', '02': 'HH', '03': 'NI', '04': 'HB', '05': 'NW', '06': 'HE', '07': 'RP', '08': 'BW' },
  ...{ '09': 'BY', '10': 'SL', '11': 'BE', '12': 'BB', '13': 'MV', '14': 'SN', '15': 'ST', '16': 'TH' },
};

/**
 * Stores the Kreise of Germany (names and keys of Destatis, 2018, CC BY 4.0, by the package landkreise-deutschland), and
 * of Natural Earth the départements of France, the provinces of Italy and the cantons of Switzerland, beside the places
 * of fillWithPlaces().
 */
export async function fillWithDistricts({ test: { db } }: ProofEnvironment) {
  const stored = await db.query<{ id: string; iso: string }>(
    "select id, iso from boundary where admin_level = 2 and iso is not null or iso like 'DE-%'",
  );
  const ids = new Map(stored.map(({ id, iso }) => [iso, id]));
  const lines = (await readFile(join(import.meta.dirname, 'kreise.csv'), 'utf8')).trimEnd().split('\n').slice(1);
  const kreise = lines.map((line, i): District => {
    const [code = '', type = '', name = ''] = line.split(';');
    const land = defined(ids.get(`DE-${LAENDER[code.slice(0, 2)]}`));
    return {
      ...{ id: `r${8_500_000_000_000 + i}`, name, code, codes: [code], adminLevel: 6, country: 'DE' },
      ...{ kind: /stadt/i.test(type) ? 'city' : 'county', parents: [defined(ids.get('DE')), land] },
    };
  });
  const parents = new Map(['FR', 'IT', 'CH'].map((iso) => [iso, defined(ids.get(iso))]));
  const { made } = await divisions(parents, 8_600_000_000_000);
  const others = made.flatMap((one): District[] => {
    const code = one.iso?.slice(3);
    if (code === undefined) return [];
    const isCanton = one.country === 'CH';
    return [
      {
        ...{ ...one, code, codes: one.country === 'FR' ? [code] : [] },
        ...{ adminLevel: isCanton ? 4 : 6, kind: isCanton ? 'state' : one.country === 'FR' ? 'county' : 'province' },
      },
    ];
  });
  const all = [...kreise, ...others];
  await insertFixtures(db, all);
  await db.query('vacuum (analyze) boundary, boundary_name, boundary_parent');
  const of = (country: string) => all.filter((one) => one.country === country);
  return { kreise, departements: of('FR'), provinces: of('IT'), cantons: of('CH') };
}

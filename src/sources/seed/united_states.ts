import type * as CountryCoder from '@rapideditor/country-coder';
import { dissolve } from '../../../workers/arcs/clean.ts';
import { TILES } from '../../../workers/arcs/slivers.ts';
import { countryTable } from '../countries.ts';
import type { Cleaner } from '../coverage/cleaner.ts';
import { packageVersion, requirePackage } from '../reference.ts';
import { countryBoundary } from './countries.ts';
import { type AtlasArea, boundary, groupBy, readAtlas, type SeedCoverage, subdivisionTable } from './rows.ts';

const FILE = 'us-atlas/counties-10m.json';

/** First county number of an independent city, which is in no county (FIPS 6-4; Census class C7). */
const FIRST_INDEPENDENT_CITY = '510';

/**
 * The United States (admin_level 2), their states (4) and counties with independent cities (6) from us-atlas. The
 * counties are cleaned; a state is the union of its counties, and the country that of the fifty states and the District
 * of Columbia, so they nest exactly. The five inhabited territories that the atlas lists as states carry their own ISO
 * 3166-1 code and are not inside a country.
 */
export async function seedUnitedStates(clean: Cleaner): Promise<SeedCoverage> {
  const [counties, states] = readAtlas(FILE, ['counties', 'states']) as [AtlasArea[], AtlasArea[]];
  const version = packageVersion(FILE);
  const table = subdivisionTable();
  const { countries } = countryTable();
  const { features, repaired } = await clean(counties, TILES);
  const cleaned = counties.map((county, i) => ({ ...county, rings: features[i]!.rings }));
  const byState = groupBy(cleaned, (county) => county.code.slice(0, 2));
  const { wikidataQID } = requirePackage<typeof CountryCoder>('@rapideditor/country-coder');
  const own = cleaned.filter(({ code }) => table.us_states[code.slice(0, 2)] !== undefined);
  const boundaries = [countryBoundary('US', version, await dissolve(own))];
  const skipped = [];

  for (const { code, name } of states) {
    const territory = table.us_territories[code];
    const country = territory === undefined ? undefined : countries[territory];
    const row = table.us_states[code];
    const rings = await dissolve(byState.get(code) ?? []);
    if (rings.length === 0 || (row === undefined && country === undefined)) {
      skipped.push({ id: code, reason: 'no counties in the atlas, or no row in data/subdivisions.json' });
      continue;
    }
    boundaries.push(
      boundary({
        sourceId: code,
        version,
        relation: country?.relation ?? row?.relation ?? null,
        name,
        names: { en: name, ...(country?.names ?? row?.names) },
        codes: [code, ...(row === undefined ? [`US-${territory}`] : [row.iso.slice(3)])],
        adminLevel: 4,
        countryCode: territory ?? null,
        country: territory ?? 'US',
        iso: territory ?? row?.iso ?? null,
        wikidata: territory === undefined ? null : wikidataQID(territory),
        tags: {
          boundary: 'administrative',
          'ref:fips': code,
          ...(territory === undefined ? {} : { 'ISO3166-1:alpha2': territory }),
          'ISO3166-2': row?.iso ?? `US-${territory}`,
        },
        rings,
      }),
    );
  }
  for (const { code, name, rings } of cleaned) {
    if (rings.length === 0) {
      skipped.push({ id: code, reason: `${name}: nothing is left of it at the atlas's resolution` });
      continue;
    }
    const territory = table.us_territories[code.slice(0, 2)];
    boundaries.push(
      boundary({
        sourceId: code,
        version,
        name,
        names: { en: name },
        codes: [code],
        adminLevel: 6,
        country: territory ?? 'US',
        tags: {
          boundary: 'administrative',
          'nist:fips_code': code,
          ...(code.slice(2) < FIRST_INDEPENDENT_CITY ? {} : { border_type: 'independent_city' }),
        },
        rings,
      }),
    );
  }
  return {
    source: {
      id: 'us-atlas',
      name: 'us-atlas (US Census Bureau, cartographic boundary files)',
      url: 'https://github.com/topojson/us-atlas',
      license: 'ISC; data in the public domain',
      attribution: 'US Census Bureau',
      resolution: 'made for 1:10,000,000, on a grid of 0.0036 x 0.0009 degrees (about 300 x 95 m)',
    },
    boundaries,
    repairs: repaired.filter((i) => features[i]!.rings.length > 0).length,
    skipped,
  };
}

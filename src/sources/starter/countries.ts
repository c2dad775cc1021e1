import type * as CountryCoder from '@rapideditor/country-coder';
import { dissolve } from '../../../workers/kernels/clean.ts';
import { countryTable } from '../countries.ts';
import { ringsOf } from '../coverage/geometry.ts';
import type { Cleaner } from '../coverage.ts';
import { packageVersion, requirePackage } from '../reference.ts';
import { boundary, type StarterCoverage } from './rows.ts';

const PACKAGE = '@rapideditor/country-coder';

/**
 * The countries and territories of the world that have an ISO 3166-1 code (and Kosovo), from country-coder's borders.
 *
 * The package draws disjoint areas and says which larger one each is a part of: a country is all areas that are parts
 * of it, so France is the metropolis and everything overseas, and Martinique is a boundary of its own inside it.
 * Areas that the table of claims gives to a second country are in both. Reserved codes (FX, IC …) and areas without a
 * code are parts only.
 * @param without codes that another source of the starter set has in a finer shape
 */
export async function starterCountries(without: ReadonlySet<string>, clean: Cleaner): Promise<StarterCoverage> {
  const { borders } = requirePackage<typeof CountryCoder>(PACKAGE);
  const { countries, claims } = countryTable();
  const version = packageVersion(PACKAGE);
  const parts = borders.features.filter((feature) => feature.geometry !== null && feature.geometry !== undefined);
  const { features, mended } = await clean(parts.map((part) => ({ rings: ringsOf(part.geometry) })));
  const boundaries = [];
  const skipped = [];
  for (const { properties } of borders.features) {
    const code = properties.iso1A2;
    const row = code === undefined ? undefined : countries[code];
    if (code === undefined || row === undefined) continue;
    if (without.has(code)) {
      skipped.push({ id: code, reason: 'another source of the starter set has a finer shape' });
      continue;
    }
    const own = features.filter((_, i) => {
      const part = parts[i]!.properties;
      const isPart = part.id === code || part.groups.includes(properties.id);
      return isPart || claims[part.wikidata]?.by.includes(code) === true;
    });
    const rings = own.length === 1 ? own[0]!.rings : await dissolve(own);
    if (rings.length === 0) {
      skipped.push({ id: code, reason: 'the source has no shape for it' });
      continue;
    }
    const alpha3 = properties.iso1A3;
    boundaries.push(
      boundary({
        sourceId: code,
        version,
        relation: row.relation,
        name: properties.nameEn,
        names: { en: properties.nameEn, ...row.names },
        codes: [code, ...(alpha3 === undefined ? [] : [alpha3])],
        adminLevel: row.admin_level,
        kind: 'country',
        countryCode: code,
        country: code,
        iso: code,
        wikidata: properties.wikidata,
        tags: {
          boundary: 'administrative',
          'ISO3166-1:alpha2': code,
          ...(alpha3 === undefined ? {} : { 'ISO3166-1:alpha3': alpha3 }),
        },
        rings,
      }),
    );
  }
  return {
    source: {
      id: 'country-coder',
      name: 'country-coder borders',
      url: 'https://github.com/rapideditor/country-coder',
      licence: 'ISC',
      attribution: 'country-coder contributors',
      resolution: 'borders simplified to about 1 km and coarser; coasts drawn out at sea',
    },
    boundaries,
    mended: mended.length,
    skipped,
  };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';

let counties: Readonly<Record<string, number>> | undefined;

/**
 * The people of the cities in a county of the United States, in thousands, by its five digits (FIPS), or null. It tells
 * which of many counties of a name is meant, where no population is stored: "Cook County" is 17031. The table is
 * data/county_people.json, made by scripts/make_city_names.ts from GeoNames.
 */
export function peopleOfCounty(code: string): number | null {
  counties ??= (
    JSON.parse(readFileSync(join(packageRoot(), 'data', 'county_people.json'), 'utf8')) as {
      readonly counties: Readonly<Record<string, number>>;
    }
  ).counties;
  return counties[code] ?? null;
}

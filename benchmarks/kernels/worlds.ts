import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readCoverage } from '../../src/sources/coverage/read.ts';
import { readOsmFile } from '../../src/sources/osm/read.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';
import { seedSpain } from '../../src/sources/seed/spain.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import { arcArea } from '../../workers/arcs/area.ts';
import { mergeBoundaries } from '../../workers/arcs/classify.ts';
import { cutChains } from '../../workers/arcs/cut.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { crossingsEast } from '../../workers/arcs/locate.ts';
import { assembleRings } from '../../workers/arcs/rings.ts';
import { buildArrangement, NOTHING_STORED } from '../../workers/build.ts';
import { type ArcTable, type Coords, FULL, type Polygons, type Rings } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';

/** Boundaries with a common arc table. */
export interface World {
  readonly table: ArcTable;
  readonly areas: readonly Area[];
}

export interface Area {
  readonly name: string;
  /** Null: not administrative. */
  readonly adminLevel: number | null;
  readonly rings: Rings;
}

interface Given {
  readonly name: string;
  readonly adminLevel: number | null;
  readonly chains: readonly Coords[];
}

/** Whether the real data is available. */
export function hasData(data: string): boolean {
  return existsSync(join(data, 'SOURCES.md'));
}

/** The complete boundaries of an OpenStreetMap file, with tiers, as the import builds them. */
export async function osmWorld(path: string): Promise<World> {
  const extract = await readOsmFile(path);
  const given: Given[] = [];
  for (const { border, name, adminLevel } of toSourceBoundaries(extract).boundaries) {
    if (!('ways' in border)) continue;
    const chains = border.ways.flatMap((id) => extract.ways.get(id)?.coords ?? []);
    if (chains.length === border.ways.length) given.push({ name, adminLevel, chains });
  }
  return builtWorld(given);
}

/** Areas with tiers, as the import builds them. */
function builtWorld(given: readonly Given[]): World {
  const numbers = numbered(given);
  const chains = [...numbers.keys()];
  const boundaries = given.map((one) => ({
    adminLevel: one.adminLevel ?? 13,
    chains: Uint32Array.from(one.chains, (chain) => numbers.get(chain) as number),
  }));
  const built = buildArrangement({ chains, storedFrom: chains.length, boundaries, ...NOTHING_STORED });
  const areas = built.boundaries.flatMap((one, i) =>
    'rings' in one
      ? [{ name: defined(given[i]).name, adminLevel: defined(given[i]).adminLevel, rings: one.rings }]
      : [],
  );
  return { table: built.arcs, areas };
}

/**
 * The municipalities (admin_level 8), provinces (6) and outline (2) of an autonomous community of Spain, with tiers.
 * From es-atlas, a dependency of the project, for runs without the real data.
 */
export async function atlasWorld(community: string): Promise<World> {
  const { boundaries } = await seedSpain();
  const rings = (one: SourceBoundary) => ('rings' in one.border ? one.border.rings : []);
  const whole = boundaries.find(({ iso }) => iso === community);
  if (!whole) throw new Error(`es-atlas has no ${community}`);
  const inside = (one: SourceBoundary) =>
    one.tags['ine:ccaa'] === undefined && holds(rings(whole), defined(rings(one)[0]));
  const given = [
    { name: whole.name, adminLevel: 2, chains: rings(whole) },
    ...boundaries.flatMap((one) =>
      (one.adminLevel === 6 || one.adminLevel === 8) && inside(one)
        ? [{ name: one.name, adminLevel: one.adminLevel, chains: rings(one) }]
        : [],
    ),
  ];
  return builtWorld(given);
}

/** Whether the mean of a ring's vertices is inside rings; good enough to assign municipalities. */
function holds(rings: readonly Coords[], ring: Coords): boolean {
  let [x, y] = [0, 0];
  for (let i = 0; i + 3 < ring.length; i += 2) {
    x += defined(ring[i]);
    y += defined(ring[i + 1]);
  }
  const n = ring.length / 2 - 1;
  const crossings = rings.map((one) =>
    crossingsEast(Int32Array.from(one), 0, one.length - 2, Math.round(x / n), Math.round(y / n)),
  );
  return crossings.reduce((sum, count) => sum + Math.max(0, count), 0) % 2 === 1;
}

/** The areas of a coverage file, cleaned as in the import; without tiers, which take minutes for a country. */
export async function coverageWorld(path: string, options: CoverageRead): Promise<World> {
  return worldOfRings(await coverageAreas(path, options));
}

type CoverageRead = Readonly<
  Pick<Parameters<typeof readCoverage>[1], 'map' | 'object' | 'country'> & { readonly adminLevel: number }
>;

/** The areas of a coverage file, cleaned as in the import, as closed rings. */
export async function coverageAreas(path: string, options: CoverageRead): Promise<Given[]> {
  const { boundaries } = await readCoverage(path, { source: path, ...options });
  return boundaries.flatMap(({ border, name, adminLevel }) =>
    'rings' in border ? [{ name, adminLevel, chains: border.rings }] : [],
  );
}

/**
 * A world without tiers from areas given as closed rings, in any direction.
 * @throws Error when the rings of one do not make polygons
 */
export function worldOfRings(given: readonly Given[]): World {
  const numbers = numbered(given);
  const cut = cutChains([...numbers.keys()]);
  const table = tableOf(cut.arcs);
  const areas = given.map(({ name, adminLevel, chains }) => {
    const uses = chains.flatMap((chain) => Array.from(defined(cut.refs[numbers.get(chain) as number]), arcOf));
    const made = assembleRings(table, Int32Array.from(uses));
    if ('trouble' in made) throw new Error(`${name}: ${made.trouble.reason} at ${made.trouble.x} ${made.trouble.y}`);
    return { name, adminLevel, rings: made.rings };
  });
  return { table, areas };
}

const arcOf = (ref: number) => (ref < 0 ? ~ref : ref);

function numbered(given: readonly Given[]): Map<Coords, number> {
  const numbers = new Map<Coords, number>();
  for (const { chains } of given) for (const chain of chains) if (!numbers.has(chain)) numbers.set(chain, numbers.size);
  return numbers;
}

function tableOf(arcs: readonly Coords[]): ArcTable {
  const first = new Uint32Array(arcs.length);
  const length = Uint32Array.from(arcs, (arc) => arc.length / 2);
  for (let i = 1; i < arcs.length; i++) first[i] = defined(first[i - 1]) + defined(length[i - 1]);
  const coords = new Int32Array(arcs.reduce((sum, arc) => sum + arc.length, 0));
  const box = new Int32Array(4 * arcs.length);
  const area = new Float64Array(arcs.length);
  const turn = new Float64Array(arcs.length);
  arcs.forEach((arc, i) => {
    coords.set(arc, 2 * defined(first[i]));
    let [west, south, east, north] = [defined(arc[0]), defined(arc[1]), defined(arc[0]), defined(arc[1])];
    for (let v = 2; v < arc.length; v += 2) {
      west = Math.min(west, defined(arc[v]));
      east = Math.max(east, defined(arc[v]));
      south = Math.min(south, defined(arc[v + 1]));
      north = Math.max(north, defined(arc[v + 1]));
    }
    box.set([west, south, east, north], 4 * i);
    ({ area: area[i], turn: turn[i] } = arcArea(coords, defined(first[i]), defined(length[i])));
  });
  const none = new Uint16Array(0);
  return { coords, first, length, box, area, turn, weights: new Uint8Array(0), ends: none, exact: none };
}

/**
 * The union of some areas minus others at full detail, materialized: the work of the first strategy before it writes.
 */
export function merged({ table, areas }: World, include: readonly number[], exclude: readonly number[] = []): Polygons {
  const refs = areas.map(({ rings }) => rings.refs);
  const result = mergeBoundaries(table, refs, include, exclude);
  if ('trouble' in result) throw new Error(`${result.trouble.reason} at ${result.trouble.x} ${result.trouble.y}`);
  return materialize(table, result.rings, FULL, 0);
}

/** An area of the world at full detail. */
export function full({ table, areas }: World, area: number): Polygons {
  return materialize(table, defined(areas[area]).rings, FULL, 0);
}

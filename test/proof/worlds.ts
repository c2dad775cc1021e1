import { join } from 'node:path';
import { defined } from '../../src/common/elements.ts';
import { readCoverage } from '../../src/sources/coverage/read.ts';
import { readOsmFile } from '../../src/sources/osm/read.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import type { BuildResult } from '../../workers/arrangement.ts';
import { buildArrangement, NOTHING_STORED } from '../../workers/build.ts';
import type { Coords, Polygons, Rings } from '../../workers/contract.ts';
import { END_CLASSES, FULL } from '../../workers/contract.ts';
import { flatten, type Line, random, subdivision } from '../kernels/topology.ts';
import { leading } from '../setup/elements.ts';
import { generator, madeBoundary, madeGrid, rectangle } from './made.ts';

/** Boundaries with their stored data, and what an oracle needs to know about them without our kernels. */
export interface World {
  readonly name: string;
  readonly arcs: BuildResult['arcs'];
  readonly conflicts: BuildResult['conflicts'];
  readonly boundaries: readonly WorldBoundary[];
  /** Boundaries that did not assemble, with reasons. */
  readonly broken: readonly { readonly id: string; readonly reason: string }[];
}

export interface WorldBoundary {
  readonly id: string;
  readonly rings: Rings;
  /** 13 means not administrative. */
  readonly adminLevel: number;
  readonly vertices: number;
  /** In degrees. */
  readonly center: readonly [number, number];
  /** The polygons, or faces whose union is the shape, in 1e-7 degrees. */
  readonly shape: readonly Polygons[];
}

/** Input of the arrangement for one boundary: chains with repetitions, and its faces if it consists of such. */
interface Given {
  readonly id: string;
  readonly adminLevel: number;
  readonly chains: readonly Coords[];
  readonly faces?: readonly Polygons[];
}

/** Builds the arrangement as the import does: from chains to rings and tiers. */
function worldOf(name: string, given: readonly Given[]): World {
  const numbers = new Map<Coords, number>();
  const boundaries = given.map(({ chains, adminLevel }) => ({
    adminLevel,
    chains: Uint32Array.from(chains, (chain) => {
      const known = numbers.get(chain) ?? numbers.size;
      numbers.set(chain, known);
      return known;
    }),
  }));
  const chains = [...numbers.keys()];
  const built = buildArrangement({ chains, storedFrom: chains.length, boundaries, ...NOTHING_STORED });
  const found: WorldBoundary[] = [];
  const broken: World['broken'][number][] = [];
  built.boundaries.forEach((one, i) => {
    const { id, adminLevel, faces } = defined(given[i]);
    if ('trouble' in one) {
      broken.push({ id, reason: one.trouble });
      return;
    }
    const full = materialize(built.arcs, one.rings, FULL, 0);
    const center = [one.center[0] / 1e7, one.center[1] / 1e7] as const;
    found.push({ id, rings: one.rings, adminLevel, vertices: full.coords.length / 2, center, shape: faces ?? [full] });
  });
  return { name, arcs: built.arcs, conflicts: built.conflicts, boundaries: found, broken };
}

function givenOf(boundary: SourceBoundary, ways?: ReadonlyMap<number, { readonly coords: Coords | null }>): Given[] {
  const { border, sourceId: id, adminLevel, type } = boundary;
  const level = type === 'administrative' ? (adminLevel ?? END_CLASSES) : END_CLASSES;
  if ('rings' in border) return [{ id, adminLevel: level, chains: border.rings }];
  const chains = border.ways.map((way) => ways?.get(way)?.coords);
  // A relation that the extract cuts is not a boundary here.
  if (chains.length === 0 || chains.some((chain) => !chain)) return [];
  return [{ id, adminLevel: level, chains: chains as Coords[] }];
}

/** Boundaries of the fixture source. */
export function madeWorld(name: string, boundaries: readonly SourceBoundary[]): World {
  return worldOf(
    name,
    boundaries.flatMap((one) => givenOf(one)),
  );
}

/** The complete boundaries of OpenStreetMap files. */
export async function osmWorld(name: string, ...files: string[]): Promise<World> {
  const given: Given[] = [];
  for (const file of files) {
    const extract = await readOsmFile(file);
    for (const one of toSourceBoundaries(extract).boundaries) given.push(...givenOf(one, extract.ways));
  }
  return worldOf(name, given);
}

/** A coverage file, its read options, and the areas wanted (default all). */
interface CoveragePart {
  readonly file: string;
  readonly adminLevel?: number;
  readonly object?: string;
  readonly map?: Readonly<Record<string, string>>;
  readonly country?: string;
  readonly wanted?: RegExp;
}

/** The areas of coverage files. */
export async function coverageWorld(name: string, ...parts: CoveragePart[]): Promise<World> {
  const given: Given[] = [];
  for (const { file, wanted, ...options } of parts) {
    const { boundaries } = await readCoverage(file, { source: name, ...options });
    for (const one of boundaries) if (wanted?.test(one.sourceId) ?? true) given.push(...givenOf(one));
  }
  return worldOf(name, given);
}

/** The real worlds of REAL_DATA_DIR by name; each is loaded on demand. */
export function realWorlds(dir: string): Record<string, () => Promise<World>> {
  const osm = (name: string) => join(dir, 'osm', `${name}.boundaries.osm.pbf`);
  const coverage = (name: string, part: Omit<CoveragePart, 'file'>, wanted?: RegExp): CoveragePart => ({
    file: join(dir, 'coverage', name),
    wanted,
    ...part,
  });
  const communes = (wanted?: RegExp) =>
    coverage('fr-communes.geojson.gz', { map: { id: 'code', name: 'nom' }, country: 'FR', adminLevel: 8 }, wanted);
  return {
    europe: () => osmWorld('europe', osm('luxembourg-2018-boundaries'), osm('liechtenstein-2024'), osm('malta-2018')),
    'more of OpenStreetMap': () =>
      osmWorld(
        'more of OpenStreetMap',
        ...['anhui-cn-2017', 'gatineau-2019', 'monaco-2023', 'north-bayreuth-2014'].map(osm),
        join(dir, 'overpass/tokyodo.json'),
        join(dir, 'overpass/herne.json'),
        join(dir, 'overpass/baarle-nassau.json'),
      ),
    usa: () =>
      coverageWorld(
        'usa',
        coverage('us-counties-10m.topo.json', { object: 'counties', adminLevel: 6, country: 'US' }),
        coverage('us-counties-10m.topo.json', { object: 'states', adminLevel: 4, country: 'US' }),
      ),
    // Two départements with the lakes and summits of the Alps, and Finistère with its islands.
    'some of France': () => coverageWorld('some of France', communes(/^(29|73|74)/)),
    france: () => coverageWorld('france', communes()),
    italy: () =>
      coverageWorld(
        'italy',
        coverage('it-comuni.geojson.gz', { map: { id: 'com_istat_code' }, country: 'IT', adminLevel: 8 }),
      ),
    spain: () =>
      coverageWorld(
        'spain',
        coverage('es-municipalities.topo.json', { object: 'municipalities', country: 'ES', adminLevel: 8 }),
      ),
    'countries of the world': () =>
      coverageWorld(
        'countries of the world',
        coverage('world-countries-10m.topo.json', {
          object: 'countries',
          adminLevel: 2,
          map: { id: 'name', name: 'name' },
        }),
      ),
  };
}

const between = (next: () => number, low: number, high: number) => Math.floor(low + next() * (high - low + 1));
const logUniform = (next: () => number, low: number, high: number) => low * (high / low) ** next();

/** A small random world: a grid, two grids on both sides of the antimeridian, or groups of faces of a subdivision. */
export function randomWorld(seed: number): World {
  const next = generator(seed);
  const kind = next();
  if (kind < 0.3) return facesWorld(seed);
  const size = between(next, 2, 7);
  const cell = Math.round(logUniform(next, 4_000, 5e6));
  const bends = Math.floor(logUniform(next, 1, Math.min(200, cell / 40)));
  const south = Math.round((next() - 0.5) * 16e8);
  const shape = { cell, bends };
  if (kind > 0.45) {
    const west = Math.round((next() - 0.5) * 34e8);
    return madeWorld(`grid ${seed}`, madeGrid(seed, size, west, south, shape));
  }
  const sides = [madeGrid(seed, size, 18e8 - size * cell, south, shape), madeGrid(seed + 1, size, -18e8, south, shape)];
  const named = sides.flatMap((side, s) => side.map((one) => ({ ...one, sourceId: `${s} ${one.sourceId}` })));
  // Areas with parts on both sides, like Fiji and Russia.
  const both = Array.from({ length: size }, (_, i) => {
    const rings = sides.flatMap((side) => {
      const { border } = defined(side[between(next, 1, side.length - 1)]);
      return 'rings' in border ? border.rings : [];
    });
    return { ...madeBoundary(`both ${i}`, [rectangle(0, 0, 1, 1)], 5), border: { rings } };
  });
  return madeWorld(`antimeridian ${seed}`, [...named, ...both]);
}

/** Groups of faces of a subdivision of random density: scattered, full of holes, touching at corners, nested. */
function facesWorld(seed: number): World {
  const next = random(seed);
  const side = Math.round(logUniform(next, 100, 1e6));
  const west = Math.round((next() - 0.5) * 34e8);
  const south = Math.round((next() - 0.5) * 17e8);
  const faces = subdivision(next, between(next, 3, 9), between(next, 3, 9), side).map(
    (face): Line => face.map(([x, y]) => [west + x, south + y]),
  );
  const chains = faces.map((face) => Int32Array.from(face.flat()));
  const groups: number[][] = faces.flatMap((_, f) => (next() < 0.4 ? [[f]] : []));
  for (let g = between(next, 4, 12); g > 0; g--) {
    const density = 0.1 + 0.85 * Math.sqrt(next());
    groups.push(faces.flatMap((_, f) => (next() < density ? [f] : [])));
  }
  const given = groups
    .filter((group) => group.length > 0)
    .map((group, g) => ({
      id: `group ${g}`,
      adminLevel: 1 + (g % 12),
      chains: group.map((f) => defined(chains[f])),
      faces: group.map((f) => flatten([[defined(faces[f])]])),
    }));
  return worldOf(`faces ${seed}`, given);
}

/**
 * A random world whose borders cross or overlap along a stretch without common vertices: two grids, one moved by
 * anything from a grid unit to a cell; rectangles with collinear sides; triangles over all.
 */
export function crossingWorld(seed: number): World {
  const next = generator(seed);
  const size = between(next, 2, 5);
  const cell = Math.round(logUniform(next, 10_000, 5e6));
  const bends = Math.floor(logUniform(next, 1, 40));
  const [west, south] = [Math.round((next() - 0.5) * 34e8), Math.round((next() - 0.5) * 16e8)];
  const grid = madeGrid(seed, size, west, south, { cell, bends });
  const [dx, dy] = [Math.round(logUniform(next, 1, cell)), Math.round(logUniform(next, 1, cell))];
  const moved = grid.map((one) => ({
    ...one,
    sourceId: `moved ${one.sourceId}`,
    border: {
      rings: ('rings' in one.border ? one.border.rings : []).map((ring) =>
        ring.map((value, i) => value + (i % 2 === 0 ? dx : dy)),
      ),
    },
  }));
  const at = () => west + between(next, 0, size * cell);
  const up = () => south + between(next, 0, size * cell);
  const line = up();
  const shapes = Array.from({ length: 2 * size }, (_, i) => {
    const x = at();
    if (i % 2 === 0) return madeBoundary(`row ${i}`, [rectangle(x, line, x + between(next, 2, 2 * cell), line + cell)]);
    return madeBoundary(`triangle ${i}`, [counterClockwise([x, up()], [at(), up()], [at(), up() + 7])]);
  });
  return madeWorld(`crossing ${seed}`, [...grid, ...moved, ...shapes]);
}

function counterClockwise(...points: [number, number][]): [number, number][] {
  const [[ax, ay], [bx, by], [cx, cy]] = leading(points, 3);
  return (bx - ax) * (cy - ay) < (cx - ax) * (by - ay) ? points.reverse() : points;
}

/** A merge to test, by indexes of boundaries. */
export interface Choice {
  readonly include: readonly number[];
  readonly exclude: readonly number[];
}

/**
 * Chooses boundaries, mostly close to each other, until they have about a given number of vertices; some are cut out.
 */
export class Chooser {
  private readonly world: World;
  private readonly random: () => number;
  /** Boundaries in Morton order of their centers, so that a run of them is a neighborhood. */
  private readonly order: number[];

  constructor(world: World, random: () => number) {
    this.world = world;
    this.random = random;
    const key = ([x, y]: readonly [number, number]) => spread((x + 180) / 360) + 2 * spread((y + 90) / 180);
    const keys = world.boundaries.map(({ center }) => key(center));
    this.order = world.boundaries.map((_, i) => i).sort((a, b) => defined(keys[a]) - defined(keys[b]));
  }

  choose(vertices: number, most = 50): Choice {
    const { random, order, world } = this;
    const chosen: number[] = [];
    const near = random() < 0.7;
    const center = Math.floor(random() * order.length);
    for (let sum = 0, tries = 0; tries < 2 * most && chosen.length < most && sum < vertices; tries++) {
      const at = near ? center + Math.round((random() - 0.5) * 2 * (tries + 2)) : Math.floor(random() * order.length);
      const one = defined(order[((at % order.length) + order.length) % order.length]);
      // Take the first one whatever its size, a later one only if it is not much too large.
      if (chosen.length > 0 && sum + defined(world.boundaries[one]).vertices > 2 * vertices) continue;
      chosen.push(one);
      sum += defined(world.boundaries[one]).vertices;
    }
    const cut = random() < 0.4 ? chosen.length : Math.max(1, Math.ceil(random() * chosen.length));
    const exclude = chosen.slice(cut);
    if (random() < 0.1) exclude.push(defined(chosen[0]));
    return { include: chosen.slice(0, cut), exclude };
  }
}

/** Spreads the 16 bits of a fraction to every second bit (Morton code). */
function spread(fraction: number): number {
  const bits = Math.min(65_535, Math.floor(fraction * 65_536));
  let sum = 0;
  for (let b = 0; b < 16; b++) if (bits & (1 << b)) sum += 4 ** b;
  return sum;
}

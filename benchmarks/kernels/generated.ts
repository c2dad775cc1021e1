import { seeded as random } from '../../src/bench/random.ts';
import type { Coords } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { writeDocument } from '../../workers/formats/registry.ts';
import { compared, type Options, type Result, race, rival, time } from '../measure.ts';
import { GeosShapes } from '../rivals/geos.ts';
import { PostgisShapes } from '../rivals/postgis.ts';
import { samePolygons, vertices } from './same.ts';
import { full, merged, type World, worldOfRings } from './worlds.ts';

const SEED = 7;

/**
 * A grid of cells that tile a rectangle, with rough borders of `perSide` segments each; deterministic. Two cells share
 * every inner border vertex by vertex.
 */
export function roughGrid(columns: number, rows: number, perSide: number, outerPerSide = perSide): World {
  const next = random(SEED);
  const width = Math.floor(200_000_000 / columns);
  const height = Math.floor(200_000_000 / rows);
  // A border along one axis. It stays in a cone of less than 45 degrees from either end and within a fifth of the cell,
  // so that borders meet only at their ends.
  const line = (x: number, y: number, along: number, across: number, axis: 0 | 1, count: number): Coords => {
    const points = new Int32Array(2 * (count + 1));
    for (let i = 0; i <= count; i++) {
      const step = Math.floor((along * i) / count);
      const room = Math.min(8 * (along / count), 0.4 * across, 0.8 * Math.min(step, along - step));
      const wobble = Math.trunc((next() - 0.5) * room);
      points[2 * i + axis] = (axis === 0 ? x : y) + step;
      points[2 * i + 1 - axis] = (axis === 0 ? y : x) + wobble;
    }
    return points;
  };
  const across: Coords[][] = [];
  for (let r = 0; r <= rows; r++) {
    const count = r === 0 || r === rows ? outerPerSide : perSide;
    across.push(Array.from({ length: columns }, (_, c) => line(c * width, r * height, width, height, 0, count)));
  }
  const up: Coords[][] = [];
  for (let c = 0; c <= columns; c++) {
    const count = c === 0 || c === columns ? outerPerSide : perSide;
    up.push(Array.from({ length: rows }, (_, r) => line(c * width, r * height, height, width, 1, count)));
  }
  const cells = [];
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const ring = joined([
        defined(defined(across[r])[c]),
        defined(defined(up[c + 1])[r]),
        reversed(defined(defined(across[r + 1])[c])),
        reversed(defined(defined(up[c])[r])),
      ]);
      cells.push({ name: `${c} ${r}`, adminLevel: 8, chains: [ring] });
    }
  }
  return worldOfRings(cells);
}

function reversed(line: Coords): Coords {
  const back = new Int32Array(line.length);
  for (let i = 0; i < line.length; i += 2) {
    back[i] = defined(line[line.length - 2 - i]);
    back[i + 1] = defined(line[line.length - 1 - i]);
  }
  return back;
}

/** Joins lines end to start into one ring. */
function joined(lines: readonly Coords[]): Coords {
  const ring = new Int32Array(lines.reduce((sum, line) => sum + line.length - 2, 2));
  let at = 0;
  for (const line of lines) {
    ring.set(line.subarray(0, -2), at);
    at += line.length - 2;
  }
  ring.set(ring.subarray(0, 2), at);
  return ring;
}

/** The null case: a kernel that does nothing, to show the cost of measuring itself. */
export async function benchNull(_data: string, options: Options): Promise<Result[]> {
  const nothing = { name: 'the same nothing', work: () => undefined, judge: () => true };
  return race('null: nothing, measured', () => undefined, [nothing], options);
}

/**
 * Growth: the union of 5 and of 50 boundaries with the same outline of at least 10,000 vertices, from arcs to GeoJSON.
 * The ratio compares our own times, 5 to 50: 0.5 means twice the time.
 */
export async function benchOutline(_data: string, options: Options): Promise<Result[]> {
  const outline = options.smoke ? 1_000 : 12_000;
  // All borders of the single row are outline, except those between columns. Ten columns make one of the five.
  const fifty = roughGrid(50, 1, 100, Math.ceil(outline / 102));
  const strips = [0, 10, 20, 30, 40].map((first) => Array.from({ length: 10 }, (_, i) => first + i));
  const five = worldOfRings(
    strips.map((strip) => ({ name: `from ${strip[0]}`, adminLevel: 7, chains: [merged(fifty, strip).coords] })),
  );
  const written = (world: World) => {
    const all = world.areas.map((_, i) => i);
    return () => {
      const polygons = merged(world, all);
      return { polygons, bytes: writeDocument('geojson', polygons, DOCUMENT) };
    };
  };
  const ours = written(fifty);
  const { polygons } = ours();
  const theirs = rival({
    name: 'ours with 5 boundaries',
    work: written(five),
    judge: (answer) => vertices(polygons) >= outline && samePolygons(answer.polygons, polygons),
    note: 'the bar is a ratio of at least 0.5',
  });
  return race(`growth: 50 boundaries, outline of ${vertices(polygons)} vertices, to GeoJSON`, ours, [theirs], options);
}

const DOCUMENT = { id: null, name: 'Area', properties: {}, bbox: null, attribution: '', digits: 7 } as const;

/** Unions of generated grids of growing size, up to 10 million vertices; PostGIS and GEOS only up to a million. */
export async function benchMade(_data: string, options: Options): Promise<Result[]> {
  const results: Result[] = [];
  const sizes = options.smoke ? [10_000] : [100_000, 1_000_000, 10_000_000];
  for (const size of sizes) {
    const side = Math.max(4, Math.round(Math.sqrt(size / 800)));
    const world = roughGrid(side, side, 200);
    const all = world.areas.map((_, i) => i);
    const ours = merged(world, all);
    const count = all.reduce((sum, i) => sum + vertices(full(world, i)), 0);
    const title = `union of a made grid of ${all.length} cells, ${count} vertices`;
    if (size > 1_000_000) {
      const timed = await time(() => merged(world, all), options);
      const copy = await time(() => ours.coords.slice(), options);
      const note = 'not a union: copying the result once, the least that any writer of it must do';
      results.push({ ...compared(title, timed, 'memory: the copy of the result', copy, true), note });
      continue;
    }
    const shapes = all.map((i) => full(world, i));
    const geos = await GeosShapes.load(shapes);
    const postgis = await PostgisShapes.load(shapes);
    const sql = 'select st_union(geom) as geom from shape where id = any ($1)';
    try {
      const rivals = [
        rival({
          name: 'geos-wasm coverage union',
          work: () => geos.coverageUnion(),
          judge: () => samePolygons(geos.answer('GEOSCoverageUnion'), ours),
        }),
      ];
      if (postgis) {
        rivals.unshift(
          rival({
            name: 'PostGIS ST_Union',
            work: () => postgis.points(sql, [all]),
            judge: async () => samePolygons(await postgis.polygons(sql, [all]), ours),
          }),
        );
      }
      results.push(...(await race(title, () => merged(world, all), rivals, options)));
    } finally {
      geos.release();
      await postgis?.close();
    }
  }
  return results;
}

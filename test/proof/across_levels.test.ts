import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { endClassOf, unitOf } from '../../workers/arcs/levels.ts';
import { END_CLASSES, FULL, type Rings } from '../../workers/contract.ts';
import { deviation } from './deviation.ts';
import { dataDir } from './environment.ts';
import { Oracle, oracleUrl } from './oracle.ts';
import { drawn } from './rounds.ts';
import { osmWorld, type World } from './worlds.ts';

/** 2 m to 1 km. */
const LEVELS = Array.from({ length: 10 }, (_, i) => i + 1);
/** The class of all: what tolerance_m asks for. */
const ALL = endClassOf([null]);

const FILES: Readonly<Record<string, string>> = {
  Luxembourg: 'luxembourg-2018-boundaries.boundaries.osm.pbf',
  Liechtenstein: 'liechtenstein-2024.boundaries.osm.pbf',
  Malta: 'malta-2018.boundaries.osm.pbf',
  Anhui: 'anhui-cn-2017.boundaries.osm.pbf',
};

/** Pairs whose boxes meet: those with disjoint interiors, and those of which one holds the other. */
const PAIRS = `
select a.id as a, b.id as b, not st_relate(a.geom, b.geom, 'T********') as apart, st_touches(a.geom, b.geom) as touch,
  st_covers(a.geom, b.geom) as covers
from proof_shape a join proof_shape b on a.id <> b.id and a.geom && b.geom
where a.id < b.id or st_covers(a.geom, b.geom)`;

const OVERLAPS = `
select a, b, st_area(st_intersection(s.geom, t.geom)) as area
from unnest($1::int[], $2::int[]) as pair(a, b) join proof_shape s on s.id = a join proof_shape t on t.id = b
where s.geom && t.geom and st_area(st_intersection(s.geom, t.geom)) > 0`;

const UNCOVERED = `
select a, b from unnest($1::int[], $2::int[]) as pair(a, b)
join proof_shape s on s.id = a join proof_shape t on t.id = b where not st_covers(s.geom, t.geom)`;

interface Pair {
  readonly a: number;
  readonly b: number;
  readonly apart: boolean;
  readonly touch: boolean;
  readonly covers: boolean;
}

describe.skipIf(!dataDir || !oracleUrl)('at one tolerance, boundaries of all levels', () => {
  describe.each(drawn(Object.keys(FILES)))('of %s', { timeout: 1_800_000 }, (name) => {
    let world: World;
    let pairs: Pair[];
    const oracle = new Oracle();
    const lay = (rings: Rings, level: number, endClass = ALL) => materialize(world.arcs, rings, level, endClass);
    const columns = (list: readonly Pair[]) => [list.map(({ a }) => a), list.map(({ b }) => b)];

    beforeAll(async () => {
      await oracle.open();
      await oracle.client.query('create index on proof_shape using gist (geom)');
      world = await osmWorld(name, join(dataDir as string, 'osm', defined(FILES[name])));
      expect(await oracle.load(world.boundaries.map(({ rings }) => [lay(rings, FULL)]))).toEqual([]);
      pairs = (await oracle.client.query<Pair>(PAIRS)).rows;
    }, 600_000);
    afterAll(() => oracle.close());

    it('fit: neighbors share no interior, the nested stay nested; valid, not empty, within T', async () => {
      const { boundaries } = world;
      const level = (i: number) => defined(boundaries[i]).adminLevel;
      const apart = pairs.filter((pair) => pair.apart);
      const nested = pairs.filter((pair) => pair.covers);
      const neighbors = apart.filter(({ touch }) => touch);
      expect(neighbors.some(({ a, b }) => level(a) !== level(b))).toBe(true);
      expect(nested.some(({ a, b }) => level(a) !== level(b))).toBe(true);
      const vertices = { all: 0, own: 0 };
      for (const k of LEVELS) {
        const where = `T = ${2 ** k} m`;
        const laid = boundaries.map(({ rings }) => lay(rings, k));
        expect(
          laid.flatMap(({ polygonEnd }, i) => (polygonEnd.length === 0 ? [defined(boundaries[i]).id] : [])),
        ).toEqual([]);
        expect(await oracle.load(laid.map((one) => [one])), where).toEqual([]);
        const overlaps = await oracle.client.query(OVERLAPS, columns(apart));
        expect(overlaps.rows, where).toEqual([]);
        const uncovered = await oracle.client.query<{ a: number; b: number }>(UNCOVERED, columns(nested));
        expect(
          uncovered.rows.map(({ a, b }) => `${defined(boundaries[a]).id} no longer holds ${defined(boundaries[b]).id}`),
          where,
        ).toEqual([]);
        boundaries.forEach(({ rings, adminLevel }, i) => {
          vertices.all += defined(laid[i]).coords.length / 2;
          vertices.own += lay(rings, k, endClassOf([adminLevel < END_CLASSES ? adminLevel : null])).coords.length / 2;
          for (const ring of single(rings)) {
            const simple = lay(ring, k).coords;
            if (simple.length === 0) continue;
            const far = deviation(lay(ring, FULL).coords, simple, unitOf(k));
            if (far > 2 ** k * (1 + 1e-9)) throw new Error(`${defined(boundaries[i]).id} is ${far} m away: ${where}`);
          }
        });
      }
      const more = (100 * (vertices.all / vertices.own - 1)).toFixed(1);
      console.log(
        `${name}: ${boundaries.length} boundaries, ${neighbors.length} neighbors, ${nested.length} nested; ` +
          `one class: ${vertices.all} vertices at all T, by level: ${vertices.own} (${more} % more)`,
      );
    });
  });
});

/** The rings of a boundary, each alone. */
function single({ refs, ringEnd }: Rings): Rings[] {
  return Array.from(ringEnd, (end, ring) => {
    const own = refs.slice(ring === 0 ? 0 : ringEnd[ring - 1], end);
    return { refs: own, ringEnd: Uint32Array.of(own.length), polygonEnd: Uint32Array.of(1) };
  });
}

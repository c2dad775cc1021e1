import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { mergeBoundaries } from '../../workers/arcs/classify.ts';
import { findConflicts } from '../../workers/arcs/conflicts.ts';
import { locate } from '../../workers/arcs/locate.ts';
import { isValid, overlay } from '../../workers/arcs/overlay.ts';
import type { Polygons } from '../../workers/contract.ts';
import {
  arrange,
  flatten,
  type Line,
  nested,
  planeArea,
  polygonsOf,
  random,
  ringsOf,
  subdivision,
  wkt,
} from '../kernels/topology.ts';

const ORACLE = process.env.ORACLE_DATABASE_URL;

/** One random query over nested groups of faces of a random subdivision. */
function randomCase(seed: number) {
  const next = random(seed);
  const faces = subdivision(next, 3 + Math.floor(next() * 6), 3 + Math.floor(next() * 6));
  const groups: Line[][] = [];
  const single = next() < 0.5 ? 0 : next();
  for (const face of faces) if (next() < single) groups.push([face]);
  // Groups of any shape, scattered or full of holes, that overlap and hold each other.
  for (let g = 2 + Math.floor(next() * 4); g > 0; g--) {
    const density = 0.1 + 0.85 * Math.sqrt(next());
    const group = faces.filter(() => next() < density);
    if (group.length > 0) groups.push(group);
  }
  if (groups.length === 0) groups.push([defined(faces[0])]);
  const include: number[] = [];
  const exclude: number[] = [];
  const many = next() ** 2;
  groups.forEach((_, g) => {
    if (next() < many) include.push(g);
    if (next() < 0.2) exclude.push(g);
  });
  if (include.length === 0 && next() < 0.9) include.push(groups.length - 1);
  return { next, groups, include, exclude };
}

/** The groups as single faces: valid polygons for the overlay, which dissolves them itself. */
function facesOf(groups: readonly Line[][], chosen: readonly number[]): Polygons[] {
  return chosen.flatMap((g) => defined(groups[g]).map((face) => flatten([[face]])));
}

const ringCounts = (polygons: Polygons) =>
  nested(polygons)
    .map((polygon) => polygon.length)
    .sort((a, b) => a - b);

describe('mergeBoundaries on random subdivisions', () => {
  it('equals the overlay of GEOS: no symmetric difference, the same rings and parts, valid', async () => {
    let nonempty = 0;
    let withHoles = 0;
    for (let seed = 1; seed <= 400; seed++) {
      const { groups, include, exclude } = randomCase(seed);
      const { table, refs } = arrange(groups);
      const ours = polygonsOf(table, ringsOf(mergeBoundaries(table, refs, include, exclude)));
      const theirs = await overlay(facesOf(groups, include), facesOf(groups, exclude));
      const context = `seed ${seed}`;
      expect(await isValid(ours), context).toBeNull();
      expect(planeArea(ours), context).toBe(planeArea(theirs));
      expect(ringCounts(ours), context).toEqual(ringCounts(theirs));
      // With equal areas one difference is as good as two.
      expect(planeArea(await overlay([ours], [theirs])), context).toBe(0);
      if (ours.polygonEnd.length > 0) nonempty++;
      if (ours.ringEnd.length > ours.polygonEnd.length) withHoles++;
    }
    expect(nonempty).toBeGreaterThan(200);
    expect(withHoles).toBeGreaterThan(70);
  });

  it('says of every grid point what the boundaries say of it', () => {
    for (let seed = 2000; seed < 2060; seed++) {
      const { next, groups, include, exclude } = randomCase(seed);
      const { table, refs } = arrange(groups);
      const merged = ringsOf(mergeBoundaries(table, refs, include, exclude)).refs;
      for (let i = 0; i < 200; i++) {
        const x = Math.floor(next() * 900) - 50;
        const y = Math.floor(next() * 900) - 50;
        const at = (g: number) => locate(table, defined(refs[g]), x, y);
        if (groups.some((_, g) => at(g) === 0)) continue;
        const wanted = include.some((g) => at(g) > 0) && !exclude.some((g) => at(g) > 0);
        expect(locate(table, merged, x, y)).toBe(wanted ? 1 : -1);
      }
    }
  });

  it('does not depend on the order of boundaries or of their arcs', () => {
    for (let seed = 3000; seed < 3060; seed++) {
      const { next, groups, include, exclude } = randomCase(seed);
      const { table, refs } = arrange(groups);
      const wanted = ringsOf(mergeBoundaries(table, refs, include, exclude));
      const order = groups.map((_, g) => ({ g, key: next() })).sort((a, b) => a.key - b.key);
      const place = new Map(order.map(({ g }, i) => [g, i]));
      const shuffled = order.map(({ g }) => Int32Array.from(defined(refs[g])).reverse());
      const moved = (list: number[]) => list.map((g) => place.get(g)!).reverse();
      expect(ringsOf(mergeBoundaries(table, shuffled, moved(include), moved(exclude)))).toEqual(wanted);
    }
  });

  it('has no conflicts to fear: subdivisions are planar', () => {
    for (let seed = 1; seed <= 40; seed++) expect(findConflicts(arrange(randomCase(seed).groups).table)).toEqual([]);
  });
});

describe.skipIf(!ORACLE)('mergeBoundaries against native PostGIS', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: ORACLE });
    await client.connect();
  });
  afterAll(() => client.end());

  it('equals ST_Difference(ST_Union, ST_Union) on the same integers', async () => {
    for (let seed = 10_000; seed < 10_400; seed++) {
      const { groups, include, exclude } = randomCase(seed);
      const { table, refs } = arrange(groups);
      const ours = polygonsOf(table, ringsOf(mergeBoundaries(table, refs, include, exclude)));
      const { rows } = await client.query(
        `with ours as (select ST_GeomFromText($1) as g),
              kept as (select coalesce(ST_Union(ST_GeomFromText(t)), 'POLYGON EMPTY'::geometry) as g from unnest($2::text[]) t),
              gone as (select coalesce(ST_Union(ST_GeomFromText(t)), 'POLYGON EMPTY'::geometry) as g from unnest($3::text[]) t),
              theirs as (select ST_Difference(kept.g, gone.g) as g from kept, gone)
         select ST_IsValid(ours.g) as valid, ST_Area(ST_SymDifference(ours.g, theirs.g)) as off,
                ST_NRings(ours.g) as rings, ST_NRings(theirs.g) as their_rings,
                ST_NumGeometries(ours.g) as parts, ST_NumGeometries(ST_Multi(theirs.g)) as their_parts
         from ours, theirs`,
        [wkt(ours), facesOf(groups, include).map((p) => wkt(p)), facesOf(groups, exclude).map((p) => wkt(p))],
      );
      const [row] = rows;
      expect({ seed, valid: row.valid, off: row.off }).toEqual({ seed, valid: true, off: 0 });
      expect({ seed, rings: row.rings, parts: row.parts }).toEqual({
        seed,
        rings: row.their_rings,
        parts: row.their_parts,
      });
    }
  });
});

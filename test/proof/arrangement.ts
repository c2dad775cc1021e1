import { expect } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import type { Database } from '../../src/db/connect.ts';
import { findConflicts } from '../../workers/arcs/conflicts.ts';
import { type ArcTable, ENDS_PER_ARC } from '../../workers/contract.ts';

interface StoredArc {
  id: number;
  coords: Uint8Array;
}

/** The vertices of a stored arc: x, y in 1e-7 degrees. */
function vertices(coords: Uint8Array): Int32Array {
  return new Int32Array(Uint8Array.from(coords).buffer);
}

/** A table for the conflict search, which needs only vertices. */
function tableOf(arcs: readonly Int32Array[]): ArcTable {
  const count = arcs.length;
  const first = new Uint32Array(count);
  const length = Uint32Array.from(arcs, (arc) => arc.length / 2);
  for (let i = 1; i < count; i++) first[i] = defined(first[i - 1]) + defined(length[i - 1]);
  const coords = new Int32Array(arcs.reduce((sum, arc) => sum + arc.length, 0));
  arcs.forEach((arc, i) => {
    coords.set(arc, 2 * defined(first[i]));
  });
  return {
    coords,
    first,
    length,
    weights: new Uint8Array(coords.length / 2),
    box: new Int32Array(4 * count),
    area: new Float64Array(count),
    turn: new Float64Array(count),
    ends: new Uint16Array(ENDS_PER_ARC * count),
    exact: new Uint16Array(count),
  };
}

/**
 * Asserts that the whole stored arrangement is sound: arcs meet only at their ends, except exactly the pairs in
 * arc_conflict; no boundary uses an arc twice; the arcs of a ring are connected and closed; the PostGIS geometry has
 * those rings vertex by vertex, from any start; the index from arcs to boundaries is complete; the center is inside;
 * every ring_hash is that of the arcs.
 * @returns the number of arcs and of recorded conflicts
 */
export async function expectSoundArrangement(server: {
  readonly test: { readonly db: Database };
}): Promise<{ arcs: number; conflicts: number }> {
  const { db } = server.test;
  const rows = await db.query<StoredArc>('select id, coords from arc order by id');
  const arcs = new Map(rows.map(({ id, coords }) => [id, vertices(coords)]));

  const recorded = await db.query<{ a: number; b: number; kind: string }>('select a, b, kind from arc_conflict');
  const found = findConflicts(tableOf([...arcs.values()]));
  const line = (a: number, b: number, kind: string) => `${a} ${b} ${kind}`;
  expect(recorded.map(({ a, b, kind }) => line(a, b, kind)).sort()).toEqual(
    found.map(({ a, b, kind }) => line(defined(rows[a]).id, defined(rows[b]).id, kind)).sort(),
  );

  const shapes = await db.query<{
    id: string;
    arcs: number[];
    arc_ids: number[];
    ring_end: number[];
    polygon_end: number[];
    json: string;
    inside: boolean;
  }>(
    `select s.boundary_id as id, s.arcs, s.arc_ids, s.ring_end, s.polygon_end, st_asgeojson(s.geom, 7) as json,
            st_contains(s.geom, st_setsrid(st_makepoint(b.lon / 1e7, b.lat / 1e7), 4326)) as inside
     from boundary_shape s join boundary b on b.id = s.boundary_id`,
  );
  const { stale } = only(
    await db.query<{ stale: number }>(
      `select count(*)::integer as stale from (
       select b.ring_hash, sha256(convert_to(cardinality(s.ring_end) || ' ' || cardinality(s.polygon_end), 'UTF8') ||
                string_agg(a.hash || int8send(r.ref) || sha256(a.weights || a.ends || int8send(a.exact)),
                           ''::bytea order by a.hash)) as expected
       from boundary b join boundary_shape s on s.boundary_id = b.id
       cross join unnest(s.arcs) as r (ref) join arc a on a.id = abs(r.ref)
       group by b.id, s.boundary_id
     ) hashes where ring_hash is distinct from expected`,
    ),
  );
  expect(stale, 'ring hashes').toBe(0);
  for (const { id, arcs: refs, arc_ids, ring_end, polygon_end, json, inside } of shapes) {
    const ids = refs.map(Math.abs);
    expect(new Set(ids).size, `${id}: an arc twice`).toBe(ids.length);
    expect([...arc_ids].sort(), id).toEqual([...ids].sort());
    expect(inside, `${id}: center outside`).toBe(true);
    let ring = 0;
    const polygons = polygon_end.map((end) => {
      const rings: string[] = [];
      for (; ring < end; ring++) rings.push(walk(refs.slice(ring_end[ring - 1] ?? 0, ring_end[ring]), arcs, id));
      return rings;
    });
    const { coordinates } = JSON.parse(json) as { coordinates: [number, number][][][] };
    const grid = (points: [number, number][]) =>
      points.map(([x, y]) => `${Math.round(x * 1e7)} ${Math.round(y * 1e7)}`);
    expect(
      coordinates.map((rings) => rings.map((points) => turned(grid(points)))),
      `${id}: geometry and rings`,
    ).toEqual(polygons);
  }
  const { missing } = only(
    await db.query<{ missing: number }>(
      `select count(*)::integer as missing from boundary b
     where has_geometry <> exists (select 1 from boundary_shape s where s.boundary_id = b.id)`,
    ),
  );
  expect(missing).toBe(0);
  return { arcs: arcs.size, conflicts: recorded.length };
}

/**
 * The vertices along signed arcs.
 * @throws unless each arc starts where the previous one ends, and the last ends at the start
 */
function walk(refs: readonly number[], arcs: ReadonlyMap<number, Int32Array>, id: string): string {
  const points: string[] = [];
  for (const ref of refs) {
    const coords = arcs.get(Math.abs(ref));
    if (!coords) throw new Error(`${id} names arc ${ref}, which is not stored`);
    const chain = Array.from({ length: coords.length / 2 }, (_, i) => `${coords[2 * i]} ${coords[2 * i + 1]}`);
    if (ref < 0) chain.reverse();
    if (points.length > 0) expect(chain[0], `${id}: open at arc ${ref}`).toBe(points.at(-1));
    points.push(...(points.length > 0 ? chain.slice(1) : chain));
  }
  expect(points.at(-1), `${id}: open ring`).toBe(points[0]);
  return turned(points);
}

/** A closed ring rotated to start at its smallest vertex. */
function turned(ring: readonly string[]): string {
  const open = ring.slice(0, -1);
  const start = open.indexOf(defined([...open].sort()[0]));
  return [...open.slice(start), ...open.slice(0, start), open[start]].join();
}

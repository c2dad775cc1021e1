import { loadQuery } from '../../../db/query.ts';
import type { ArcEnds } from '../../../domain/areas/coast.ts';
import { type KeptRings, ringsOfWkb } from '../../../domain/areas/kept_shores.ts';
import type { PlanRun } from '../execution/plan_run.ts';
import type { BoxRow } from './boxes.ts';

/** Arcs that one statement reads. */
const AT_ONCE = 5_000;

/** The ends and the box of an arc. */
export type EndsRow = ArcEnds & BoxRow;

/** Reads the vertices of arcs, by id without a sign, and their ends and boxes. */
export interface ArcReader {
  readonly coords: (refs: readonly number[]) => Promise<ReadonlyMap<number, Uint8Array>>;
  readonly ends: readonly EndsRow[];
}

/** The vertices (int32 pairs) of arcs, by id without a sign. */
export async function coordsOf(run: PlanRun, refs: readonly number[]): Promise<Map<number, Uint8Array>> {
  const { db } = run.ctx.services;
  const ids = refs.map(Math.abs);
  const coords = new Map<number, Uint8Array>();
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    for (const row of await db.query(loadQuery('area_arc_coords'), [some], { signal: run.ctx.signal }))
      coords.set(row.id, row.coords);
  }
  return coords;
}

/** The ends and boxes of arcs. */
export async function endsOf(run: PlanRun, ids: readonly number[]): Promise<EndsRow[]> {
  const { db } = run.ctx.services;
  const rows: EndsRow[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    rows.push(...(await db.query(loadQuery('area_arc_ends'), [some], { signal: run.ctx.signal })));
  }
  return rows;
}

/** By boundary that took the place of seed boundaries of its level: their rings. */
export async function keptRings(run: PlanRun, ids: readonly string[]): Promise<Map<string, KeptRings>> {
  const { db } = run.ctx.services;
  const found = new Map<string, KeptRings>();
  const rows = await db.query(loadQuery('area_kept_shapes'), [ids], { signal: run.ctx.signal });
  for (const { heir, wkb } of rows) {
    found.set(heir, [...(found.get(heir) ?? []), ...ringsOfWkb(wkb)]);
  }
  return found;
}

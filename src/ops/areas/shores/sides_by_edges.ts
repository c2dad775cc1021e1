import type { Turns } from '../../../common/turns.ts';
import { edgeOf, openArcs, openRuns, type Vector, verticesOf } from '../../../domain/areas/coast.ts';
import type { PlanRun } from '../execution/plan_run.ts';
import type { Land, Shoreline, Side } from './land.ts';
import { coordsOf, keptRings } from './rows.ts';

/**
 * The sides of parts of a country, where it or a part took the place of a seed boundary and does not share arcs with the
 * others: by the edges of the border of that boundary, which they share. Null where none did.
 */
export async function sidesByEdges(
  run: PlanRun,
  country: string,
  rows: readonly Land[],
  line: Shoreline,
  turns: Turns,
): Promise<Map<string, Side> | null> {
  const border = line.kept.get(country);
  const kept = await keptRings(
    run,
    rows.map(({ id }) => id),
  );
  if (!border && kept.size === 0) return null;
  const outline = await edgesOf(run, country, line, turns);
  const chains: { readonly of: number | string; readonly vertices: readonly Vector[] }[] = [];
  for (const [id, rings] of kept) for (const vertices of rings) chains.push({ of: id, vertices });
  const drawn = rows.filter(({ id }) => !kept.has(id));
  const open = await openArcs(
    drawn.map(({ arcs }) => arcs),
    turns,
  );
  const coords = await coordsOf(run, open);
  for (const arc of open) {
    chains.push({ of: Math.abs(arc), vertices: verticesOf(arc, coords.get(Math.abs(arc)) as Uint8Array) });
  }
  const runs = await openRuns(
    chains.map(({ vertices }) => vertices),
    turns,
  );
  const sides = new Map<number | string, Side>();
  for (const { chain, vertices } of runs) {
    const { of } = chains[chain] as (typeof chains)[number];
    for (let at = 1; at < vertices.length && sides.get(of) !== 'coastal'; at++) {
      const side = outline.get(edgeOf(vertices[at - 1] as Vector, vertices[at] as Vector)) ?? 'unknown';
      if (side !== 'landlocked') sides.set(of, side);
    }
    if (turns.spend(vertices.length)) await turns.next();
  }
  return new Map(
    rows.map(({ id, arcs }) => {
      const found = kept.has(id) ? [sides.get(id)] : arcs.map((arc) => sides.get(Math.abs(arc)));
      return [id, found.includes('coastal') ? 'coastal' : found.includes('unknown') ? 'unknown' : 'landlocked'];
    }),
  );
}

/** The side of each edge of the border of a country; land is on the left of an edge. */
async function edgesOf(run: PlanRun, country: string, line: Shoreline, turns: Turns): Promise<Map<string, Side>> {
  const edges = new Map<string, Side>();
  const add = async (vertices: readonly Vector[], side: Side) => {
    for (let at = 1; at < vertices.length; at++) {
      edges.set(edgeOf(vertices[at - 1] as Vector, vertices[at] as Vector), side);
    }
    if (turns.spend(vertices.length)) await turns.next();
  };
  const sideIn = (arc: number): Side =>
    line.sea.has(arc) ? 'coastal' : line.doubtful.has(arc) ? 'unknown' : 'landlocked';
  const border = line.kept.get(country);
  if (border) {
    for (const ring of border.rings) await add(ring, 'landlocked');
    for (const { id, vertices } of border.pieces) await add(vertices, sideIn(id));
    return edges;
  }
  const arcs = [...(line.lands.get(country) ?? [])];
  const coords = await coordsOf(run, arcs);
  for (const [arc, bytes] of coords) {
    const parts = line.split.get(arc);
    for (const ref of [arc, -arc]) await add(verticesOf(ref, bytes), parts ? 'landlocked' : sideIn(arc));
    for (const { id, vertices } of parts ?? []) await add(vertices, sideIn(id));
  }
  return edges;
}

import type { Turns } from '../../../common/turns.ts';
import { isInRing, openArcs, shoresOf } from '../../../domain/areas/coast.ts';
import type { PlanRun } from '../execution/plan_run.ts';
import { boxIn, isInBox } from './boxes.ts';
import type { Land, Shoreline, Side } from './land.ts';
import { type Looked, landBeyond } from './land_beyond.ts';
import { LandIndex } from './land_index.ts';
import { coordsOf, endsOf } from './rows.ts';

/**
 * The sides of boundaries of one source which share no arcs with the lands that are drawn: by what lies beyond their
 * open arcs. Land of another country and lakes do not make a coast.
 * @param country whose land cannot say where the boundaries end because no other boundary of their level is stored in
 *   it: beside that land alone, their side is unknown; null where all land counts
 */
export async function sidesBeside(
  run: PlanRun,
  rows: readonly Land[],
  line: Shoreline,
  country: string | null,
  turns: Turns,
): Promise<Map<string, Side>> {
  const open = await openArcs(
    rows.map(({ arcs }) => arcs),
    turns,
  );
  const ends = await endsOf(run, [...open, ...line.drawn.flatMap(({ arcs }) => arcs)].map(Math.abs));
  const boxes = new Map(ends.map((one) => [one.id, boxIn(one)]));
  const enclosed = new Set(
    (await shoresOf(open, ends, turns)).flatMap(({ arcs, sort }) => (sort === 'inner' ? arcs : [])),
  );
  const index = await LandIndex.of(line.drawn, boxes, turns);
  const looked: Looked[] = [];
  for (const arc of open) {
    if (enclosed.has(arc)) continue;
    const box = boxes.get(Math.abs(arc));
    const near = box ? await index.near(box, line.drawn, turns) : [];
    looked.push({ arc, near: near.map(({ id }) => id) });
  }
  const sides = new Map<number, Side>();
  for (const { arc, place, inside } of await landBeyond(run, looked, (refs) => coordsOf(run, refs), turns)) {
    if (turns.spend(1 + Math.ceil(line.lakes.length / 4))) await turns.next();
    const before = sides.get(arc);
    if (before === 'coastal') continue;
    const isLake = () => line.lakes.some(({ ring, box }) => isInBox(place, box) && isInRing(place, ring));
    if (inside.size === 0 && !isLake()) sides.set(arc, 'coastal');
    else if (country !== null && inside.size === 1 && inside.has(country)) sides.set(arc, 'unknown');
  }
  return new Map(
    rows.map(({ id, arcs }) => {
      const found = arcs.map((arc) => sides.get(Math.abs(arc)));
      return [id, found.includes('coastal') ? 'coastal' : found.includes('unknown') ? 'unknown' : 'landlocked'];
    }),
  );
}

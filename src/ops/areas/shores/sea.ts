import type { Turns } from '../../../common/turns.ts';
import { isInRing, openArcs, shoresOf, type Vector, verticesOf } from '../../../domain/areas/coast.ts';
import type { PlanRun } from '../execution/plan_run.ts';
import { boxOf, isInBox } from './boxes.ts';
import type { Land, Shoreline } from './land.ts';
import { bordersOfSources } from './land_beyond.ts';
import type { ArcReader } from './rows.ts';

/** The arcs of lands (ids without signs) with the sea on one side, and those of which that is not known. */
export async function shoresOfLands(
  run: PlanRun,
  lands: readonly Land[],
  { ends, coords }: ArcReader,
  turns: Turns,
): Promise<Pick<Shoreline, 'sea' | 'doubtful' | 'lakes'>> {
  const open = await openArcs(
    lands.map(({ arcs }) => arcs),
    turns,
  );
  const shores = await shoresOf(open, ends, turns);
  const inner = shores.filter(({ sort }) => sort === 'inner');
  const coordinates = await coords(inner.flatMap(({ arcs }) => arcs));
  const lakes = inner.map(({ arcs }) =>
    arcs.flatMap((arc) => verticesOf(arc, coordinates.get(Math.abs(arc)) as Uint8Array)),
  );
  const known = lakes.map((ring) => ({ ring, box: boxOf(ring) }));
  const heads = new Map(ends.map((one) => [one.id, verticesOf(1, one.head)[0] as Vector]));
  const sea: number[] = [];
  const doubtful = new Set<number>();
  for (const { arcs, sort } of shores) {
    const [first = 0] = arcs;
    const head = heads.get(Math.abs(first));
    const around = head ? known.filter(({ box }) => isInBox(head, box)) : [];
    const vertices = around.reduce((sum, { ring }) => sum + ring.length, 0);
    if (turns.spend(1 + Math.ceil((known.length + vertices) / 4))) await turns.next();
    // The shore of an island in a lake is inside the ring of the lake's shore.
    if (sort === 'outer' && head && !around.some(({ ring }) => isInRing(head, ring))) sea.push(...arcs);
    else if (sort === 'broken') for (const arc of arcs) doubtful.add(Math.abs(arc));
  }
  const borders = await bordersOfSources(run, lands, sea, { ends, coords }, turns);
  return {
    sea: new Set(sea.map(Math.abs).filter((arc) => !borders.has(arc))),
    doubtful,
    lakes: known,
  };
}

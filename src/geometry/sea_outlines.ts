/** Where the borders of boundaries are at sea, as outlines by which files mark their lines. */
import type { Outline } from '../../workers/arcs/sea_outlines.ts';
import type { Lines } from '../../workers/arcs/tagged_lines.ts';
import type { WaterPart } from '../../workers/packed_tile.ts';
import { defined } from '../common/elements.ts';
import type { Engine } from './engine.ts';
import type { BoundaryRef } from './engine_model.ts';
import { ringsOf } from './shape_leases.ts';

/** A boundary, and how much of it is water, or that part of it. */
export interface BesideSea {
  readonly boundary: BoundaryRef;
  readonly water: Exclude<WaterPart, 'part'> | BoundaryRef;
}

/** Boundaries that are read together. */
const AT_ONCE = 64;

/**
 * The outline of each boundary; null where nothing is known of it.
 * @param maritime borders that the map marks as ones at sea
 * @throws rate_limited when there is no room for the work; ArcsMoved when a boundary has another shape by now
 */
export async function seaOutlines(
  engine: Engine,
  all: readonly BesideSea[],
  maritime: Lines,
  signal: AbortSignal,
): Promise<(Outline | null)[]> {
  const outlines: (Outline | null)[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const some = all.slice(from, from + AT_ONCE);
    const isKnown = some.filter(({ water }) => water !== 'unknown' || maritime.end.length > 0);
    const waters = isKnown.flatMap(({ water }) => (typeof water === 'string' ? [] : [water]));
    const found =
      isKnown.length === 0
        ? []
        : await engine.shapes.withShapes(
            [...isKnown.map(({ boundary }) => boundary), ...waters],
            signal,
            (lease) =>
              engine.tasks.runPatiently(
                'seaOutlines',
                {
                  heap: lease.heap,
                  boundaries: ringsOf(lease).slice(0, isKnown.length),
                  water: isKnown.map(({ water }) => (typeof water === 'string' ? water : 'part')),
                  waters: ringsOf(lease).slice(isKnown.length),
                  maritime,
                },
                signal,
              ),
            from > 0,
          );
    const of = new Map(isKnown.map((one, i) => [one, defined(found[i])] as const));
    outlines.push(...some.map((one) => of.get(one) ?? null));
  }
  return outlines;
}

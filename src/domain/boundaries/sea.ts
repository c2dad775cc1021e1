/** What is known of where boundaries are at sea, by their ids: for files that have them. */
import { joinBoxes } from '../../../workers/arcs/box.ts';
import { type Lines, NO_LINES } from '../../../workers/arcs/tagged_lines.ts';
import { WATER } from '../../common/arrangements.ts';
import type { Land } from './land.ts';
import type { Snapshot } from './reads.ts';

/** A shape of a boundary, as the engine takes it. */
interface Ref {
  readonly id: string;
  readonly arrangement?: number;
  readonly ringHash: string;
  readonly adminLevel: null;
}

/** How much of a boundary is water: nothing is known, none, all of it, or the part. */
export type WaterIn = 'unknown' | 'none' | 'all' | Ref;

/** Boundaries with how much of each is water, and the lines around them that the map marks as borders at sea. */
export interface SeaAround {
  readonly boundaries: readonly { readonly boundary: Ref; readonly water: WaterIn }[];
  readonly maritime: Lines;
}

/** Reads it of boundaries of today with these shapes. */
export async function seaAround(
  reading: Pick<Snapshot, 'landOf' | 'maritimeLines'>,
  shapes: readonly {
    readonly id: string;
    readonly ringHash: string;
    readonly box: readonly [number, number, number, number];
  }[],
): Promise<SeaAround> {
  const land = await reading.landOf(shapes.map(({ id }) => id));
  const box = joinBoxes(shapes.map((one) => one.box));
  const lines = await reading.maritimeLines();
  return {
    maritime: box === null ? NO_LINES : lines.within(box),
    boundaries: shapes.map(({ id, ringHash }) => ({
      boundary: { id, ringHash, adminLevel: null },
      water: waterOf(land, id),
    })),
  };
}

/** How much of a boundary is water. */
export function waterOf(land: ReadonlyMap<string, Pick<Land, 'water'>>, id: string): WaterIn {
  const water = land.get(id)?.water ?? 'unknown';
  return typeof water === 'string' ? water : { id, arrangement: WATER, ringHash: water.waterHash, adminLevel: null };
}

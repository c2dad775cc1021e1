import { arcArea } from '../../../workers/arcs/area.ts';
import { polygonsFromWkb } from '../../../workers/wkb.ts';
import { defined } from '../../common/elements.ts';
import type { Turns } from '../../common/turns.ts';
import { type ArcEnds, openRuns, type Vector } from './coast.ts';

/** A part of an arc or of a kept ring, as an arc with an id that no stored arc has. */
export interface Piece extends ArcEnds {
  readonly vertices: readonly Vector[];
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Open arcs and kept rings, cut where they begin and end to run along each other. */
export interface Cut {
  /** By arc (its id without a sign) that is partly or wholly beside a kept ring: its pieces that are not. */
  readonly ofArcs: ReadonlyMap<number, readonly Piece[]>;
  /** By land: the pieces of its kept rings with no land on the other side. */
  readonly ofLands: ReadonlyMap<string, readonly Piece[]>;
}

/** Rings with the land on their left; they end with their first vertex. */
export type KeptRings = readonly (readonly Vector[])[];

/** The rings of a polygon in degrees, as PostGIS keeps it (well-known binary). */
export function ringsOfWkb(wkb: Uint8Array): KeptRings {
  const { coords, ringEnd } = polygonsFromWkb(wkb, 1e7);
  return Array.from(ringEnd, (end, i) => {
    const from = ringEnd[i - 1] ?? 0;
    return Array.from(
      { length: end - from },
      (_, v): Vector => [defined(coords[2 * (from + v)]), defined(coords[2 * (from + v) + 1])],
    );
  });
}

/** Vertices whose part of an area is added up between two turns. */
const AREA_AT_ONCE = 500;

/**
 * Cuts open arcs and the kept rings of lands along each other, which have the same vertices where they are one border.
 * @param arcs by signed arc with land on its left: its vertices in that direction
 * @param kept by land: closed rings with land on their left
 */
export async function cutAlong(
  arcs: ReadonlyMap<number, readonly Vector[]>,
  kept: ReadonlyMap<string, KeptRings>,
  turns: Turns,
): Promise<Cut> {
  const refs = [...arcs.keys()];
  const lands = [...kept].flatMap(([land, rings]) => rings.map(() => land));
  const runs = await openRuns([...arcs.values(), ...[...kept.values()].flat()], turns);
  const ofArcs = new Map(refs.map((ref): [number, Piece[]] => [Math.abs(ref), []]));
  const ofLands = new Map([...kept.keys()].map((land): [string, Piece[]] => [land, []]));
  let id = Number.MAX_SAFE_INTEGER;
  for (const { chain, vertices } of runs) {
    const ref = refs[chain];
    if (ref === undefined) {
      defined(ofLands.get(defined(lands[chain - refs.length]))).push(await pieceOf(id--, vertices, turns));
    } else if (vertices.length === arcs.get(ref)?.length) ofArcs.delete(Math.abs(ref));
    else defined(ofArcs.get(Math.abs(ref))).push(await pieceOf(id--, vertices, turns));
  }
  return { ofArcs, ofLands };
}

async function pieceOf(id: number, vertices: readonly Vector[], turns: Turns): Promise<Piece> {
  const coords = Int32Array.from(vertices.flat());
  const sum = { area: 0, turn: 0 };
  for (let from = 0; from < vertices.length - 1; from += AREA_AT_ONCE) {
    const { area, turn } = arcArea(coords, from, Math.min(AREA_AT_ONCE + 1, vertices.length - from));
    sum.area += area;
    sum.turn += turn;
    if (turns.spend(AREA_AT_ONCE)) await turns.next();
  }
  const bytes = new Uint8Array(coords.buffer);
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const [x, y] of vertices) {
    box.west = Math.min(box.west, x);
    box.south = Math.min(box.south, y);
    box.east = Math.max(box.east, x);
    box.north = Math.max(box.north, y);
  }
  return { id, ...sum, ...box, head: bytes.subarray(0, 16), tail: bytes.subarray(-16), vertices };
}

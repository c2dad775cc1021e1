import type { Turns } from '../../../common/turns.ts';
import { type Box, isNear, unionOf } from './boxes.ts';
import type { Land } from './land.ts';

/** Boxes that one node of a tree has. */
const NODE = 8;

/**
 * Boxes in a tree whose nodes have NODE successive ones: arcs that follow each other along a border lie together, so
 * they are not sorted.
 */
class BoxTree {
  /** The boxes themselves, then the boxes of NODE of them each, up to a single one. */
  private readonly floors: readonly (readonly Box[])[];

  constructor(boxes: readonly Box[]) {
    const floors = [boxes];
    for (let floor = boxes; floor.length > 1; ) {
      const next: Box[] = [];
      for (let from = 0; from < floor.length; from += NODE) next.push(unionOf(floor.slice(from, from + NODE)));
      floors.push(next);
      floor = next;
    }
    this.floors = floors;
  }

  /** Whether one of the boxes is near another box. */
  isNear(box: Box): boolean {
    return this.search(box, this.floors.length - 1, 0, 1);
  }

  private search(box: Box, floor: number, from: number, end: number): boolean {
    const boxes = this.floors[floor] ?? [];
    for (let i = from; i < Math.min(end, boxes.length); i++) {
      if (!isNear(box, boxes[i])) continue;
      if (floor === 0 || this.search(box, floor - 1, NODE * i, NODE * (i + 1))) return true;
    }
    return false;
  }
}

/** Lands by the boxes of their arcs: finds those near a box without comparing it with each arc. */
export class LandIndex {
  private readonly trees = new Map<Land, BoxTree>();

  /** @param boxes of arcs, by id without a sign; arcs without one are near nothing */
  static async of(lands: readonly Land[], boxes: ReadonlyMap<number, Box>, turns: Turns): Promise<LandIndex> {
    const index = new LandIndex();
    for (const land of lands) {
      const own = land.arcs.map((arc) => boxes.get(Math.abs(arc)));
      index.trees.set(land, new BoxTree(own.filter((box) => box !== undefined)));
      if (turns.spend(land.arcs.length)) await turns.next();
    }
    return index;
  }

  /** Those of `lands` of which an arc is near a box, in their order. */
  async near(box: Box, lands: readonly Land[], turns: Turns): Promise<Land[]> {
    if (turns.spend(1 + Math.ceil(lands.length / NODE))) await turns.next();
    return lands.filter((land) => this.trees.get(land)?.isNear(box));
  }
}

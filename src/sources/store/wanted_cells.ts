/** The cells and boxes of the map whose arcs an edit needs. */
import Flatbush from 'flatbush';
import type { CellClasses } from '../../../workers/arcs/key_set.ts';
import { parentCell, sizeBit } from '../../../workers/arcs/surroundings.ts';
import { defined } from '../../common/elements.ts';
import type { Extent } from './topology.ts';

/** A cell whose arcs are wanted, up to a class. */
export type WantedCell = readonly [cell: number, limit: number];

/** The cells that no other one contains for at least the same class: together they cover what all of them cover. */
export function outermost(cells: CellClasses): WantedCell[] {
  let sizes = 0;
  for (const [cell] of cells) sizes |= sizeBit(cell);
  const outer: WantedCell[] = [];
  for (const [cell, limit] of cells) {
    let above = parentCell(cell);
    while (above >= 0 && sizeBit(above) <= sizes && cells.of(above) < limit) above = parentCell(above);
    if (above < 0 || sizeBit(above) > sizes) outer.push([cell, limit]);
  }
  return outer;
}

/** Boxes (1e-7 degrees) in a search tree. */
export class Boxes {
  private readonly boxes: readonly Extent[];
  /** Null without boxes. */
  private readonly tree: Flatbush | null;

  constructor(boxes: readonly Extent[]) {
    this.boxes = boxes;
    this.tree = boxes.length === 0 ? null : new Flatbush(boxes.length);
    for (const box of boxes) this.tree?.add(...box);
    this.tree?.finish();
  }

  /** Whether one of the boxes holds the whole of a box. */
  hold(box: Extent): boolean {
    const around = this.tree?.search(...box, (i) => isWithin(box, defined(this.boxes[i]))) ?? [];
    return around.length > 0;
  }
}

const isWithin = (one: Extent, other: Extent) =>
  one[0] >= other[0] && one[1] >= other[1] && one[2] <= other[2] && one[3] <= other[3];

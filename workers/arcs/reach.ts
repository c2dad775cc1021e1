/**
 * The stored form of the cells that an arc's tiers depend on. The keys of the cells (surroundings.ts) are sorted, and
 * the differences between them are encoded as LEB128: base 128, lowest digits first, the top bit of a byte set when
 * more bytes follow.
 */
import { KeySet } from './key_set.ts';
import { CELLS, cellBox, parentCell, sizeBit } from './surroundings.ts';

/** The encoded keys of each arc, `bytes[end[i - 1]] … bytes[end[i] - 1]`, and the box of their cells. */
export interface DependencyCells {
  readonly end: Uint32Array;
  readonly bytes: Uint8Array;
  /** West, south, east, north per arc, in coordinate units; infinite and inverted for an arc without keys. */
  readonly box: Float64Array;
}

export type CellsBox = readonly [west: number, south: number, east: number, north: number];

/** The keys of one arc and the box of their cells. */
export interface ArcCells {
  readonly bytes: Uint8Array;
  readonly box: CellsBox;
}

/** Encodes a set of keys. Cells inside another cell of the same kind are dropped. */
export function encodeCells(keys: KeySet): ArcCells {
  const sorted = keys.sorted();
  let sizes = 0;
  for (const key of sorted) sizes |= sizeBit(key % CELLS);
  const bytes = new Uint8Array(6 * sorted.length);
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  let at = 0;
  let before = 0;
  for (const key of sorted) {
    if (isWithinAnother(key, sizes, keys)) continue;
    const [west, south, east, north] = cellBox(key % CELLS);
    box[0] = Math.min(box[0], west);
    box[1] = Math.min(box[1], south);
    box[2] = Math.max(box[2], east);
    box[3] = Math.max(box[3], north);
    let rest = key - before;
    before = key;
    while (rest >= 128) {
      bytes[at++] = 128 + (rest % 128);
      rest = Math.floor(rest / 128);
    }
    bytes[at++] = rest;
  }
  return { bytes: bytes.slice(0, at), box };
}

/** The encoded keys, ascending. */
export function decodeCells(bytes: Uint8Array): Float64Array {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] < 128) count++;
  const keys = new Float64Array(count);
  let key = 0;
  let scale = 1;
  for (let i = 0, n = 0; i < bytes.length; i++) {
    key += (bytes[i] & 127) * scale;
    if (bytes[i] >= 128) scale *= 128;
    else {
      keys[n++] = key;
      scale = 1;
    }
  }
  return keys;
}

/** The encoded keys of several arcs; an undefined set has no keys. */
export function encodeAllCells(sets: readonly (KeySet | undefined)[]): DependencyCells {
  const end = new Uint32Array(sets.length);
  const box = new Float64Array(4 * sets.length);
  const none = encodeCells(new KeySet());
  // Array.from, because `map` skips holes.
  const parts = Array.from(sets, (set, i) => {
    const reach = set === undefined ? none : encodeCells(set);
    end[i] = reach.bytes.length + (i === 0 ? 0 : end[i - 1]);
    box.set(reach.box, 4 * i);
    return reach.bytes;
  });
  const bytes = new Uint8Array(end.at(-1) ?? 0);
  parts.forEach((part, i) => {
    bytes.set(part, end[i] - part.length);
  });
  return { end, bytes, box };
}

/** The keys and the box of one arc. */
export function cellsAt({ end, bytes, box }: DependencyCells, i: number): ArcCells {
  const [west, south, east, north] = box.subarray(4 * i, 4 * i + 4);
  return { bytes: bytes.subarray(i === 0 ? 0 : end[i - 1], end[i]), box: [west, south, east, north] };
}

/** Whether a cell is in a larger one of its kind, given the sizes that there are (sizeBit). */
function isWithinAnother(key: number, sizes: number, keys: KeySet): boolean {
  const cell = key % CELLS;
  for (let at = parentCell(cell); at >= 0 && sizeBit(at) <= sizes; at = parentCell(at))
    if ((sizes & sizeBit(at)) !== 0 && keys.has(key - cell + at)) return true;
  return false;
}

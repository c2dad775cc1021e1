import { defined } from '../../defined.ts';
import type { Boxes } from '../writing/hilbert.ts';
import { encodeRecord } from './sqlite_record.ts';
import type { SqliteFile } from './sqlite_write.ts';

/** Cells per node and bytes per node, as in SQLite's own R-trees with pages of 4,096 bytes. */
const CELLS = 51;
const CELL_BYTES = 24;
const NODE_BYTES = 4 + CELLS * CELL_BYTES;

const SCALE = 1e7;

/** The root pages of the three tables behind a virtual rtree table. */
export interface RtreeRoots {
  readonly node: number;
  readonly rowid: number;
  readonly parent: number;
}

/** A level of the tree, from the leaves up. Node n has the entries first[n] … first[n + 1] - 1 of the level below. */
interface Level {
  readonly first: Uint32Array;
  /** Four numbers per node: west, south, east, north in 1e-7 degrees. */
  readonly boxes: Float64Array;
}

/**
 * Writes an R-tree as SQLite's rtree module stores it, packed along the Hilbert curve. The box of row i + 1 is that of
 * feature i, in degrees, as 32-bit floats rounded outward. Features without polygons are left out.
 */
export async function writeRtree(file: SqliteFile, boxes: Boxes): Promise<RtreeRoots> {
  const order = boxes.hilbertOrder().filter((feature) => !boxes.isEmpty(feature));
  const levels: Level[] = [pack(order.length, (entry, side) => boxes.get(defined(order[entry]), side))];
  for (let top = defined(levels[0]); top.first.length > 2; top = defined(levels.at(-1))) {
    const { boxes: below, first } = top;
    levels.push(pack(first.length - 1, (entry, side) => defined(below[4 * entry + side])));
  }
  levels.reverse();

  const node = file.table();
  const parents: number[] = [];
  const leafOf = new Uint32Array(boxes.count);
  let number = 1;
  for (const [depth, level] of levels.entries()) {
    const below = levels.at(depth + 1);
    const count = level.first.length - 1;
    /** The number of the first node of the level below. */
    const children = number + count;
    for (let n = 0; n < count; n++, number++) {
      const bytes = new Uint8Array(NODE_BYTES);
      const view = new DataView(bytes.buffer);
      if (number === 1) view.setUint16(0, levels.length - 1);
      view.setUint16(2, defined(level.first[n + 1]) - defined(level.first[n]));
      for (
        let entry = defined(level.first[n]), at = 4;
        entry < defined(level.first[n + 1]);
        entry++, at += CELL_BYTES
      ) {
        const side = (s: number) =>
          (below ? defined(below.boxes[4 * entry + s]) : boxes.get(defined(order[entry]), s)) / SCALE;
        const child = below ? children + entry : defined(order[entry]) + 1;
        view.setBigInt64(at, BigInt(child));
        view.setFloat32(at + 8, floatBelow(side(0)));
        view.setFloat32(at + 12, -floatBelow(-side(2)));
        view.setFloat32(at + 16, floatBelow(side(1)));
        view.setFloat32(at + 20, -floatBelow(-side(3)));
        if (below) parents[child] = number;
        else leafOf[defined(order[entry])] = number;
      }
      await node.insert(number, encodeRecord([null, bytes]));
    }
  }
  const nodeRoot = await node.finish();

  const rowid = file.table();
  for (const [feature, leaf] of leafOf.entries()) {
    if (leaf !== 0) await rowid.insert(feature + 1, encodeRecord([null, BigInt(leaf)]));
  }
  const rowidRoot = await rowid.finish();
  const parent = file.table();
  for (let child = 2; child < number; child++)
    await parent.insert(child, encodeRecord([null, BigInt(defined(parents[child]))]));
  return { node: nodeRoot, rowid: rowidRoot, parent: await parent.finish() };
}

/** Distributes entries evenly over the fewest nodes. Without entries, one empty node. */
function pack(entries: number, side: (entry: number, side: number) => number): Level {
  const count = Math.max(1, Math.ceil(entries / CELLS));
  const first = Uint32Array.from({ length: count + 1 }, (_, n) => Math.floor((n * entries) / count));
  const boxes = new Float64Array(4 * count);
  for (let n = 0; n < count; n++) {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let entry = defined(first[n]); entry < defined(first[n + 1]); entry++) {
      west = Math.min(west, side(entry, 0));
      south = Math.min(south, side(entry, 1));
      east = Math.max(east, side(entry, 2));
      north = Math.max(north, side(entry, 3));
    }
    boxes.set([west, south, east, north], 4 * n);
  }
  return { first, boxes };
}

const FLOAT = new Float32Array(1);
const BITS = new Int32Array(FLOAT.buffer);

/** The largest 32-bit float that is not above a number within the float range. */
function floatBelow(value: number): number {
  const nearest = Math.fround(value);
  if (nearest <= value) return nearest;
  if (nearest === 0) return -(2 ** -149);
  FLOAT[0] = nearest;
  BITS[0] = defined(BITS[0]) + (nearest > 0 ? -1 : 1);
  return defined(FLOAT[0]);
}

import Flatbush from 'flatbush';
import { defined, only } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';

/**
 * Packs boxes (west, south, east, north each, in 1e-7 degrees, one after another) into a tree for Flatbush.from().
 * Needs at least one box.
 */
export type PackBoxes = (boxes: Int32Array) => Promise<ArrayBufferLike>;

/** Bounding boxes of all boundaries with a shape, at one revision of the data. */
export interface Boxes {
  readonly revision: number;
  readonly boundaries: number;
  /** Memory use in bytes. */
  readonly bytes: number;
  /** Returns canonical ids of boundaries whose closed box contains the point (1e-7 degrees), in no guaranteed order. */
  at(x: number, y: number): string[];
  /**
   * Returns the numbers of the closed boxes that contain the point (1e-7 degrees), in no guaranteed order. A boundary
   * on both sides of the antimeridian has two boxes; a point that is not on that line is in one of them at most.
   */
  numbersAt(x: number, y: number): readonly number[];
  /** Returns the canonical id of the boundary that a box number belongs to. */
  idOf(box: number): string;
  /**
   * Returns the canonical ids of administrative boundaries whose box meets a box (degrees; west > east across the
   * antimeridian), in no guaranteed order. Their admin_level is at most `deepest`; 13 includes those without one.
   */
  meeting(box: readonly [west: number, south: number, east: number, north: number], deepest: number): string[];
}

interface Page {
  readonly revision: number;
  readonly last: string | null;
  readonly boxes: Uint8Array;
}

/** Boundaries per statement: a reply of 1 MB is processed without delaying other calls. */
const PAGE = 20_000;
const ROW_BYTES = 26;
const EAST_END = 1_800_000_000;

const NO_BOXES: Omit<Boxes, 'revision'> = {
  boundaries: 0,
  bytes: 0,
  at: () => [],
  numbersAt: () => [],
  idOf: () => {
    throw new RangeError('there are no boxes');
  },
  meeting: () => [],
};

/** Reads all boxes; null if the data changed meanwhile. */
export async function readBoxes(db: Queryable, pack: PackBoxes, revision: number): Promise<Boxes | null> {
  const pages: Uint8Array[] = [];
  let after: string | null = '';
  while (after !== null) {
    const page: Page = only(await db.query(loadQuery('boundary_boxes'), [after, PAGE]));
    if (Number(page.revision) !== revision) return null;
    if (page.boxes.length > 0) pages.push(page.boxes);
    after = page.boxes.length < PAGE * ROW_BYTES ? null : page.last;
  }
  const { numbers, levels, boxes } = unpack(pages);
  if (numbers.length === 0) return { revision, ...NO_BOXES };
  const tree = Flatbush.from(await pack(boxes));
  const idAt = (number: number): string => (number < 0 ? `w${-number}` : `r${number}`);
  // A boundary on both sides of the antimeridian has two boxes.
  const idsOf = (found: readonly number[]): string[] => [...new Set(found.map((i) => defined(numbers[i])))].map(idAt);
  return {
    revision,
    boundaries: pages.reduce((sum, page) => sum + page.length / ROW_BYTES, 0),
    bytes: tree.data.byteLength + numbers.byteLength + levels.byteLength,
    at: (x, y) => idsOf(tree.search(x, y, x, y)),
    numbersAt: (x, y) => tree.search(x, y, x, y),
    idOf: (box) => idAt(defined(numbers[box])),
    meeting(box, deepest) {
      const [west, south, east, north] = box.map((degrees) => degrees * 1e7) as [number, number, number, number];
      const isShown = (i: number): boolean => defined(levels[i]) <= deepest;
      if (west <= east) return idsOf(tree.search(west, south, east, north, isShown));
      return idsOf([
        ...tree.search(west, south, EAST_END, north, isShown),
        ...tree.search(-EAST_END, south, east, north, isShown),
      ]);
    },
  };
}

/** Decodes rows of boundary_boxes; a box that crosses the antimeridian (west > east) becomes two. */
function unpack(pages: readonly Uint8Array[]): { numbers: Float64Array; levels: Uint8Array; boxes: Int32Array } {
  let count = 0;
  eachRow(pages, (_, __, west, ___, east) => {
    count += west > east ? 2 : 1;
  });
  const numbers = new Float64Array(count);
  const levels = new Uint8Array(count);
  const boxes = new Int32Array(4 * count);
  let n = 0;
  const put = (number: number, level: number, ...box: number[]) => {
    numbers[n] = number;
    levels[n] = level;
    boxes.set(box, 4 * n++);
  };
  eachRow(pages, (number, level, west, south, east, north) => {
    if (west <= east) return put(number, level, west, south, east, north);
    put(number, level, west, south, EAST_END, north);
    put(number, level, -EAST_END, south, east, north);
  });
  return { numbers, levels, boxes };
}

type OnRow = (number: number, level: number, west: number, south: number, east: number, north: number) => void;

function eachRow(pages: readonly Uint8Array[], take: OnRow): void {
  for (const page of pages) {
    const view = new DataView(page.buffer, page.byteOffset, page.length);
    for (let at = 0; at < page.length; at += ROW_BYTES) {
      const side = (offset: number) => view.getInt32(at + offset);
      take(Number(view.getBigInt64(at)), view.getInt16(at + 24), side(8), side(12), side(16), side(20));
    }
  }
}

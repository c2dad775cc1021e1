import Flatbush from 'flatbush';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { defined, only } from '../../elements.ts';

/**
 * Packs boxes (west, south, east, north of each, one after the other, in 1e-7 degrees) into a tree that Flatbush.from()
 * reads. At least one box.
 */
export type PackBoxes = (boxes: Int32Array) => Promise<ArrayBufferLike>;

/** The boxes of all boundaries that have a shape, of one state of the data. */
export interface Boxes {
  readonly revision: number;
  readonly boundaries: number;
  /** What it holds in memory. */
  readonly bytes: number;
  /** Canonical ids of the boundaries whose box holds the point (1e-7 degrees; borders belong to it), in no order. */
  at(x: number, y: number): string[];
}

interface Page {
  readonly revision: number;
  readonly last: string | null;
  readonly boxes: Uint8Array;
}

/** Boundaries read in one statement: its reply of 1 MB is taken in without holding others up. */
const PAGE = 20_000;
const ROW_BYTES = 24;
const EAST_END = 1_800_000_000;

/** Reads all boxes; null when the data changed meanwhile. */
export async function readBoxes(db: Queryable, pack: PackBoxes, revision: number): Promise<Boxes | null> {
  const pages: Uint8Array[] = [];
  let after: string | null = '';
  while (after !== null) {
    const page: Page = only(await db.query<Page>(loadQuery('boundary_boxes'), [after, PAGE]));
    if (Number(page.revision) !== revision) return null;
    if (page.boxes.length > 0) pages.push(page.boxes);
    after = page.boxes.length < PAGE * ROW_BYTES ? null : page.last;
  }
  const { numbers, boxes } = unpack(pages);
  if (numbers.length === 0) return { revision, boundaries: 0, bytes: 0, at: () => [] };
  const tree = Flatbush.from(await pack(boxes));
  return {
    revision,
    boundaries: pages.reduce((sum, page) => sum + page.length / ROW_BYTES, 0),
    bytes: tree.data.byteLength + numbers.byteLength,
    at(x, y) {
      const found = tree.search(x, y, x, y).map((i) => defined(numbers[i]));
      // One on both sides of the antimeridian has two boxes.
      return [...new Set(found)].map((number) => (number < 0 ? `w${-number}` : `r${number}`));
    },
  };
}

/** Rows of boundary_boxes; one that crosses the antimeridian (west > east) becomes two boxes. */
function unpack(pages: readonly Uint8Array[]): { numbers: Float64Array; boxes: Int32Array } {
  let count = 0;
  eachRow(pages, (_, west, __, east) => {
    count += west > east ? 2 : 1;
  });
  const numbers = new Float64Array(count);
  const boxes = new Int32Array(4 * count);
  let n = 0;
  const put = (number: number, ...box: number[]) => {
    numbers[n] = number;
    boxes.set(box, 4 * n++);
  };
  eachRow(pages, (number, west, south, east, north) => {
    if (west <= east) return put(number, west, south, east, north);
    put(number, west, south, EAST_END, north);
    put(number, -EAST_END, south, east, north);
  });
  return { numbers, boxes };
}

type OnRow = (number: number, west: number, south: number, east: number, north: number) => void;

function eachRow(pages: readonly Uint8Array[], take: OnRow): void {
  for (const page of pages) {
    const view = new DataView(page.buffer, page.byteOffset, page.length);
    for (let at = 0; at < page.length; at += ROW_BYTES) {
      const side = (offset: number) => view.getInt32(at + offset);
      take(Number(view.getBigInt64(at)), side(8), side(12), side(16), side(20));
    }
  }
}

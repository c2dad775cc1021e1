/** The borders that the map itself marks as borders at sea. */
import type { Lines } from '../../../workers/arcs/tagged_lines.ts';
import { defined } from '../../common/elements.ts';

/** West, south, east, north in 1e-7 degrees; west > east across the antimeridian. */
type Box = readonly [number, number, number, number];

/** The most bytes of marked borders in memory: several times what the map has of the planet. */
export const MOST_MARITIME = 32e6;

/** All marked lines of a revision of the data. */
export interface MaritimeLines {
  /** Those whose box meets a box. */
  within(box: Box): Lines;
  /** Approximate bytes of memory. */
  readonly bytes: number;
}

/** Lines from the vertices of ways as they are stored: x, y as little-endian 32-bit integers. */
export function maritimeLines(ways: readonly Uint8Array[]): MaritimeLines {
  const lines = ways.map((bytes) => new Int32Array(Uint8Array.from(bytes).buffer));
  const boxes = lines.map(boxOf);
  return {
    bytes: lines.reduce((sum, { byteLength }) => sum + byteLength + 200, 0),
    within: (box) => joined(lines.filter((_, i) => meets(defined(boxes[i]), box))),
  };
}

function joined(lines: readonly Int32Array[]): Lines {
  const coords = new Int32Array(lines.reduce((sum, { length }) => sum + length, 0));
  const end = new Uint32Array(lines.length);
  let at = 0;
  lines.forEach((line, i) => {
    coords.set(line, at);
    at += line.length;
    end[i] = at / 2;
  });
  return { coords, end };
}

function boxOf(line: Int32Array): Box {
  const box: [number, number, number, number] = [2 ** 31, 2 ** 31, -(2 ** 31), -(2 ** 31)];
  for (let i = 0; i < line.length; i += 2) {
    const [x, y] = [defined(line[i]), defined(line[i + 1])];
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return box;
}

/** Whether the box of a line meets another, which may cross the antimeridian. */
function meets([west, south, east, north]: Box, [left, low, right, high]: Box): boolean {
  if (south > high || north < low) return false;
  return left > right ? east >= left || west <= right : east >= left && west <= right;
}

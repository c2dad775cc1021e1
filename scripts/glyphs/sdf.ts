/** Signed distance fields of glyph outlines, for map labels (Green, "Improved Alpha-Tested Magnification", 2007). */

/** A command of an outline, in pixels; y points down. */
export type Command =
  | { readonly type: 'M'; readonly x: number; readonly y: number }
  | { readonly type: 'L'; readonly x: number; readonly y: number }
  | { readonly type: 'Q'; readonly x1: number; readonly y1: number; readonly x: number; readonly y: number }
  | {
      readonly type: 'C';
      readonly x1: number;
      readonly y1: number;
      readonly x2: number;
      readonly y2: number;
      readonly x: number;
      readonly y: number;
    }
  | { readonly type: 'Z' };

/** Pixels of the field around the outline. */
export const BUFFER = 3;
/** Distance in pixels at which values saturate. */
const RADIUS = 8;
/** Share of the value range inside the outline. */
const CUTOFF = 0.25;
/** Line segments per curve. */
const STEPS = 8;

/** A field: one byte per pixel, 191 on the outline, larger inside. */
export interface Field {
  readonly bitmap: Uint8Array;
  /** Size in pixels without the buffer. */
  readonly width: number;
  readonly height: number;
  /** Column and row of the upper left pixel without the buffer, relative to the origin of the outline. */
  readonly left: number;
  readonly top: number;
}

/** The field of an outline; null if it has no area. */
export function distanceField(commands: readonly Command[]): Field | null {
  const edges = edgesOf(commands);
  if (edges.length === 0) return null;
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < edges.length; i += 2) {
    west = Math.min(west, edges[i]);
    east = Math.max(east, edges[i]);
    north = Math.min(north, edges[i + 1]);
    south = Math.max(south, edges[i + 1]);
  }
  const left = Math.floor(west);
  const top = Math.floor(north);
  const width = Math.ceil(east) - left;
  const height = Math.ceil(south) - top;
  const columns = width + 2 * BUFFER;
  const rows = height + 2 * BUFFER;
  const bitmap = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const distance = signedDistance(edges, left - BUFFER + column + 0.5, top - BUFFER + row + 0.5);
      const value = 255 - (distance * (256 / RADIUS) + CUTOFF * 256);
      bitmap[row * columns + column] = Math.max(0, Math.min(255, Math.round(value)));
    }
  }
  return { bitmap, width, height, left, top };
}

/** Distance in pixels to the nearest edge, negative inside (nonzero winding number). */
function signedDistance(edges: readonly number[], x: number, y: number): number {
  let nearest = Infinity;
  let winding = 0;
  for (let i = 0; i < edges.length; i += 4) {
    const [ax, ay, bx, by] = [edges[i], edges[i + 1], edges[i + 2], edges[i + 3]];
    const [dx, dy] = [bx - ax, by - ay];
    const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
    const [ox, oy] = [ax + along * dx - x, ay + along * dy - y];
    nearest = Math.min(nearest, ox * ox + oy * oy);
    const side = dx * (y - ay) - dy * (x - ax);
    if (ay <= y && by > y && side > 0) winding++;
    else if (ay > y && by <= y && side < 0) winding--;
  }
  return winding === 0 ? Math.sqrt(nearest) : -Math.sqrt(nearest);
}

/** Straight edges as x, y of start and end, without edges of zero length. */
function edgesOf(commands: readonly Command[]): number[] {
  const edges: number[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const to = (nextX: number, nextY: number): void => {
    if (nextX !== x || nextY !== y) edges.push(x, y, nextX, nextY);
    [x, y] = [nextX, nextY];
  };
  for (const command of commands) {
    if (command.type === 'M') {
      [x, y] = [command.x, command.y];
      [startX, startY] = [x, y];
    } else if (command.type === 'L') to(command.x, command.y);
    else if (command.type === 'Z') to(startX, startY);
    else {
      const [fromX, fromY] = [x, y];
      for (let step = 1; step <= STEPS; step++) {
        const t = step / STEPS;
        const u = 1 - t;
        if (command.type === 'Q') {
          const of = (a: number, b: number, c: number) => u * u * a + 2 * u * t * b + t * t * c;
          to(of(fromX, command.x1, command.x), of(fromY, command.y1, command.y));
        } else {
          const of = (a: number, b: number, c: number, d: number) =>
            u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
          to(of(fromX, command.x1, command.x2, command.x), of(fromY, command.y1, command.y2, command.y));
        }
      }
    }
  }
  return edges;
}

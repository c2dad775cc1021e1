/**
 * Clips rings and edges to a box of integers. Where an edge meets a side of the box depends only on the edge, not on
 * its direction, so features that share an edge also share the point at which it is cut.
 */

/** A growing array of points, as x, y pairs. */
export class Points {
  data = new Int32Array(8192);
  /** The number of points. */
  count = 0;

  /** Appends a point. */
  push(x: number, y: number): void {
    const at = 2 * this.count;
    if (at + 2 > this.data.length) {
      const grown = new Int32Array(2 * this.data.length);
      grown.set(this.data);
      this.data = grown;
    }
    this.data[at] = x;
    this.data[at + 1] = y;
    this.count++;
  }
}

/**
 * The other coordinate of the point where an edge meets the line `at`; `a` and `b` are its ends along the axis of `at`.
 */
function meet(a: number, aBeside: number, b: number, bBeside: number, at: number): number {
  const swap = a > b;
  const [low, lowBeside] = swap ? [b, bBeside] : [a, aBeside];
  const [high, highBeside] = swap ? [a, aBeside] : [b, bBeside];
  return Math.floor(lowBeside + ((highBeside - lowBeside) * (at - low)) / (high - low) + 0.5);
}

/** Clips to one side, after Sutherland and Hodgman ("Reentrant Polygon Clipping", 1974); axis 0 is x, 1 is y. */
function clipSide(from: Points, into: Points, axis: 0 | 1, at: number, keepBelow: boolean): void {
  into.count = 0;
  const { data, count } = from;
  if (count === 0) return;
  const beside = 1 - axis;
  let a = data[2 * count - 2 + axis];
  let aBeside = data[2 * count - 2 + beside];
  let aInside = keepBelow ? a <= at : a >= at;
  for (let i = 0; i < count; i++) {
    const b = data[2 * i + axis];
    const bBeside = data[2 * i + beside];
    const bInside = keepBelow ? b <= at : b >= at;
    if (aInside !== bInside) {
      const cut = meet(a, aBeside, b, bBeside, at);
      if (axis === 0) into.push(at, cut);
      else into.push(cut, at);
    }
    if (bInside) into.push(data[2 * i], data[2 * i + 1]);
    a = b;
    aBeside = bBeside;
    aInside = bInside;
  }
}

const scratch = [new Points(), new Points()] as const;

/**
 * The part of a ring (its first point not repeated) in the square low … high. Parts connected only outside the square
 * are joined along its sides. The result is valid until the next call.
 */
export function clipRing(ring: Points, low: number, high: number): Points {
  const [one, two] = scratch;
  clipSide(ring, one, 0, low, false);
  clipSide(one, two, 0, high, true);
  clipSide(two, one, 1, low, false);
  clipSide(one, two, 1, high, true);
  return two;
}

/**
 * Writes the part of an edge in the square low … high to `out`, as x, y of its start and end; false when there is none.
 */
export function clipEdge(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  low: number,
  high: number,
  out: Int32Array,
): boolean {
  out[0] = ax;
  out[1] = ay;
  out[2] = bx;
  out[3] = by;
  for (let axis = 0; axis < 2; axis++) {
    const beside = 1 - axis;
    for (const at of [low, high]) {
      const keepBelow = at === high;
      const a = out[axis];
      const b = out[2 + axis];
      const aInside = keepBelow ? a <= at : a >= at;
      const bInside = keepBelow ? b <= at : b >= at;
      if (aInside && bInside) continue;
      if (!aInside && !bInside) return false;
      const cut = meet(a, out[beside], b, out[2 + beside], at);
      const moved = aInside ? 2 : 0;
      out[moved + axis] = at;
      out[moved + beside] = cut;
    }
  }
  return true;
}

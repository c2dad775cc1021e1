/**
 * Clips rings to a box. Where an edge meets a side of the box depends only on the edge, not on its direction, so rings
 * that share an edge also share the point at which it is cut.
 */

/** A growing array of points, as x, y pairs, each with the flag of the edge that leaves it. */
export class Points {
  data = new Float64Array(8192);
  flags = new Uint8Array(4096);
  /** The number of points. */
  count = 0;

  /** Appends a point. */
  push(x: number, y: number, flag: number): void {
    const at = 2 * this.count;
    if (at + 2 > this.data.length) {
      const grown = new Float64Array(2 * this.data.length);
      grown.set(this.data);
      this.data = grown;
      const flags = new Uint8Array(2 * this.flags.length);
      flags.set(this.flags);
      this.flags = flags;
    }
    this.data[at] = x;
    this.data[at + 1] = y;
    this.flags[this.count++] = flag;
  }
}

/**
 * The other coordinate of the point where an edge meets the line `at`; `a` and `b` are its ends along the axis of `at`.
 */
function meet(a: number, aBeside: number, b: number, bBeside: number, at: number): number {
  const swap = a > b;
  const [low, lowBeside] = swap ? [b, bBeside] : [a, aBeside];
  const [high, highBeside] = swap ? [a, aBeside] : [b, bBeside];
  return lowBeside + ((highBeside - lowBeside) * (at - low)) / (high - low);
}

/** Clips to one side, after Sutherland and Hodgman ("Reentrant Polygon Clipping", 1974); axis 0 is x, 1 is y. */
function clipSide(from: Points, into: Points, axis: 0 | 1, at: number, keepBelow: boolean): void {
  into.count = 0;
  const { data, flags, count } = from;
  if (count === 0) return;
  const beside = 1 - axis;
  let i = count - 1;
  let a = data[2 * i + axis];
  let aBeside = data[2 * i + beside];
  let aInside = keepBelow ? a <= at : a >= at;
  for (let j = 0; j < count; i = j++) {
    const b = data[2 * j + axis];
    const bBeside = data[2 * j + beside];
    const bInside = keepBelow ? b <= at : b >= at;
    if (aInside) into.push(data[2 * i], data[2 * i + 1], flags[i]);
    if (aInside !== bInside) {
      const cut = meet(a, aBeside, b, bBeside, at);
      // After the edge leaves, the ring runs along the side.
      const flag = aInside ? 0 : flags[i];
      if (axis === 0) into.push(at, cut, flag);
      else into.push(cut, at, flag);
    }
    a = b;
    aBeside = bBeside;
    aInside = bInside;
  }
}

const scratch = [new Points(), new Points()] as const;

/**
 * The part of a ring (its first point not repeated) in the square low … high. Parts connected only outside the square
 * are joined along its sides, by edges with the flag 0. The result is valid until the next call.
 */
export function clipRing(ring: Points, low: number, high: number): Points {
  const [one, two] = scratch;
  clipSide(ring, one, 0, low, false);
  clipSide(one, two, 0, high, true);
  clipSide(two, one, 1, low, false);
  clipSide(one, two, 1, high, true);
  return two;
}

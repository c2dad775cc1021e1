import type { Polygons } from '../../contract.ts';

/** Order of the curve: 2^16 cells along each axis. */
const ORDER = 16;
const CELLS = 2 ** ORDER - 1;

/**
 * The boxes of features in a plane, four numbers each: west, south, east, north in 1e-7 degrees, west <= east. A
 * feature without polygons has [Infinity, Infinity, -Infinity, -Infinity], which intersects nothing and extends
 * nothing.
 */
export class Boxes {
  readonly #values: number[] = [];

  get count(): number {
    return this.#values.length / 4;
  }

  /** Adds the box of the vertices. That of an area across the antimeridian spans everything between its parts. */
  add(polygons: Polygons | null): void {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    if (polygons !== null) {
      const { coords } = polygons;
      for (let i = 0; i < coords.length; i += 2) {
        const x = coords[i];
        const y = coords[i + 1];
        if (x < west) west = x;
        if (x > east) east = x;
        if (y < south) south = y;
        if (y > north) north = y;
      }
    }
    this.#values.push(west, south, east, north);
  }

  /** West, south, east or north (0 … 3) of a feature, in 1e-7 degrees. */
  get(feature: number, side: number): number {
    return this.#values[4 * feature + side];
  }

  /** Whether the feature has no polygons. */
  isEmpty(feature: number): boolean {
    return this.#values[4 * feature] === Infinity;
  }

  /** The box of all features, or null when none has polygons. */
  extent(): [west: number, south: number, east: number, north: number] | null {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    const values = this.#values;
    for (let i = 0; i < values.length; i += 4) {
      west = Math.min(west, values[i]);
      south = Math.min(south, values[i + 1]);
      east = Math.max(east, values[i + 2]);
      north = Math.max(north, values[i + 3]);
    }
    return west === Infinity ? null : [west, south, east, north];
  }

  /** The features ordered by the Hilbert values of their centers within the extent; those without polygons last. */
  hilbertOrder(): Uint32Array {
    const order = Uint32Array.from({ length: this.count }, (_, i) => i);
    const extent = this.extent();
    if (extent === null) return order;
    const [west, south, east, north] = extent;
    const values = this.#values;
    const keys = new Float64Array(this.count);
    for (let i = 0; i < keys.length; i++) {
      const at = 4 * i;
      const x = Math.floor((CELLS * ((values[at] + values[at + 2]) / 2 - west)) / (east - west || 1));
      const y = Math.floor((CELLS * ((values[at + 1] + values[at + 3]) / 2 - south)) / (north - south || 1));
      keys[i] = this.isEmpty(i) ? Infinity : hilbert(x, y);
    }
    return order.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
  }
}

/** The distance of a cell along the Hilbert curve of order 16; column and row are 0 … 65,535. */
export function hilbert(column: number, row: number): number {
  let x = column;
  let y = row;
  let distance = 0;
  for (let side = 2 ** (ORDER - 1); side >= 1; side /= 2) {
    const right = (x & side) !== 0;
    const upper = (y & side) !== 0;
    distance += side * side * (right ? (upper ? 2 : 3) : upper ? 1 : 0);
    if (upper) continue;
    // The lower quarters are rotated: the curve enters and leaves them along the other axis.
    if (right) {
      x = CELLS - x;
      y = CELLS - y;
    }
    [x, y] = [y, x];
  }
  return distance;
}

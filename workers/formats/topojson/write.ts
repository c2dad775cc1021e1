/** TopoJSON of polygons: shared borders are found by the vertices that rings have in common. */

import { type Limits, throwIfCanceled } from '../../cancel.ts';
import type { Polygons } from '../../contract.ts';
import { defined } from '../../defined.ts';
import { ByteWriter } from '../bytes.ts';
import { type About, type Feature, properties } from '../types.ts';
import { TOPOLOGY_TAIL, topologyGeometry, topologyHead, topologyObject } from './frame.ts';

const DIGITS = 7;
const START_BYTES = 1 << 20;

/** Numbers distinct vertices. */
class Vertices {
  private readonly columns = new Map<number, Map<number, number>>();
  readonly coords: number[] = [];
  /** Per vertex, its two neighbors in the first ring that has it; -1 before that. */
  private readonly sides: number[] = [];
  private readonly junction: boolean[] = [];

  numberOf(x: number, y: number): number {
    let column = this.columns.get(x);
    if (column === undefined) {
      column = new Map();
      this.columns.set(x, column);
    }
    const known = column.get(y);
    if (known !== undefined) return known;
    const number = this.junction.push(false) - 1;
    this.coords.push(x, y);
    this.sides.push(-1, -1);
    column.set(y, number);
    return number;
  }

  /** Records that a ring passes a vertex between two others. Where two rings pass differently, arcs end. */
  pass(vertex: number, before: number, after: number): void {
    const [low, high] = before < after ? [before, after] : [after, before];
    if (defined(this.sides[2 * vertex]) < 0) {
      this.sides[2 * vertex] = low;
      this.sides[2 * vertex + 1] = high;
    } else if (this.sides[2 * vertex] !== low || this.sides[2 * vertex + 1] !== high) this.junction[vertex] = true;
  }

  isJunction(vertex: number): boolean {
    return defined(this.junction[vertex]);
  }
}

/**
 * Areas as TopoJSON, each border once.
 * @throws TooLarge beyond `limits.maxBytes`
 * @throws DOMException named AbortError when canceled
 */
export function writeTopology(features: readonly Feature[], about: About, limits: Limits): Uint8Array {
  const vertices = new Vertices();
  const rings = features.map(({ polygons }) => (polygons ? ringsOf(polygons, vertices) : []));
  for (const ring of rings.flat(2)) {
    ring.forEach((vertex, i) => {
      vertices.pass(vertex, defined(ring[(i + ring.length - 1) % ring.length]), defined(ring[(i + 1) % ring.length]));
    });
  }
  const arcs = new Arcs(vertices);
  const geometries = rings.map((polygons) => polygons.map((polygon) => polygon.map((ring) => arcs.of(ring))));
  const out = new ByteWriter(START_BYTES, limits);
  out.utf8(topologyHead(about.box));
  arcs.list.forEach((arc, i) => {
    if (limits.isCanceled) throwIfCanceled(limits.isCanceled);
    out.ascii(i === 0 ? '[' : ',\n[');
    arc.forEach((vertex, v) => {
      out.ascii(v === 0 ? '[' : ',[');
      out.degrees(defined(vertices.coords[2 * vertex]), DIGITS);
      out.ascii(',');
      out.degrees(defined(vertices.coords[2 * vertex + 1]), DIGITS);
      out.ascii(']');
    });
    out.ascii(']');
  });
  out.utf8(topologyObject(about));
  features.forEach((feature, i) => {
    const values = properties(feature, about.columns);
    const id = values.id ?? null;
    const object = { ...topologyGeometry(defined(geometries[i])), ...(id === null ? {} : { id }), properties: values };
    out.utf8(`${i === 0 ? '' : ',\n'}${JSON.stringify(object)}`);
  });
  out.utf8(TOPOLOGY_TAIL);
  return out.finish();
}

/** Rings by polygon, as vertex numbers, without the repeated last vertex. */
function ringsOf({ coords, ringEnd, polygonEnd }: Polygons, vertices: Vertices): number[][][] {
  let [ring, v] = [0, 0];
  return Array.from(polygonEnd, (to) => {
    const own: number[][] = [];
    for (; ring < to; ring++) {
      const numbers: number[] = [];
      for (; v < defined(ringEnd[ring]) - 1; v++)
        numbers.push(vertices.numberOf(defined(coords[2 * v]), defined(coords[2 * v + 1])));
      v++;
      own.push(numbers);
    }
    return own;
  });
}

/** Arcs by their vertices; each is stored once for both directions. */
class Arcs {
  readonly list: number[][] = [];
  private readonly numbers = new Map<string, number>();
  private readonly vertices: Vertices;

  constructor(vertices: Vertices) {
    this.vertices = vertices;
  }

  /** A ring as arcs: `i`, or `~i` for one walked backward. */
  of(ring: readonly number[]): number[] {
    const first = ring.findIndex((vertex) => this.vertices.isJunction(vertex));
    // A ring without a junction starts at its vertex with the lowest number.
    const start = first < 0 ? ring.indexOf(ring.reduce((least, vertex) => Math.min(least, vertex))) : first;
    const refs: number[] = [];
    let arc = [defined(ring[start])];
    for (let i = 1; i <= ring.length; i++) {
      const vertex = defined(ring[(start + i) % ring.length]);
      arc.push(vertex);
      if (i < ring.length && !this.vertices.isJunction(vertex)) continue;
      refs.push(this.numberOf(arc));
      arc = [vertex];
    }
    return refs;
  }

  private numberOf(arc: number[]): number {
    const known = this.numbers.get(keyOf(arc));
    if (known !== undefined) return known;
    const backward = this.numbers.get(keyOf(arc.toReversed()));
    if (backward !== undefined) return ~backward;
    const number = this.list.push(arc) - 1;
    this.numbers.set(keyOf(arc), number);
    return number;
  }
}

/** Includes all vertices: arcs with the same first, second and last vertex may differ where a border touches itself. */
const keyOf = (arc: readonly number[]): string => arc.join();

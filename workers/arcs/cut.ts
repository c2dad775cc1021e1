import { hash } from 'node:crypto';
import { endianness } from 'node:os';
import type { Coords } from '../contract.ts';
import { hashPair, tableSize } from './nodes.ts';

/** Bytes of an arc's hash. */
const HASH_BYTES = 16;

/** The result of cutting chains into arcs. */
export interface CutChains {
  /** The distinct arcs, each in its canonical direction. */
  readonly arcs: Coords[];
  /** HASH_BYTES per arc, which identify the arc. */
  readonly hashes: Uint8Array;
  /** Per chain, its signed arcs in walking order (`i` forward, `~i` backward); empty for a chain without extent. */
  readonly refs: Int32Array[];
}

/**
 * Cuts chains of vertices into arcs: the pieces between two cut points. Equal pieces become one arc.
 *
 * A chain is an OSM way, a ring of a coverage file or a stored arc: an open polyline, or a closed one that repeats its
 * first vertex at its end. Consecutive equal vertices count once; a chain with fewer than two distinct vertices gives
 * no refs. A vertex is a cut point when it does not have exactly two distinct neighbors over all chains, when an open
 * chain ends there, or when one chain visits it twice or turns back there. The start of a closed chain is not a cut
 * point, except for chains with index `fixed` or higher: those are arcs that may continue in chains not given, so they
 * keep their ends.
 *
 * The canonical direction of an arc is the lexicographically smaller of its vertex sequence and the reverse; a closed
 * arc without a cut point starts at its smallest vertex (by x, then y). The hash is the first 128 bits of SHA-256 over
 * the vertices in that order as little-endian 32-bit integers, so it depends on the arc alone.
 */
export function cutChains(chains: readonly Coords[], fixed = chains.length): CutChains {
  const graph = readChains(chains);
  markCuts(graph, fixed);
  const pieces = new Pieces(graph);
  const refs = chains.map((_, c) => pieces.walk(c));
  return { arcs: pieces.arcs, hashes: hashArcs(pieces.arcs), refs };
}

/** Chains as sequences of numbered vertices. */
interface Graph {
  /** Coordinates per vertex, in 1e-7 degrees. */
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly vertices: number;
  /**
   * Chain c visits the vertices `visits[start[c]] … visits[start[c + 1] - 1]`; a closed chain ends at its first vertex.
   */
  readonly visits: Int32Array;
  readonly start: Int32Array;
  readonly cut: Uint8Array;
}

function readChains(chains: readonly Coords[]): Graph {
  let total = 0;
  for (const chain of chains) total += chain.length >> 1;
  const mask = tableSize(total) - 1;
  const slots = new Int32Array(mask + 1);
  const x = new Int32Array(total);
  const y = new Int32Array(total);
  const visits = new Int32Array(total);
  const start = new Int32Array(chains.length + 1);
  let vertices = 0;
  let written = 0;
  for (let c = 0; c < chains.length; c++) {
    const chain = chains[c];
    let previous = -1;
    for (let i = 0; i + 1 < chain.length; i += 2) {
      const vx = chain[i];
      const vy = chain[i + 1];
      let slot = hashPair(vx, vy) & mask;
      let v = slots[slot] - 1;
      while (v >= 0 && (x[v] !== vx || y[v] !== vy)) {
        slot = (slot + 1) & mask;
        v = slots[slot] - 1;
      }
      if (v < 0) {
        v = vertices++;
        slots[slot] = vertices;
        x[v] = vx;
        y[v] = vy;
      }
      if (v !== previous) visits[written++] = v;
      previous = v;
    }
    if (written - start[c] < 2) written = start[c];
    start[c + 1] = written;
  }
  return { x, y, vertices, visits, start, cut: new Uint8Array(vertices) };
}

function markCuts(graph: Graph, fixed: number): void {
  const { visits, start, cut, vertices } = graph;
  /** The first two distinct neighbors of a vertex, plus 1. */
  const one = new Int32Array(vertices);
  const two = new Int32Array(vertices);
  const seen = new Int32Array(vertices);
  const meet = (v: number, neighbor: number) => {
    if (one[v] === 0 || one[v] === neighbor + 1) one[v] = neighbor + 1;
    else if (two[v] === 0) two[v] = neighbor + 1;
    else if (two[v] !== neighbor + 1) cut[v] = 1;
  };
  for (let c = 0; c + 1 < start.length; c++) {
    const from = start[c];
    const last = start[c + 1] - 1;
    if (last <= from) continue;
    const closed = visits[from] === visits[last];
    for (let i = from; i < last; i++) {
      meet(visits[i], visits[i + 1]);
      meet(visits[i + 1], visits[i]);
      if (seen[visits[i]] === c + 1) cut[visits[i]] = 1;
      seen[visits[i]] = c + 1;
      // The chain turns back on itself here, and another chain may continue.
      if (i > from && visits[i - 1] === visits[i + 1]) cut[visits[i]] = 1;
    }
    if (closed && c < fixed) {
      if (visits[last - 1] === visits[from + 1]) cut[visits[from]] = 1;
      continue;
    }
    cut[visits[from]] = 1;
    cut[visits[last]] = 1;
  }
  for (let v = 0; v < vertices; v++) if (two[v] === 0) cut[v] = 1;
}

/** Collects distinct arcs. A path between cut points has no branches, so its first directed edge identifies the arc. */
class Pieces {
  readonly arcs: Coords[] = [];
  private readonly graph: Graph;
  private edges = 0;
  /** Open addressing: from (stored plus 1), to, and the signed arc that starts with this edge. */
  private table = new Int32Array(3 * 1024);

  constructor(graph: Graph) {
    this.graph = graph;
  }

  /** The signed arcs of one chain. */
  walk(chain: number): Int32Array {
    const { visits, start, cut } = this.graph;
    const from = start[chain];
    const last = start[chain + 1] - 1;
    if (last <= from) return new Int32Array(0);
    const path = visits.subarray(from, last + 1);
    if (path[0] !== path[path.length - 1]) return this.walkPath(path);

    let turn = 0;
    while (turn < path.length - 1 && cut[path[turn]] === 0) turn++;
    if (turn === path.length - 1) return Int32Array.of(this.loop(path));
    if (turn === 0) return this.walkPath(path);
    const rotated = new Int32Array(path.length);
    rotated.set(path.subarray(turn));
    rotated.set(path.subarray(1, turn + 1), path.length - turn);
    return this.walkPath(rotated);
  }

  /** The signed arcs of a path between cut points. */
  private walkPath(path: Int32Array): Int32Array {
    const { cut } = this.graph;
    const refs: number[] = [];
    for (let i = 0; i < path.length - 1; ) {
      let end = i + 1;
      while (cut[path[end]] === 0) end++;
      refs.push(this.piece(path.subarray(i, end + 1)));
      i = end;
    }
    return Int32Array.from(refs);
  }

  /** The signed arc of a path from cut point to cut point. */
  private piece(path: Int32Array): number {
    const n = path.length;
    const known = this.find(path[0], path[1]);
    if (known !== null) return known;
    let order = 0;
    for (let i = 0, j = n - 1; i < j && order === 0; i++, j--) order = this.compare(path[i], path[j]);
    return this.store(path, order > 0);
  }

  /** The signed arc of a closed path without a cut point. */
  private loop(path: Int32Array): number {
    const n = path.length - 1;
    let lowest = 0;
    for (let i = 1; i < n; i++) if (this.compare(path[i], path[lowest]) < 0) lowest = i;
    const after = path[(lowest + 1) % n];
    const known = this.find(path[lowest], after);
    if (known !== null) return known;
    const rotated = new Int32Array(n + 1);
    for (let i = 0; i <= n; i++) rotated[i] = path[(lowest + i) % n];
    return this.store(rotated, this.compare(after, rotated[n - 1]) > 0);
  }

  /** Stores a new arc and returns the reference that walks it in the direction of `path`. */
  private store(path: Int32Array, reversed: boolean): number {
    const { x, y } = this.graph;
    const n = path.length;
    const coords = new Int32Array(2 * n);
    for (let i = 0; i < n; i++) {
      const v = path[reversed ? n - 1 - i : i];
      coords[2 * i] = x[v];
      coords[2 * i + 1] = y[v];
    }
    const arc = this.arcs.push(coords) - 1;
    const ref = reversed ? ~arc : arc;
    this.insert(path[0], path[1], ref);
    this.insert(path[n - 1], path[n - 2], ~ref);
    return ref;
  }

  private compare(a: number, b: number): number {
    const { x, y } = this.graph;
    return x[a] - x[b] || y[a] - y[b];
  }

  private find(from: number, to: number): number | null {
    const slot = this.slot(from, to);
    return this.table[slot] === 0 ? null : this.table[slot + 2];
  }

  private slot(from: number, to: number): number {
    const { table } = this;
    const size = table.length / 3;
    let slot = hashPair(from, to) & (size - 1);
    while (table[3 * slot] !== 0 && (table[3 * slot] !== from + 1 || table[3 * slot + 1] !== to)) {
      slot = (slot + 1) & (size - 1);
    }
    return 3 * slot;
  }

  private insert(from: number, to: number, ref: number): void {
    if (++this.edges > this.table.length / 6) {
      const old = this.table;
      this.table = new Int32Array(2 * old.length);
      for (let s = 0; s < old.length; s += 3) {
        if (old[s] !== 0) this.table.set(old.subarray(s, s + 3), this.slot(old[s] - 1, old[s + 1]));
      }
    }
    this.table.set([from + 1, to, ref], this.slot(from, to));
  }
}

function hashArcs(arcs: readonly Coords[]): Uint8Array {
  const hashes = new Uint8Array(HASH_BYTES * arcs.length);
  const swap = endianness() === 'BE';
  for (let a = 0; a < arcs.length; a++) {
    const bytes = Buffer.from(arcs[a].buffer, arcs[a].byteOffset, arcs[a].byteLength);
    const digest = hash('sha256', swap ? Buffer.from(bytes).swap32() : bytes, 'buffer');
    hashes.set(digest.subarray(0, HASH_BYTES), HASH_BYTES * a);
  }
  return hashes;
}

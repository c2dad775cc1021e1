import { NOWHERE } from '../../../workers/osm/elements.ts';
import type { WaysFound } from '../../../workers/osm/passes.ts';
import { defined } from '../../common/elements.ts';
import { doubles, sharedDoubles, sharedInts } from './column.ts';
import type { Decode } from './decode.ts';
import { sortedUnique } from './ids.ts';
import { inParallel } from './parallel.ts';
import type { Spool } from './temporary.ts';

/** How many vertices one read has, and (LAID_OUT) one task that writes places. */
const READ = 65_536;
const LAID_OUT = 16 * READ;

/** A range of node ids, `low` (inclusive) to `high` (exclusive); `size` ids in it are wanted, counting repetitions. */
interface Window {
  readonly low: number;
  readonly high: number;
  readonly size: number;
}

/** The nodes to look up in one pass (NodesTask in workers/osm/passes.ts), with ids from `low` to below `high`. */
export interface WantedNodes {
  readonly wanted: Float64Array;
  readonly tagged: Float64Array;
  readonly places: Int32Array;
  readonly low: number;
  readonly high: number;
}

/** The vertices of ways, one way after the other, in two files: 8 bytes for the node's id, 8 for its place. */
export class Vertices {
  private readonly refs: Spool;
  private readonly coords: Spool;
  /** Per way, the index after its last vertex. */
  private readonly end = doubles();
  /** Per chunk (the vertices of one `add`), the index after its last vertex, and its least and greatest node id. */
  private readonly chunkEnd = doubles();
  private readonly least = doubles();
  private readonly greatest = doubles();
  /** Whether some ways came with places. */
  private located = false;

  constructor(refs: Spool, coords: Spool) {
    this.refs = refs;
    this.coords = coords;
  }

  async close(): Promise<void> {
    await this.refs.file.close();
    await this.coords.file.close();
  }

  /** The number of vertices. */
  get length(): number {
    return this.end.length === 0 ? 0 : this.end.at(this.end.length - 1);
  }

  countOf(way: number): number {
    return this.end.at(way) - this.firstOf(way);
  }

  async add({ refs, coords, least, greatest, located }: WaysFound): Promise<void> {
    const before = this.length;
    for (const end of refs.end) this.end.push(before + end);
    if (refs.ids.length === 0) return;
    this.chunkEnd.push(before + refs.ids.length);
    this.least.push(least);
    this.greatest.push(greatest);
    this.located ||= located;
    await this.refs.append(bytesOf(refs.ids));
    await this.coords.append(bytesOf(coords));
  }

  /** Overwrites the places of a way. */
  put(way: number, coords: Int32Array): Promise<void> {
    return this.coords.write(bytesOf(coords), 8 * this.firstOf(way));
  }

  /** Calls `use` with the node ids of each way, in the order of `ways` (ascending); valid only during the call. */
  eachRefs(ways: Uint32Array, use: (refs: Float64Array, way: number) => void): Promise<void> {
    return this.refs.each(this.pieces(ways), (bytes, k) => use(refsOf(bytes), defined(ways[k])));
  }

  /** Calls `use` with the places of each way; see eachRefs. */
  eachCoords(ways: Uint32Array, use: (coords: Int32Array, way: number) => void): Promise<void> {
    return this.coords.each(this.pieces(ways), (bytes, k) => use(coordsOf(bytes), defined(ways[k])));
  }

  /**
   * Looks up the places of all vertices and of the nodes `labels`, about `most` at a time so that memory is bounded.
   * `look` makes one pass over the file.
   */
  async place(
    decode: Decode,
    most: number,
    labels: Float64Array,
    look: (nodes: WantedNodes) => Promise<void>,
  ): Promise<void> {
    const windows = await this.windows(most, labels);
    const ids = sharedDoubles(Math.max(...windows.map(({ size }) => size)));
    let all: Int32Array = new Int32Array(0);
    for (const window of windows) {
      const wanted = sortedUnique(ids.subarray(0, await this.gather(window, labels, ids)));
      if (all.length < 2 * wanted.length) all = sharedInts(2 * wanted.length);
      const places = all.subarray(0, 2 * wanted.length).fill(NOWHERE);
      const { low, high } = window;
      await look({ wanted, tagged: labels, places, low, high });
      const files = { refs: this.refs.file.fd, coords: this.coords.file.fd };
      const ranges = this.chunksOf(low, high, LAID_OUT);
      await inParallel(decode.width, ranges, ([from, to]) =>
        decode.layOutPlaces({ ...files, from, to, wanted, places }),
      );
    }
  }

  private firstOf(way: number): number {
    return way === 0 ? 0 : this.end.at(way - 1);
  }

  private *pieces(ways: Uint32Array) {
    for (const way of ways) yield { at: 8 * this.firstOf(way), size: 8 * this.countOf(way) };
  }

  /** Divides the wanted ids into windows of at most `most`; a single block of 65,536 consecutive ids may have more. */
  private async windows(most: number, labels: Float64Array): Promise<Window[]> {
    const all = this.length + labels.length;
    if (all <= most) return [{ low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, size: all }];
    const counted = new Map<number, number>();
    const count = (ids: Float64Array) => {
      let [block, run] = [Number.NaN, 0];
      for (const id of ids) {
        const own = Math.floor(id / 65_536);
        if (own !== block) {
          if (run > 0) counted.set(block, (counted.get(block) ?? 0) + run);
          [block, run] = [own, 0];
        }
        run++;
      }
      if (run > 0) counted.set(block, (counted.get(block) ?? 0) + run);
    };
    count(labels);
    await this.eachChunk(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, count);
    const windows: Window[] = [];
    let [low, size] = [Number.NEGATIVE_INFINITY, 0];
    for (const block of Float64Array.from(counted.keys()).sort()) {
      const more = counted.get(block) as number;
      if (size > 0 && size + more > most) {
        windows.push({ low, high: block * 65_536, size });
        [low, size] = [block * 65_536, 0];
      }
      size += more;
    }
    return [...windows, { low, high: Number.POSITIVE_INFINITY, size }];
  }

  /** Copies the ids in the window whose places are unknown, with repetitions, into `into`; returns their number. */
  private async gather({ low, high }: Window, labels: Float64Array, into: Float64Array): Promise<number> {
    let n = 0;
    for (const id of labels) if (id >= low && id < high) into[n++] = id;
    await this.eachChunk(low, high, (ids, coords) => {
      for (let k = 0; k < ids.length; k++) {
        const id = defined(ids[k]);
        if (id >= low && id < high && (coords === null || coords[2 * k] === NOWHERE)) into[n++] = id;
      }
    });
    return n;
  }

  /** Calls `use` with the node ids of the chunks that may overlap the window, and their places if any are known. */
  private async eachChunk(
    low: number,
    high: number,
    use: (ids: Float64Array, coords: Int32Array | null) => void,
  ): Promise<void> {
    for (const [from, to] of this.chunksOf(low, high, READ)) {
      const piece = [{ at: 8 * from, size: 8 * (to - from) }];
      let coords: Int32Array | null = null;
      if (this.located) {
        await this.coords.each(piece, (bytes) => {
          coords = coordsOf(bytes);
        });
      }
      await this.refs.each(piece, (bytes) => use(refsOf(bytes), coords));
    }
  }

  /** Ranges of at most `most` vertices that include every vertex with an id in the window. */
  private chunksOf(low: number, high: number, most: number): [from: number, to: number][] {
    const ranges: [number, number][] = [];
    for (let chunk = 0; chunk < this.least.length; chunk++) {
      if (this.greatest.at(chunk) < low || this.least.at(chunk) >= high) continue;
      const end = this.chunkEnd.at(chunk);
      for (let from = chunk === 0 ? 0 : this.chunkEnd.at(chunk - 1); from < end; ) {
        const last = ranges.at(-1);
        const goesOn = last !== undefined && last[1] === from && from - last[0] < most;
        const range: [number, number] = goesOn ? last : [from, from];
        if (!goesOn) ranges.push(range);
        range[1] = Math.min(end, range[0] + most);
        from = range[1];
      }
    }
    return ranges;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => new Uint8Array(buffer, byteOffset, byteLength);
const refsOf = ({ buffer, byteOffset, length }: Uint8Array) => new Float64Array(buffer, byteOffset, length / 8);
const coordsOf = ({ buffer, byteOffset, length }: Uint8Array) => new Int32Array(buffer, byteOffset, length / 4);

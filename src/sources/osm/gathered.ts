import type { FileHandle } from 'node:fs/promises';
import { lowerBound, NOWHERE, type OsmNode, type OsmRelation, type OsmWay } from '../../../workers/osm/model.ts';
import type { Lists, NodesFound, RelationsFound, Texts, WaysFound } from '../../../workers/osm/passes.ts';
import { joinNodes, joinRelations, joinWays, type OsmExtract } from './collect.ts';
import { counts, doubles, sharedDoubles, sharedInts } from './column.ts';
import type { Decode } from './decode.ts';
import { sortedUnique } from './ids.ts';
import { inParallel } from './parallel.ts';
import { Spool, temporaryFiles } from './temporary.ts';

/** Vertices that are read at a time, and those of a task that lays places out. */
const READ = 65_536;
const LAID_OUT = 16 * READ;

/** Node ids from `low` to below `high`, of which `size` (with repetitions) are wanted. */
interface Window {
  readonly low: number;
  readonly high: number;
  readonly size: number;
}

/** The nodes to look for at a time. */
export interface WantedNodes {
  readonly wanted: Float64Array;
  readonly tagged: Float64Array;
  readonly places: Int32Array;
  readonly low: number;
  readonly high: number;
}

/** Which boundaries of a file are read together: records of relations, and of ways that are boundaries of their own. */
export interface Part {
  readonly relations: Uint32Array;
  readonly alone: Uint32Array;
}

/**
 * What a PBF file says of boundaries, in the order in which it can be known: relations, their ways, the places of those.
 * In memory are numbers only, about 40 bytes a way or relation and 8 a member; texts, node ids and places are in temporary
 * files, and `extract` reads back what is asked for.
 */
export class Gathered {
  readonly read = { nodes: 0, ways: 0, relations: 0, bytes: 0 };
  timestamp: string | null = null;
  readonly relations = new Records();
  /** Per record of a relation: its ways with a ring role, its label and admin_centre nodes. */
  readonly memberWays = new ListColumn();
  readonly memberNodes = new ListColumn();
  readonly ways = new Records();
  readonly candidate = counts();
  private readonly version = counts();
  /** Vertices of each way, which follow one another in the order of the records. */
  private readonly vertexEnd = doubles();
  private readonly nodes = new Records();
  /** Vertices that came together, to where, and their least and greatest node ids. */
  private readonly chunkEnd = doubles();
  private readonly least = doubles();
  private readonly greatest = doubles();
  /** Some ways brought their places with them. */
  private located = false;
  private readonly texts: Spool;
  private readonly refs: Spool;
  private readonly coords: Spool;

  private constructor([texts, refs, coords]: readonly FileHandle[]) {
    [this.texts, this.refs, this.coords] = [texts, refs, coords].map((file) => new Spool(file));
  }

  /** Makes one with nothing in it; `close` lets its files go. */
  static async open(): Promise<Gathered> {
    return new Gathered(await temporaryFiles(3));
  }

  async close(): Promise<void> {
    for (const { file } of [this.texts, this.refs, this.coords]) await file.close();
  }

  async addRelations(found: RelationsFound): Promise<void> {
    this.relations.add(found.id, found.texts, await this.texts.append(found.texts.bytes));
    this.memberWays.add(found.ways);
    this.memberNodes.add(found.nodes);
  }

  /** The ids of the ways that borders are made of, ascending, in shared memory. Puts relations that come twice together. */
  async wantedWays(): Promise<Float64Array> {
    await this.relations.sort(async (first, other) => {
      const [before, relation] = await this.parsed<OsmRelation>(this.relations, [first, other]);
      const kept = before.members.length > 0 ? first : other;
      joinRelations(before, relation);
      await this.rewrite(this.relations, kept, before);
      return kept;
    });
    return shared(this.memberWays.ids.view());
  }

  async addWays(found: WaysFound): Promise<void> {
    this.ways.add(found.id, found.texts, await this.texts.append(found.texts.bytes));
    this.version.append(found.version);
    this.candidate.append(found.candidate);
    const before = this.vertices;
    for (const end of found.refs.end) this.vertexEnd.push(before + end);
    const { ids } = found.refs;
    if (ids.length > 0) {
      this.chunkEnd.push(before + ids.length);
      this.least.push(found.least);
      this.greatest.push(found.greatest);
    }
    this.located ||= found.located;
    await this.refs.append(bytesOf(ids));
    await this.coords.append(bytesOf(found.coords));
  }

  /**
   * Looks for the places of all vertices, at most about `most` of them at a time, so that memory is bounded: `look` makes
   * a pass over the file.
   */
  async placeVertices(decode: Decode, most: number, look: (nodes: WantedNodes) => Promise<void>): Promise<void> {
    const windows = await this.windows(most);
    const tagged = shared(this.memberNodes.ids.view());
    const size = Math.max(...windows.map((window) => window.size));
    const ids = sharedDoubles(size);
    let all: Int32Array = new Int32Array(0);
    for (const { low, high } of windows) {
      const wanted = sortedUnique(ids.subarray(0, await this.gather(low, high, ids)));
      // Mostly nodes are unique but for the ends of ways: the first says how much room is needed.
      if (all.length < 2 * wanted.length) all = sharedInts(2 * wanted.length);
      const places = all.subarray(0, 2 * wanted.length).fill(NOWHERE);
      await look({ wanted, tagged, places, low, high });
      const { refs, coords } = { refs: this.refs.file.fd, coords: this.coords.file.fd };
      const tasks = this.chunksOf(low, high, LAID_OUT).map(([from, to]) => ({
        refs,
        coords,
        from,
        to,
        wanted,
        places,
      }));
      await inParallel(decode.width, tasks, (task) => decode.layOutPlaces(task));
    }
  }

  /** Takes label and admin_centre nodes. */
  async addNodes(found: NodesFound): Promise<void> {
    if (found.id.length === 0) return;
    this.nodes.add(found.id, found.texts, await this.texts.append(found.texts.bytes));
  }

  /** Puts ways and nodes that come twice together; call it when all are in. */
  async settle(): Promise<void> {
    await this.ways.sort(async (first, other) => {
      const [before, way] = await this.waysAt(Uint32Array.of(first, other));
      const placed = before.coords !== null;
      joinWays(before, way);
      this.version.put(first, before.version);
      await this.rewrite(this.ways, first, before.tags);
      if (!placed && before.coords) await this.coords.write(bytesOf(before.coords), 8 * this.firstVertex(first));
      return first;
    });
    await this.nodes.sort(async (first, other) => {
      const [before, node] = await this.parsed<OsmNode>(this.nodes, [first, other]);
      joinNodes(before, node);
      await this.rewrite(this.nodes, first, before);
      return first;
    });
  }

  /** Vertices of all ways, each way counted once. */
  get vertices(): number {
    return this.vertexEnd.length === 0 ? 0 : this.vertexEnd.at(this.vertexEnd.length - 1);
  }

  verticesOf(way: number): number {
    return this.vertexEnd.at(way) - this.firstVertex(way);
  }

  /** Hands over the places of each way, in the order of the records; they are only lent. */
  async eachWay(use: (coords: Int32Array, way: number) => void): Promise<void> {
    const ways = Uint32Array.from({ length: this.ways.id.length }, (_, way) => way);
    await this.coords.each(this.vertexPieces(ways), (bytes, k) =>
      use(new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4), ways[k]),
    );
  }

  /** The relations of these records. */
  relationsAt(records: ArrayLike<number>): Promise<OsmRelation[]> {
    return this.parsed<OsmRelation>(this.relations, records);
  }

  /** Reads back some boundaries and what they are made of; of null, all there is. */
  async extract(part: Part | null): Promise<OsmExtract> {
    const relations = await this.relationsAt(part?.relations ?? this.relations.order);
    const wayRecords = new Set(part?.alone);
    const nodeRecords = new Set<number>();
    for (const record of part?.relations ?? []) {
      for (const id of this.memberWays.list(record)) wayRecords.add(this.ways.find(id));
      for (const id of this.memberNodes.list(record)) nodeRecords.add(this.nodes.find(id));
    }
    // What the file lacks.
    wayRecords.delete(-1);
    nodeRecords.delete(-1);
    const ways = await this.waysAt(part ? Uint32Array.from(wayRecords).sort() : this.ways.order.slice().sort());
    const nodes = await this.parsed<OsmNode>(this.nodes, part ? [...nodeRecords] : this.nodes.order);
    const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
    return {
      relations: relations.sort(byId),
      ways: new Map(ways.sort(byId).map((way) => [way.id, way])),
      nodes: new Map(nodes.sort(byId).map((node) => [node.id, node])),
      ...(part ? { alone: new Set(Array.from(part.alone, (way) => this.ways.id.at(way))) } : {}),
      timestamp: this.timestamp,
      read: this.read,
    };
  }

  private firstVertex(way: number): number {
    return way === 0 ? 0 : this.vertexEnd.at(way - 1);
  }

  private *vertexPieces(ways: Uint32Array) {
    for (const way of ways) yield { at: 8 * this.firstVertex(way), size: 8 * this.verticesOf(way) };
  }

  /** The ways of ascending records, whose arrays are their own. */
  private async waysAt(records: Uint32Array): Promise<OsmWay[]> {
    const refs: Float64Array[] = [];
    const coords: Int32Array[] = [];
    await this.refs.each(this.vertexPieces(records), (bytes) => refs.push(new Float64Array(ownBytes(bytes))));
    await this.coords.each(this.vertexPieces(records), (bytes) => coords.push(new Int32Array(ownBytes(bytes))));
    const tags = await this.parsed<OsmWay['tags']>(this.ways, records);
    return Array.from(records, (record, k) => {
      const lacking = coords[k].indexOf(NOWHERE) >> 1;
      return {
        id: this.ways.id.at(record),
        version: this.version.at(record),
        tags: tags[k],
        refs: refs[k],
        coords: lacking < 0 ? coords[k] : null,
        missing: lacking < 0 ? null : refs[k][lacking],
      };
    });
  }

  /** What the texts of these records say, in their order; records with the same text may share it. */
  private async parsed<T>(records: Records, which: ArrayLike<number>): Promise<T[]> {
    const order = Uint32Array.from({ length: which.length }, (_, k) => k);
    const at = (k: number) => records.textAt.at(which[k]);
    // Only what was put together lies elsewhere than its neighbours.
    order.sort((a, b) => at(a) - at(b));
    const out = new Array<T>(which.length);
    const pieces = Array.from(order, (k) => ({ at: at(k), size: records.textSize.at(which[k]) }));
    let [last, value]: [string, T | null] = ['', null];
    await this.texts.each(pieces, (bytes, k) => {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
      if (value === null || text !== last) [last, value] = [text, JSON.parse(text) as T];
      out[order[k]] = value;
    });
    return out;
  }

  private async rewrite(records: Records, record: number, value: unknown): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    records.textAt.put(record, await this.texts.append(bytes));
    records.textSize.put(record, bytes.length);
  }

  /** Divides the ids of the wanted nodes: a window has at most about `most`, as far as 65,536 ids next to each other allow. */
  private async windows(most: number): Promise<Window[]> {
    const labels = this.memberNodes.ids;
    const all = this.vertices + labels.length;
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
    count(labels.view());
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

  /** Copies the ids of the window whose places are wanted, with repetitions, and gives their number. */
  private async gather(low: number, high: number, into: Float64Array): Promise<number> {
    let n = 0;
    for (const id of this.memberNodes.ids.view()) if (id >= low && id < high) into[n++] = id;
    await this.eachChunk(low, high, (ids, coords) => {
      for (let k = 0; k < ids.length; k++) {
        const id = ids[k];
        if (id >= low && id < high && (coords === null || coords[2 * k] === NOWHERE)) into[n++] = id;
      }
    });
    return n;
  }

  /** Hands over the node ids of the chunks that may have some of the window, and the places if some are known. */
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
          coords = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
        });
      }
      await this.refs.each(piece, (bytes) =>
        use(new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8), coords),
      );
    }
  }

  /** Ranges of vertices, of at most `most`, outside of which no id is in the window. */
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

/** Ids, and where the text of each is. A record's number is its place in the order of arrival. */
class Records {
  readonly id = doubles();
  readonly textAt = doubles();
  readonly textSize = counts();
  /** Records by ascending id, one for each; known after `sort`. */
  order: Uint32Array = new Uint32Array(0);
  private ids: Float64Array = new Float64Array(0);

  add(id: Float64Array, { end }: Texts, at: number): void {
    this.id.append(id);
    for (let k = 0; k < end.length; k++) {
      const start = k === 0 ? 0 : end[k - 1];
      this.textAt.push(at + start);
      this.textSize.push(end[k] - start);
    }
  }

  /** Puts them in order; `join` makes one of two that have the same id, and gives the one that is kept. */
  async sort(join: (first: number, other: number) => Promise<number>): Promise<void> {
    const id = this.id.view();
    this.order = Uint32Array.from(id, (_, record) => record);
    this.ids = id;
    let ascending = true;
    for (let k = 1; k < id.length && ascending; k++) ascending = id[k] > id[k - 1];
    if (ascending) return;
    this.order.sort((a, b) => id[a] - id[b] || a - b);
    let size = 0;
    for (const record of this.order) {
      if (size > 0 && id[this.order[size - 1]] === id[record]) {
        this.order[size - 1] = await join(this.order[size - 1], record);
      } else this.order[size++] = record;
    }
    this.order = this.order.subarray(0, size);
    this.ids = Float64Array.from(this.order, (record) => id[record]);
  }

  /** The record of an id, or -1. */
  find(id: number): number {
    const index = lowerBound(this.ids, id);
    return this.ids[index] === id ? this.order[index] : -1;
  }
}

/** Lists of ids one after the other. */
class ListColumn {
  readonly ids = doubles();
  private readonly end = doubles();

  add({ ids, end }: Lists): void {
    const before = this.ids.length;
    this.ids.append(ids);
    for (const one of end) this.end.push(before + one);
  }

  list(k: number): Float64Array {
    return this.ids.view(k === 0 ? 0 : this.end.at(k - 1), this.end.at(k));
  }
}

function shared(ids: Float64Array): Float64Array {
  const sorted = sortedUnique(ids.slice());
  const out = sharedDoubles(sorted.length);
  out.set(sorted);
  return out;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => new Uint8Array(buffer, byteOffset, byteLength);

function ownBytes(bytes: Uint8Array): ArrayBuffer {
  const own = new Uint8Array(bytes.length);
  own.set(bytes);
  return own.buffer;
}

import type { FileHandle } from 'node:fs/promises';
import type { MapBox } from '../../../workers/osm/blob.ts';
import { type Kept, NOWHERE, type OsmNode, type OsmRelation, type OsmWay } from '../../../workers/osm/elements.ts';
import type { NodesFound, RelationsFound, WaysFound } from '../../../workers/osm/passes.ts';
import { defined, two } from '../../common/elements.ts';
import { mergeNodes, mergeRelations, mergeWays, type OsmExtract } from './collect.ts';
import { counts } from './column.ts';
import type { Decode } from './decode.ts';
import { sharedIds } from './ids.ts';
import { ListColumn, Records } from './records.ts';
import { Spool, temporaryFiles } from './temporary.ts';
import { Vertices, type WantedNodes } from './vertices.ts';

/** The boundaries of a file that are read together: record numbers of relations, and of ways that are boundaries. */
export interface Part {
  readonly relations: Uint32Array;
  readonly alone: Uint32Array;
}

/**
 * Collects the boundary data of a PBF file in the order of the passes: relations, their ways, the places of those. Only
 * numbers are in memory, about 40 bytes per way or relation and 8 per member. Texts, node ids and places are in
 * temporary files, from which `extract` reads parts back.
 */
export class Gathered {
  readonly kept: Kept;
  readonly read = { nodes: 0, ways: 0, relations: 0, bytes: 0 };
  timestamp: string | null = null;
  bbox: MapBox | null = null;
  readonly relations = new Records();
  /** Per relation record: its ways with a ring role; below, its label and admin_centre nodes. */
  readonly memberWays = new ListColumn();
  readonly memberNodes = new ListColumn();
  readonly ways = new Records();
  readonly candidate = counts();
  /** Per way record, as `coast` of WaysFound. */
  private readonly coast = counts();
  private readonly version = counts();
  private readonly nodes = new Records();
  private readonly texts: Spool;
  private readonly vertices: Vertices;

  private constructor(kept: Kept, [texts, refs, coords]: readonly [FileHandle, FileHandle, FileHandle]) {
    this.kept = kept;
    this.texts = new Spool(texts);
    this.vertices = new Vertices(new Spool(refs), new Spool(coords));
  }

  /** Opens an empty one; `close` deletes its files. */
  static async open(kept: Kept): Promise<Gathered> {
    const [texts, refs, coords] = await temporaryFiles(3);
    return new Gathered(kept, [defined(texts), defined(refs), defined(coords)]);
  }

  async close(): Promise<void> {
    await this.texts.file.close();
    await this.vertices.close();
  }

  async addRelations(found: RelationsFound): Promise<void> {
    this.relations.add(found.id, found.texts, await this.texts.append(found.texts.bytes));
    this.memberWays.add(found.ways);
    this.memberNodes.add(found.nodes);
  }

  /** Merges duplicate relations; returns the ids of the ways in borders, ascending, in shared memory. */
  async wantedWays(): Promise<Float64Array> {
    await this.relations.sort(async (first, other) => {
      const [before, relation] = two(await this.parsed<OsmRelation>(this.relations, [first, other]));
      const kept = before.members.length > 0 ? first : other;
      mergeRelations(before, relation);
      await this.rewrite(this.relations, kept, before);
      return kept;
    });
    return sharedIds(this.memberWays.ids.view());
  }

  async addWays(found: WaysFound): Promise<void> {
    this.ways.add(found.id, found.texts, await this.texts.append(found.texts.bytes));
    this.version.append(found.version);
    this.candidate.append(found.candidate);
    this.coast.append(found.coast);
    await this.vertices.add(found);
  }

  /**
   * Looks up the places of all vertices and of label and admin_centre nodes, about `most` at a time so that memory is
   * bounded. `look` makes one pass over the file.
   */
  placeVertices(decode: Decode, most: number, look: (nodes: WantedNodes) => Promise<void>): Promise<void> {
    return this.vertices.place(decode, most, sharedIds(this.memberNodes.ids.view()), look);
  }

  /** Adds label and admin_centre nodes. */
  async addNodes(found: NodesFound): Promise<void> {
    if (found.id.length === 0) return;
    this.nodes.add(found.id, found.texts, await this.texts.append(found.texts.bytes));
  }

  /** Merges duplicate ways and nodes; call it when all are added. */
  async settle(): Promise<void> {
    await this.ways.sort(async (first, other) => {
      const [before, way] = two(await this.waysAt(Uint32Array.of(first, other)));
      const placed = before.coords !== null;
      mergeWays(before, way);
      this.version.put(first, before.version);
      await this.rewrite(this.ways, first, before.tags);
      if (!placed && before.coords) await this.vertices.put(first, before.coords);
      return first;
    });
    await this.nodes.sort(async (first, other) => {
      const [before, node] = two(await this.parsed<OsmNode>(this.nodes, [first, other]));
      mergeNodes(before, node);
      await this.rewrite(this.nodes, first, before);
      return first;
    });
  }

  /** The number of vertices of a way record, or of all. */
  countVertices(way?: number): number {
    return way === undefined ? this.vertices.length : this.vertices.countOf(way);
  }

  /** Calls `use` with the places of each way, in the order of records; valid only during the call. */
  eachWay(use: (coords: Int32Array, way: number) => void): Promise<void> {
    return this.vertices.eachCoords(
      Uint32Array.from({ length: this.ways.id.length }, (_, way) => way),
      (coords, way) => use(coords, way),
    );
  }

  /** Reads back the relations of these records. */
  relationsAt(records: ArrayLike<number>): Promise<OsmRelation[]> {
    return this.parsed<OsmRelation>(this.relations, records);
  }

  /**
   * Reads back the boundaries of a part and the objects they are made of, and all coastlines if they are wanted; null
   * reads everything.
   */
  async extract(part: Part | null, coast = true): Promise<OsmExtract> {
    const relations = await this.relationsAt(part?.relations ?? this.relations.order);
    const wayRecords = new Set(part?.alone);
    const nodeRecords = new Set<number>();
    for (const record of part?.relations ?? []) {
      for (const id of this.memberWays.list(record)) wayRecords.add(this.ways.find(id));
      for (const id of this.memberNodes.list(record)) nodeRecords.add(this.nodes.find(id));
    }
    // Objects that the file lacks.
    wayRecords.delete(-1);
    nodeRecords.delete(-1);
    const isCoast = (record: number) => this.coast.at(record) > 0;
    // A file in which all coast is border was filtered for borders, and lacks the coast of islands.
    const isWanted = coast && this.ways.order.some((record) => this.coast.at(record) === 2);
    const coastRecords = isWanted ? this.ways.order.filter(isCoast) : new Uint32Array(0);
    if (!part) for (const record of this.ways.order) if (this.coast.at(record) !== 2) wayRecords.add(record);
    const ways = await this.waysAt(Uint32Array.from(wayRecords).sort());
    const coastWays = await this.waysAt(coastRecords.sort());
    const nodes = await this.parsed<OsmNode>(this.nodes, part ? [...nodeRecords] : this.nodes.order);
    const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
    return {
      relations: relations.sort(byId),
      ways: new Map(ways.sort(byId).map((way) => [way.id, way])),
      ...(coastWays.length > 0 ? { coast: coastWays.sort(byId) } : {}),
      nodes: new Map(nodes.sort(byId).map((node) => [node.id, node])),
      ...(part ? { alone: new Set(Array.from(part.alone, (way) => this.ways.id.at(way))) } : {}),
      timestamp: this.timestamp,
      read: this.read,
    };
  }

  /** Reads back the ways of ascending records; their arrays are copies. */
  private async waysAt(records: Uint32Array): Promise<OsmWay[]> {
    const refs: Float64Array[] = [];
    const coords: Int32Array[] = [];
    await this.vertices.eachRefs(records, (some) => refs.push(some.slice()));
    await this.vertices.eachCoords(records, (some) => coords.push(some.slice()));
    const tags = await this.parsed<OsmWay['tags']>(this.ways, records);
    return Array.from(records, (record, k) => {
      const [own, places] = [defined(refs[k]), defined(coords[k])];
      const lacking = places.indexOf(NOWHERE) >> 1;
      return {
        id: this.ways.id.at(record),
        version: this.version.at(record),
        tags: defined(tags[k]),
        refs: own,
        coords: lacking < 0 ? places : null,
        missing: lacking < 0 ? null : defined(own[lacking]),
        ...(lacking >= 0 && this.kept === 'water' ? { placed: placedOf(places) } : {}),
      };
    });
  }

  /** The parsed texts of these records, in their order; records with equal texts may share a value. */
  private async parsed<T>(records: Records, which: ArrayLike<number>): Promise<T[]> {
    const order = Uint32Array.from({ length: which.length }, (_, k) => k);
    const at = (k: number) => records.textAt.at(defined(which[k]));
    // Sorts by position in the file: texts of merged records are at its end.
    order.sort((a, b) => at(a) - at(b));
    const out = new Array<T>(which.length);
    const pieces = Array.from(order, (k) => ({ at: at(k), size: records.textSize.at(defined(which[k])) }));
    let [last, value]: [string, T | null] = ['', null];
    await this.texts.each(pieces, (bytes, k) => {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
      if (value === null || text !== last) [last, value] = [text, JSON.parse(text) as T];
      out[defined(order[k])] = value;
    });
    return out;
  }

  private async rewrite(records: Records, record: number, value: unknown): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    records.textAt.put(record, await this.texts.append(bytes));
    records.textSize.put(record, bytes.length);
  }
}

/** The places that are known. */
const placedOf = (places: Int32Array) => places.filter((_, k) => places[k & ~1] !== NOWHERE);

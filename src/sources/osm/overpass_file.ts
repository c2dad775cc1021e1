import { isUtf8 } from 'node:buffer';
import {
  type Kept,
  keepsRelation,
  type OsmMember,
  type OsmNode,
  type OsmRelation,
  type OsmWay,
  storable,
  toX,
  toY,
} from '../../../workers/osm/elements.ts';
import { defined } from '../../common/elements.ts';
import { ELEMENTS, Splitter } from '../json_pieces.ts';
import { Collector, type OsmExtract } from './collect.ts';

type Json = Record<string, unknown>;

/**
 * Reads the boundaries of an Overpass JSON response, element by element, in up to three passes: relations, the ways they
 * need, the nodes those need. `open` starts a pass and returns the bytes of the whole response, in pieces. The response
 * is of `out body` with separate ways and nodes, `out geom` with geometry in the members, or `out geom` ways; with or
 * without tags and versions. Elements with only `bounds` or `center` do not have a geometry.
 * @throws Error for anything but a complete response; if the server stopped early, it contains the server's remark, as
 *   such a response may lack any part of the data
 */
export async function readOverpassFile(
  open: (phase: string) => AsyncIterable<Uint8Array>,
  bytes: number,
  kept: Kept = 'boundaries',
): Promise<OsmExtract> {
  const reader = new Reader(kept);
  const counts = { nodes: 0, ways: 0, relations: 0 };
  const frame = await pass(open('relations'), (element) => {
    if (element.type === 'node') counts.nodes++;
    else if (element.type === 'way') counts.ways++;
    else if (element.type === 'relation') {
      counts.relations++;
      reader.relation(element);
    }
  });
  requireComplete(frame);
  const only = (type: string, read: (element: Json) => void) => (element: Json) => {
    if (element.type === type) read(element);
  };
  if (counts.ways > 0)
    await pass(
      open('ways'),
      only('way', (way) => reader.way(way)),
    );
  const wanted = reader.wantNodes();
  if (counts.nodes > 0 && wanted > 0)
    await pass(
      open('nodes'),
      only('node', (node) => reader.node(node)),
    );
  return reader.collector.finish(timestampOf(frame), counts, bytes);
}

/** As readOverpassFile(), for a parsed response; `bytes` is the size of its text. */
export function readOverpass(document: unknown, bytes: number): OsmExtract {
  const answer = object(document, 'the answer');
  const elements = requireComplete(answer).map((element) => object(element, 'an element'));
  const of = (type: string) => elements.filter((element) => element.type === type);
  const [nodes, ways, relations] = [of('node'), of('way'), of('relation')];
  const reader = new Reader('boundaries');
  for (const element of relations) reader.relation(element);
  for (const element of ways) reader.way(element);
  reader.wantNodes();
  for (const element of nodes) reader.node(element);
  const counts = { nodes: nodes.length, ways: ways.length, relations: relations.length };
  return reader.collector.finish(timestampOf(answer), counts, bytes);
}

/** Collects the boundaries of a response, whose relations are read first, then ways, then nodes. */
class Reader {
  readonly collector: Collector;
  /** Places that members and ways contain themselves. */
  private readonly carried: OsmNode[] = [];

  constructor(kept: Kept) {
    this.collector = new Collector(kept);
  }

  relation(element: Json): void {
    const tags = readTags(element);
    if (!keepsRelation(tags, this.collector.kept)) return;
    const ways: OsmWay[] = [];
    this.collector.addRelation(readRelation(element, tags, ways, this.carried));
    for (const way of ways) this.collector.addWay(way);
  }

  way(element: Json): void {
    const places: OsmNode[] = [];
    if (this.collector.addWay(readWay(element, places))) for (const node of places) this.carried.push(node);
  }

  /** Call between ways and nodes; returns how many nodes are wanted. */
  wantNodes(): number {
    const wanted = this.collector.wantNodes();
    for (const node of this.carried) this.collector.addNode(node);
    return wanted;
  }

  node(element: Json): void {
    const id = readId(element.id, 'a node');
    if (!this.collector.wantsNode(id)) return;
    const { x, y } = readPlace(element, `node ${id}`);
    this.collector.addNode({ id, version: readVersion(element), tags: readTags(element), x, y });
  }
}

/** The elements of a response. @throws Error when it has no list of them, or its server stopped early */
function requireComplete(answer: Json): unknown[] {
  if (answer.remark !== undefined)
    throw new Error(`the server stopped before the end: ${String(answer.remark).trim()}`);
  if (!Array.isArray(answer.elements))
    throw new Error('the JSON has no list of elements: it is not an Overpass answer');
  return answer.elements;
}

function timestampOf(answer: Json): string | null {
  const osm3s = answer.osm3s === undefined ? {} : object(answer.osm3s, 'osm3s');
  return typeof osm3s.timestamp_osm_base === 'string' ? osm3s.timestamp_osm_base : null;
}

/** Reads the elements of a response once, and returns the response without them. */
async function pass(pieces: AsyncIterable<Uint8Array>, onElement: (element: Json) => void): Promise<Json> {
  const splitter = new Splitter(decode, ELEMENTS);
  let frame: Json | null = null;
  for await (const bytes of pieces) {
    for (const piece of splitter.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) {
      if (piece.type === 'feature') onElement(object(piece.value, 'an element'));
      else if (piece.type === 'document' && frame === null) frame = piece.value;
      else if (piece.type === 'document') throw new Error('there is more than one answer in it');
    }
  }
  splitter.end();
  return object(frame, 'the answer');
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Error('the text is not valid UTF-8');
  return bytes.toString('utf8');
}

const MEMBER_TYPES = new Map<unknown, OsmMember['type']>([
  ['node', 'n'],
  ['way', 'w'],
  ['relation', 'r'],
]);

function readRelation(element: Json, tags: Record<string, string>, ways: OsmWay[], nodes: OsmNode[]): OsmRelation {
  const id = readId(element.id, 'a relation');
  const members = list(element.members, `the members of relation ${id}`).map((entry): OsmMember => {
    const member = object(entry, `a member of relation ${id}`);
    const type = MEMBER_TYPES.get(member.type);
    if (type === undefined) throw new Error(`relation ${id} has a member of unknown type`);
    const ref = readId(member.ref, `a member of relation ${id}`);
    if (member.role !== undefined && typeof member.role !== 'string') throw new Error(`relation ${id} has a bad role`);
    if (type === 'n' && member.lat !== undefined) {
      nodes.push({ id: ref, version: 0, tags: {}, ...readPlace(member, `node ${ref}`) });
    }
    const geometry = list(member.geometry, `the geometry of way ${ref}`);
    // A server sends an empty geometry for a way that it lacks.
    if (type === 'w' && geometry.length > 0) {
      const coords = readCoords(geometry, `way ${ref}`);
      ways.push({ id: ref, version: 0, tags: {}, refs: null, coords, missing: null });
    }
    return { type, ref, role: storable(member.role ?? '') };
  });
  return { id, version: readVersion(element), tags, members };
}

function readWay(element: Json, places: OsmNode[]): OsmWay {
  const id = readId(element.id, 'a way');
  const ids = list(element.nodes, `the nodes of way ${id}`);
  const refs = element.nodes === undefined ? null : Float64Array.from(ids, (ref) => readId(ref, `a node of way ${id}`));
  const geometry = list(element.geometry, `the geometry of way ${id}`);
  const coords = geometry.length > 0 ? readCoords(geometry, `way ${id}`) : null;
  if (refs !== null && geometry.length > 0 && geometry.length !== refs.length) {
    throw new Error(`way ${id} has ${refs.length} nodes and ${geometry.length} places`);
  }
  if (refs !== null && coords === null) {
    geometry.forEach((point, k) => {
      if (point === null) return;
      places.push({ id: defined(refs[k]), version: 0, tags: {}, ...readPlace(object(point, 'a point'), `way ${id}`) });
    });
  }
  return { id, version: readVersion(element), tags: readTags(element), refs, coords, missing: null };
}

/** Interleaved x, y in 1e-7 degrees of `[{lat, lon}, …]`; null if one is null, as in a response clipped to a box. */
function readCoords(geometry: unknown[], what: string): Int32Array | null {
  if (geometry.includes(null)) return null;
  const coords = new Int32Array(2 * geometry.length);
  geometry.forEach((point, k) => {
    const { x, y } = readPlace(object(point, `a point of ${what}`), what);
    coords[2 * k] = x;
    coords[2 * k + 1] = y;
  });
  return coords;
}

function readPlace({ lat, lon }: Json, what: string): { x: number; y: number } {
  if (typeof lat !== 'number' || typeof lon !== 'number') throw new Error(`${what} has no lat and lon`);
  return { x: toX(lon), y: toY(lat) };
}

function readTags(element: Json): Record<string, string> {
  const tags: Record<string, string> = {};
  if (element.tags === undefined) return tags;
  for (const [key, value] of Object.entries(object(element.tags, 'the tags of an element'))) {
    if (typeof value !== 'string') throw new Error(`the tag ${key.slice(0, 80)} is not text`);
    tags[storable(key)] = storable(value);
  }
  return tags;
}

function readVersion({ version }: Json): number {
  if (version === undefined) return 0;
  if (typeof version !== 'number' || !Number.isSafeInteger(version)) throw new Error('a version is not a whole number');
  return Math.max(0, version);
}

function readId(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new Error(`${what} has no whole number for an id`);
  return value;
}

function object(value: unknown, what: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} is not an object`);
  return value as Json;
}

function list(value: unknown, what: string): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error(`${what} is not a list`);
  return value;
}

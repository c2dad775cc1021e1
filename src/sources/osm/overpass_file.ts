import { constants } from 'node:buffer';
import {
  isBoundaryRelation,
  type OsmMember,
  type OsmNode,
  type OsmRelation,
  type OsmWay,
  toX,
  toY,
} from '../../../workers/osm/model.ts';
import { defined } from '../../common/elements.ts';
import { utf8Decoder } from './bytes.ts';
import { Collector, type OsmExtract } from './collect.ts';

/** The most bytes of JSON that are read: the longest string, just under 512 MiB. */
export const MAX_JSON = Math.min(512 * 1024 * 1024, constants.MAX_STRING_LENGTH);

type Json = Record<string, unknown>;

/**
 * Reads the boundaries of an Overpass JSON response: `out body` with separate ways and nodes, `out geom` with geometry
 * in the members, or `out geom` ways; with or without tags and versions. Elements with only `bounds` or `center` do not
 * have a geometry.
 * @throws Error for anything but a complete response; if the server stopped early, it contains the server's remark, as
 *   such a response may lack any part of the data
 */
export function parseOverpassJson(bytes: Uint8Array): OsmExtract {
  if (bytes.length > MAX_JSON) throw new Error(`JSON of more than ${MAX_JSON} bytes is not read; use PBF`);
  return readOverpass(parse(bytes), bytes.length);
}

/** As parseOverpassJson(), for a parsed document; `bytes` is the size of its text. */
export function readOverpass(document: unknown, bytes: number): OsmExtract {
  const answer = object(document, 'the answer');
  if (answer.remark !== undefined)
    throw new Error(`the server stopped before the end: ${String(answer.remark).trim()}`);
  if (!Array.isArray(answer.elements))
    throw new Error('the JSON has no list of elements: it is not an Overpass answer');
  const elements = answer.elements.map((element) => object(element, 'an element'));
  const of = (type: string) => elements.filter((element) => element.type === type);
  const [nodes, ways, relations] = [of('node'), of('way'), of('relation')];

  const collector = new Collector();
  const carried: OsmNode[] = [];
  const memberWays: OsmWay[] = [];
  for (const element of relations) {
    const tags = readTags(element);
    if (!isBoundaryRelation(tags)) continue;
    collector.addRelation(readRelation(element, tags, memberWays, carried));
  }
  for (const way of memberWays) collector.addWay(way);
  for (const element of ways) {
    const places: OsmNode[] = [];
    if (collector.addWay(readWay(element, places))) for (const node of places) carried.push(node);
  }
  collector.wantNodes();
  for (const node of carried) collector.addNode(node);
  for (const element of nodes) {
    const id = readId(element.id, 'a node');
    if (!collector.wantsNode(id)) continue;
    const { x, y } = readPlace(element, `node ${id}`);
    collector.addNode({ id, version: readVersion(element), tags: readTags(element), x, y });
  }
  const osm3s = answer.osm3s === undefined ? {} : object(answer.osm3s, 'osm3s');
  const timestamp = typeof osm3s.timestamp_osm_base === 'string' ? osm3s.timestamp_osm_base : null;
  const counts = { nodes: nodes.length, ways: ways.length, relations: relations.length };
  return collector.finish(timestamp, counts, bytes);
}

function parse(bytes: Uint8Array): unknown {
  const decoder = utf8Decoder();
  const text = decoder.decode(bytes) + decoder.end();
  try {
    return JSON.parse(text);
  } catch (error) {
    // The engine's message may quote the text; the length is more useful if the connection was cut.
    throw new Error(`the JSON is not complete (${bytes.length} bytes)`, { cause: error });
  }
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
    return { type, ref, role: member.role ?? '' };
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
    tags[key] = value;
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

/**
 * Reads OpenStreetMap's XML (wiki.openstreetmap.org/wiki/OSM_XML); Overpass's dialect of it, where <nd> has lat and
 * lon, also within the <member> of a relation; and OsmChange (wiki.openstreetmap.org/wiki/OsmChange), where objects are
 * in <create>, <modify> and <delete>. The text is fed in pieces; at most one object is in memory.
 */

import { SaxesParser } from 'saxes';
import { defined } from '../defined.ts';
import { boxOf, type MapBox, type PbfCounts } from './blob.ts';
import {
  MAX_PARTS,
  NOWHERE,
  type OsmMember,
  type OsmNode,
  type OsmRelation,
  type OsmWay,
  toX,
  toY,
} from './elements.ts';

/** Callbacks per kind of object; `at`: its timestamp as text. Objects without a handler are only counted. */
export interface OsmXmlHandlers {
  /**
   * Called with a relation and the geometry in its members: ways with coordinates (without node ids), and nodes with
   * coordinates.
   */
  relation?(relation: OsmRelation, ways: OsmWay[], nodes: OsmNode[], at: string | null): void;
  /**
   * Called with a way. It has coordinates if all its nodes have them in the document; otherwise `places` has those that
   * do.
   */
  way?(way: OsmWay, places: OsmNode[], at: string | null): void;
  /** Whether to read a node. */
  wantsNode?(id: number): boolean;
  node?(node: OsmNode, at: string | null): void;
  /** Called with an object that a change deletes; only in an osmChange document. */
  deleted?(kind: 'node' | 'way' | 'relation', id: number, version: number, at: string | null): void;
}

export interface OsmXmlReader {
  /** Parses the next piece of the document. @throws a plain Error on text that is not well-formed or not OSM */
  write(text: string): void;
  /**
   * Ends the document; throws when it is incomplete. `timestamp` is the time of the data as text (for changes, the
   * newest time of their objects), or null; `bbox` the extent that it states to cover, or null.
   */
  close(): { timestamp: string | null; counts: PbfCounts; bbox: MapBox | null };
}

/** The most characters of markup without the end of a tag: far above any real tag, and little memory. */
const MAX_UNFINISHED = 16 * 1024 * 1024;
const MAX_DEPTH = 16;

type Attributes = Readonly<Record<string, string>>;

/** The object being read. */
interface Item {
  kind: 'node' | 'way' | 'relation';
  id: number;
  version: number;
  at: string | null;
  tags: Record<string, string>;
  refs: number[];
  /** Coordinates of the refs; NOWHERE twice for an <nd> without any. */
  xy: number[];
  members: OsmMember[];
  ways: OsmWay[];
  nodes: OsmNode[];
  parts: number;
  lat: string | undefined;
  lon: string | undefined;
}

const ACTIONS = new Set(['create', 'modify', 'delete']);

/** Creates a reader of one document with the root element `root`. */
export function createOsmXmlReader(handlers: OsmXmlHandlers, root: 'osm' | 'osmChange' = 'osm'): OsmXmlReader {
  const parser = new SaxesParser();
  const changes = root === 'osmChange';
  /** Nesting depth of the objects. */
  const level = changes ? 3 : 2;
  let action: string | null = null;
  const counts: PbfCounts = { nodes: 0, ways: 0, relations: 0 };
  let timestamp: string | null = null;
  let bbox: MapBox | null = null;
  let bounds = 0;
  let depth = 0;
  let unfinished = 0;
  let item: Item | null = null;
  /** Interleaved coordinates of the <nd> elements in the current <member>. */
  let memberXy: number[] = [];
  let inRemark = false;
  let remark = '';

  parser.on('opentag', ({ name, attributes }) => {
    unfinished = 0;
    depth++;
    if (depth > MAX_DEPTH) throw new Error(`elements are nested more than ${MAX_DEPTH} deep`);
    if (depth === 1) {
      checkRoot(name, root, attributes);
      if (!changes) timestamp = attributes.timestamp ?? attributes.osm_base ?? null;
    } else if (changes && depth === 2) {
      action = ACTIONS.has(name) ? name : null;
    } else if (depth === level) {
      if (changes && action === null) return;
      if (name === 'node' || name === 'way' || name === 'relation') item = start(name, attributes);
      else if (name === 'meta') timestamp = attributes.osm_base ?? timestamp;
      // The box around several would have places that none of them has.
      else if (name === 'bounds') bbox = ++bounds === 1 ? boundsOf(attributes) : null;
      else if (name === 'remark') inRemark = true;
    } else if (item !== null) {
      if (++item.parts > MAX_PARTS) throw new Error(`${item.kind} ${item.id} has more than ${MAX_PARTS} parts`);
      if (depth === level + 1) child(item, name, attributes);
      else if (depth === level + 2 && name === 'nd') pushPlace(memberXy, attributes);
    }
  });
  parser.on('closetag', ({ name }) => {
    unfinished = 0;
    if (depth === level + 1 && item !== null && name === 'member') endMember(item);
    else if (depth === level) {
      if (item !== null) deliver(item);
      if (inRemark) throw new Error(`the server stopped before the end: ${remark.trim()}`);
      item = null;
    }
    depth--;
  });
  parser.on('text', (text) => {
    if (inRemark && remark.length < 1000) remark += text.slice(0, 1000);
  });

  function start(kind: Item['kind'], attributes: Attributes): Item | null {
    counts[`${kind}s`]++;
    const id = integer(attributes.id, `a ${kind}'s id`);
    if (id === 0) throw new Error(`a ${kind} has the id 0`);
    const version = Math.max(0, integer(attributes.version ?? '0', `the version of ${kind} ${id}`));
    // RFC 3339 timestamps in UTC sort as text.
    const { timestamp: at = '' } = attributes;
    if (changes && at > (timestamp ?? '')) timestamp = at;
    if (action === 'delete') {
      handlers.deleted?.(kind, id, version, at || null);
      return null;
    }
    // History files and editors mark deleted objects, so the file is not a single state of the map.
    if (attributes.visible === 'false' || attributes.action === 'delete') {
      throw new Error(`${kind} ${id} is deleted in this file; one state of the map is needed, not its history`);
    }
    if (kind === 'node' ? handlers.wantsNode?.(id) !== true : handlers[kind] === undefined) return null;
    const { lat, lon } = attributes;
    const own = { kind, id, version, at: at || null, lat, lon };
    return { ...own, tags: {}, refs: [], xy: [], members: [], ways: [], nodes: [], parts: 0 };
  }

  function child(item: Item, name: string, attributes: Attributes): void {
    if (name === 'tag') {
      if (attributes.k === undefined || attributes.v === undefined) {
        throw new Error(`${item.kind} ${item.id} has a tag without key or value`);
      }
      item.tags[attributes.k] = attributes.v;
    } else if (name === 'nd' && item.kind === 'way') {
      if (attributes.ref !== undefined) item.refs.push(integer(attributes.ref, `a node of way ${item.id}`));
      pushPlace(item.xy, attributes);
    } else if (name === 'member' && item.kind === 'relation') {
      const type = memberType(attributes.type);
      if (type === null) throw new Error(`relation ${item.id} has a member of unknown type`);
      const ref = integer(attributes.ref, `a member of relation ${item.id}`);
      item.members.push({ type, ref, role: attributes.role ?? '' });
      if (type === 'n' && attributes.lat !== undefined && attributes.lon !== undefined) {
        item.nodes.push({ id: ref, version: 0, tags: {}, x: lonOf(attributes.lon), y: latOf(attributes.lat) });
      }
      memberXy = [];
    }
  }

  function endMember(item: Item): void {
    const member = item.members.at(-1);
    if (member?.type !== 'w' || memberXy.length === 0) return;
    item.ways.push({ id: member.ref, version: 0, tags: {}, refs: null, coords: complete(memberXy), missing: null });
    memberXy = [];
  }

  function deliver({ kind, id, version, at, tags, refs, xy, members, ways, nodes, lat, lon }: Item): void {
    if (kind === 'relation') handlers.relation?.({ id, version, tags, members }, ways, nodes, at);
    else if (kind === 'node') {
      if (lat === undefined || lon === undefined) throw new Error(`node ${id} has no lat and lon`);
      handlers.node?.({ id, version, tags, x: lonOf(lon), y: latOf(lat) }, at);
    } else {
      if (refs.length > 0 && refs.length * 2 !== xy.length) throw new Error(`way ${id} has nodes without ref`);
      const coords = complete(xy);
      const places: OsmNode[] = [];
      for (let k = 0; k < refs.length; k++) {
        if (coords === null && xy[2 * k] !== NOWHERE) {
          places.push({ id: defined(refs[k]), version: 0, tags: {}, x: defined(xy[2 * k]), y: defined(xy[2 * k + 1]) });
        }
      }
      const known = refs.length > 0 ? Float64Array.from(refs) : null;
      handlers.way?.({ id, version, tags, refs: known, coords, missing: null }, places, at);
    }
  }

  return {
    write(text) {
      parser.write(text);
      unfinished += text.length;
      if (unfinished > MAX_UNFINISHED) {
        throw new Error(`line ${parser.line}: a tag or text has no end within ${MAX_UNFINISHED} characters`);
      }
    },
    close() {
      parser.close();
      return { timestamp, counts, bbox };
    },
  };
}

function boundsOf({ minlon, minlat, maxlon, maxlat }: Attributes): MapBox | null {
  const [west, south, east, north] = [minlon, minlat, maxlon, maxlat].map((text = '') => Number.parseFloat(text));
  return boxOf(defined(west), defined(south), defined(east), defined(north));
}

function checkRoot(name: string, root: string, attributes: Attributes): void {
  if (name !== root) throw new Error(`the root element is <${name.slice(0, 80)}> and not <${root}>`);
  const version = attributes.version ?? '0.6';
  if (version !== '0.6') throw new Error(`OSM XML version ${version.slice(0, 20)} is not read, only 0.6`);
}

/** The coordinates, or null when there are none or one is unknown. */
function complete(xy: number[]): Int32Array | null {
  return xy.length === 0 || xy.includes(NOWHERE) ? null : Int32Array.from(xy);
}

function pushPlace(xy: number[], { lat, lon }: Attributes): void {
  if (lat === undefined || lon === undefined) xy.push(NOWHERE, NOWHERE);
  else xy.push(lonOf(lon), latOf(lat));
}

function memberType(type: string | undefined): OsmMember['type'] | null {
  return type === 'node' ? 'n' : type === 'way' ? 'w' : type === 'relation' ? 'r' : null;
}

function lonOf(text: string): number {
  return toX(decimal(text));
}

function latOf(text: string): number {
  return toY(decimal(text));
}

/** A decimal number; NaN for other texts that Number() accepts: blanks, hexadecimal, Infinity. */
function decimal(text: string): number {
  return /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
}

function integer(text: string | undefined, what: string): number {
  const value = text !== undefined && /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new Error(`${what} is ${text === undefined ? 'absent' : text.slice(0, 40)}`);
  return value;
}

/**
 * What boundaries need of a PBF file's OSMData blobs. Every function is pure: the bytes of one blob in (unpacked:
 * blob.ts), its boundaries' parts out; all throw a plain Error on bytes that are not what the format says.
 */
import { type Block, EMPTY, openBlock, type PbfCounts, packed, stringAt } from './blob.ts';
import {
  checkX,
  checkY,
  hasBoundaryTag,
  isBoundaryRelation,
  isClosed,
  lowerBound,
  MAX_PARTS,
  NOWHERE,
  type OsmMember,
  type OsmNode,
  type OsmRelation,
  type OsmWay,
} from './model.ts';
import { countPacked, Deltas, Message, type Packed, unpackDeltas, unpackInts } from './protobuf.ts';

export interface PbfRelations {
  counts: PbfCounts;
  /** The boundary relations only. */
  relations: OsmRelation[];
}

export interface PbfWays {
  counts: PbfCounts;
  /** The wanted ways and the closed ways with a boundary tag. `coords` is null unless the file keeps places on ways. */
  ways: OsmWay[];
}

export interface PbfNodes {
  counts: PbfCounts;
  /** Those found of the nodes whose tags were asked for. */
  tagged: OsmNode[];
  /** The least and the greatest id, wanted or not; Infinity and -Infinity when there is no node. */
  least: number;
  greatest: number;
  /** Whether the ids ascend. */
  ascending: boolean;
}

/** Counts the objects of an unpacked OSMData blob. */
export function countBlob(bytes: Uint8Array): PbfCounts {
  return openBlock(bytes).counts;
}

/** Reads the boundary relations of an unpacked OSMData blob. */
export function decodeRelations(bytes: Uint8Array): PbfRelations {
  const block = openBlock(bytes);
  const relations: OsmRelation[] = [];
  if (block.counts.relations > 0 && boundaryKeys(block).size > 0) {
    for (const group of block.groups) {
      eachItem(block, group, 4, (message) => {
        const relation = readRelation(block, message);
        if (relation !== null) relations.push(relation);
      });
    }
  }
  return { counts: block.counts, relations };
}

/** Reads the ways of an unpacked OSMData blob whose ids are in `wanted` (ascending), and closed ways with a boundary tag. */
export function decodeWays(bytes: Uint8Array, wanted: Float64Array): PbfWays {
  const block = openBlock(bytes);
  const ways: OsmWay[] = [];
  if (block.counts.ways > 0) {
    const finder = new Finder(wanted);
    const candidates = boundaryKeys(block);
    for (const group of block.groups) {
      eachItem(block, group, 3, (message) => {
        const way = readWay(block, message, finder, candidates);
        if (way !== null) ways.push(way);
      });
    }
  }
  return { counts: block.counts, ways };
}

/**
 * Puts the places (x and y in 1e-7 degrees) of the nodes whose ids are in `wanted` (ascending, no duplicates) into
 * `places`, at their index there, and reads version and tags of those also in `tagged` (ascending). Threads may share
 * `places`; a place that is there already and differs is an error.
 */
export function decodeNodes(
  bytes: Uint8Array,
  wanted: Float64Array,
  tagged: Float64Array,
  places: Int32Array,
): PbfNodes {
  const block = openBlock(bytes);
  const found: Found = {
    finder: new Finder(wanted),
    places,
    wantedTags: tagged,
    tagged: [],
    least: Number.POSITIVE_INFINITY,
    greatest: Number.NEGATIVE_INFINITY,
    ascending: true,
  };
  if (block.counts.nodes > 0) {
    for (const group of block.groups) {
      eachItem(block, group, 2, (message) => readDense(block, message, found));
      eachItem(block, group, 1, (message) => readNode(block, message, found));
    }
  }
  const { least, greatest, ascending } = found;
  return { counts: block.counts, tagged: found.tagged, least, greatest, ascending };
}

interface Found {
  readonly finder: Finder;
  readonly places: Int32Array;
  readonly wantedTags: Float64Array;
  readonly tagged: OsmNode[];
  least: number;
  greatest: number;
  ascending: boolean;
}

/** Calls back with a cursor over each message of one field of a group. */
function eachItem(block: Block, group: Packed, field: number, item: (message: Message) => void): void {
  const message = new Message(block.bytes, group.start, group.end);
  while (message.next()) {
    if (message.field === field) item(message.message());
    else message.skip();
  }
}

/**
 * The indices of the string "boundary", or none when the table lacks the values that count as well: most blocks need
 * no look at the tags of their ways.
 */
function boundaryKeys(block: Block): ReadonlySet<number> {
  const { strings } = block;
  const keys = new Set<number>();
  let value = false;
  for (let k = 0; k < strings.length / 2; k++) {
    const length = strings[2 * k + 1] - strings[2 * k];
    if (length === 8 && stringAt(block, k) === 'boundary') keys.add(k);
    else if (length === 14) value ||= stringAt(block, k) === 'administrative';
    else if (length === 11) value ||= stringAt(block, k) === 'postal_code';
  }
  return value ? keys : new Set();
}

function anyOf(block: Block, column: Packed, wanted: ReadonlySet<number>): boolean {
  if (wanted.size === 0) return false;
  const message = new Message(block.bytes, column.start, column.end);
  while (message.position < message.end) if (wanted.has(message.uint())) return true;
  return false;
}

function readTags(block: Block, keys: Packed, values: Packed): Record<string, string> {
  const k = unpackInts(block.bytes, keys);
  const v = unpackInts(block.bytes, values);
  if (k.length !== v.length) throw new Error('an object has more tag keys than values, or fewer');
  const tags: Record<string, string> = {};
  for (let t = 0; t < k.length; t++) tags[stringAt(block, k[t])] = stringAt(block, v[t]);
  return tags;
}

/** The version in an Info message; 0 when it has none. */
function readVersion(info: Message, name: string, id: number): number {
  let version = 0;
  while (info.next()) {
    if (info.field === 1) version = Math.max(0, info.intField());
    else if (info.field === 6 && info.uintField() === 0) throw deleted(name, id);
    else if (info.field !== 6) info.skip();
  }
  return version;
}

function deleted(name: string, id: number): Error {
  return new Error(`${name} ${id} is deleted in this file; one state of the map is needed, not its history`);
}

/** The fields that the three kinds of object share, located in one go. */
interface Parts {
  id: number;
  keys: Packed;
  values: Packed;
  info: Message | null;
  /** Packed fields 8, 9 and 10. */
  eight: Packed;
  nine: Packed;
  ten: Packed;
}

function locate(message: Message, name: string): Parts {
  const parts: Parts = {
    id: Number.NaN,
    keys: EMPTY,
    values: EMPTY,
    info: null,
    eight: EMPTY,
    nine: EMPTY,
    ten: EMPTY,
  };
  while (message.next()) {
    switch (message.field) {
      case 1:
        parts.id = message.intField();
        break;
      case 2:
        parts.keys = packed(message, parts.keys);
        break;
      case 3:
        parts.values = packed(message, parts.values);
        break;
      case 4:
        parts.info = message.message();
        break;
      case 8:
        parts.eight = packed(message, parts.eight);
        break;
      case 9:
        parts.nine = packed(message, parts.nine);
        break;
      case 10:
        parts.ten = packed(message, parts.ten);
        break;
      default:
        message.skip();
    }
  }
  if (Number.isNaN(parts.id)) throw new Error(`a ${name} has no id`);
  for (const column of [parts.keys, parts.values, parts.eight, parts.nine, parts.ten]) {
    // A number takes a byte at least: most columns need no count.
    if (column.end - column.start > MAX_PARTS && countPacked(message.bytes, column) > MAX_PARTS) {
      throw new Error(`${name} ${parts.id} has more than ${MAX_PARTS} parts`);
    }
  }
  return parts;
}

const MEMBER_TYPES: readonly OsmMember['type'][] = ['n', 'w', 'r'];

function readRelation(block: Block, message: Message): OsmRelation | null {
  const parts = locate(message, 'relation');
  const tags = readTags(block, parts.keys, parts.values);
  if (!isBoundaryRelation(tags)) return null;
  const roles = unpackInts(block.bytes, parts.eight);
  const refs = unpackDeltas(block.bytes, parts.nine);
  const types = unpackInts(block.bytes, parts.ten);
  if (roles.length !== refs.length || types.length !== refs.length) {
    throw new Error(`relation ${parts.id} has member lists of different lengths`);
  }
  const members: OsmMember[] = [];
  for (let m = 0; m < refs.length; m++) {
    const type = MEMBER_TYPES[types[m]];
    if (type === undefined) throw new Error(`relation ${parts.id} has a member of the unknown type ${types[m]}`);
    members.push({ type, ref: refs[m], role: stringAt(block, roles[m]) });
  }
  const version = parts.info === null ? 0 : readVersion(parts.info, 'relation', parts.id);
  return { id: parts.id, version, tags, members };
}

function readWay(block: Block, message: Message, finder: Finder, candidates: ReadonlySet<number>): OsmWay | null {
  const parts = locate(message, 'way');
  const wanted = finder.find(parts.id) >= 0;
  if (!wanted && !anyOf(block, parts.keys, candidates)) return null;
  const tags = readTags(block, parts.keys, parts.values);
  if (!wanted && !hasBoundaryTag(tags)) return null;
  const refs = unpackDeltas(block.bytes, parts.eight);
  if (!wanted && !isClosed(refs)) return null;
  const version = parts.info === null ? 0 : readVersion(parts.info, 'way', parts.id);
  return { id: parts.id, version, tags, refs, coords: wayPlaces(block, parts, refs), missing: null };
}

/** The places that a file with the optional feature LocationsOnWays repeats on its ways; null when not complete. */
function wayPlaces(block: Block, parts: Parts, refs: Float64Array): Int32Array | null {
  if (parts.nine.start === parts.nine.end) return null;
  const lat = unpackDeltas(block.bytes, parts.nine);
  const lon = unpackDeltas(block.bytes, parts.ten);
  if (lat.length !== refs.length || lon.length !== refs.length) {
    throw new Error(`way ${parts.id} has ${refs.length} nodes and ${lat.length} and ${lon.length} places`);
  }
  const coords = new Int32Array(2 * refs.length);
  for (let k = 0; k < refs.length; k++) {
    const x = place(block.lonOffset, block.granularity, lon[k]);
    const y = place(block.latOffset, block.granularity, lat[k]);
    // Writers mark a node they did not have by a place off the globe; the node itself may still be in the file.
    if (!(Math.abs(x) <= 1_800_000_000 && Math.abs(y) <= 900_000_000)) return null;
    coords[2 * k] = x;
    coords[2 * k + 1] = y;
  }
  return coords;
}

/** From units of the block to 1e-7 degrees: 1e-9 (offset + granularity × value) degrees, rounded. */
function place(offset: number, granularity: number, value: number): number {
  return Math.round((offset + granularity * value) / 100);
}

function readNode(block: Block, message: Message, found: Found): void {
  let id = Number.NaN;
  let lat = Number.NaN;
  let lon = Number.NaN;
  let keys = EMPTY;
  let values = EMPTY;
  let info: Message | null = null;
  while (message.next()) {
    if (message.field === 1) id = message.sintField();
    else if (message.field === 2) keys = packed(message, keys);
    else if (message.field === 3) values = packed(message, values);
    else if (message.field === 4) info = message.message();
    else if (message.field === 8) lat = message.sintField();
    else if (message.field === 9) lon = message.sintField();
    else message.skip();
  }
  if (Number.isNaN(id)) throw new Error('a node has no id');
  note(found, id);
  const at = found.finder.find(id);
  if (at < 0) return;
  put(block, found, at, lon, lat);
  if (!holds(found.wantedTags, id)) return;
  const [x, y] = found.places.subarray(2 * at);
  const version = info === null ? 0 : readVersion(info, 'node', id);
  found.tagged.push({ id, version, tags: readTags(block, keys, values), x, y });
}

const SLICE = 1024;

function readDense(block: Block, message: Message, found: Found): void {
  const { finder, wantedTags: tagged } = found;
  let ids = EMPTY;
  let lats = EMPTY;
  let lons = EMPTY;
  let keysValues = EMPTY;
  let info: Message | null = null;
  while (message.next()) {
    if (message.field === 1) ids = packed(message, ids);
    else if (message.field === 5) info = message.message();
    else if (message.field === 8) lats = packed(message, lats);
    else if (message.field === 9) lons = packed(message, lons);
    else if (message.field === 10) keysValues = packed(message, keysValues);
    else message.skip();
  }
  // First the ids alone: most groups hold nothing that is wanted, and their places and tags stay unread.
  const slice = new Float64Array(SLICE);
  const rows: number[] = [];
  const at: number[] = [];
  const labels: number[] = [];
  const idColumn = new Deltas(block.bytes, ids.start, ids.end);
  let row = 0;
  for (let n = idColumn.fill(slice); n > 0; n = idColumn.fill(slice)) {
    for (let k = 0; k < n; k++, row++) {
      note(found, slice[k]);
      const index = finder.find(slice[k]);
      if (index < 0) continue;
      if (holds(tagged, slice[k])) labels.push(rows.length);
      rows.push(row);
      at.push(index);
    }
  }
  if (rows.length === 0) return;
  const lat = pick(block, lats, rows, row, slice);
  const lon = pick(block, lons, rows, row, slice);
  for (let k = 0; k < rows.length; k++) put(block, found, at[k], lon[k], lat[k]);
  if (labels.length === 0) return;
  const versions = denseVersions(block, info, row);
  const tags = denseTags(
    block,
    keysValues,
    labels.map((k) => rows[k]),
  );
  labels.forEach((k, n) => {
    const id = finder.ids[at[k]];
    const version = Math.max(0, versions?.[rows[k]] ?? 0);
    const [x, y] = found.places.subarray(2 * at[k]);
    found.tagged.push({ id, version, tags: tags[n], x, y });
  });
}

/** The values of a delta column at ascending `rows`; the column must have `total` of them. */
function pick(block: Block, column: Packed, rows: number[], total: number, slice: Float64Array): Float64Array {
  const out = new Float64Array(rows.length);
  const deltas = new Deltas(block.bytes, column.start, column.end);
  let start = 0;
  let next = 0;
  for (let n = deltas.fill(slice); n > 0; n = deltas.fill(slice)) {
    for (; next < rows.length && rows[next] < start + n; next++) out[next] = slice[rows[next] - start];
    start += n;
  }
  if (start !== total) throw new Error(`${total} dense nodes have ${start} latitudes or longitudes`);
  return out;
}

function denseVersions(block: Block, info: Message | null, total: number): number[] | null {
  let versions: number[] | null = null;
  while (info?.next()) {
    if (info.field === 1) versions = unpackInts(block.bytes, packed(info));
    else info.skip();
  }
  if (versions !== null && versions.length !== total) {
    throw new Error(`${total} dense nodes have ${versions.length} versions`);
  }
  return versions;
}

/** The tags of the dense nodes at ascending `rows`: the column is key, value, key, value, …, 0 for each node in turn. */
function denseTags(block: Block, column: Packed, rows: number[]): Record<string, string>[] {
  const out = rows.map((): Record<string, string> => ({}));
  const message = new Message(block.bytes, column.start, column.end);
  let row = 0;
  let next = 0;
  while (message.position < message.end && next < rows.length) {
    const key = message.uint();
    if (key === 0) {
      if (row === rows[next]) next++;
      row++;
    } else {
      const value = message.uint();
      if (row === rows[next]) out[next][stringAt(block, key)] = stringAt(block, value);
    }
  }
  if (next < rows.length && column.end > column.start) throw new Error('dense nodes have too few tag lists');
  return out;
}

function note(found: Found, id: number): void {
  if (id < found.greatest) found.ascending = false;
  else found.greatest = id;
  if (id < found.least) found.least = id;
}

/** Another thread may come to the same node, in another blob: each number is put where none is, or must be there. */
function put(block: Block, { finder, places }: Found, at: number, lon: number, lat: number): void {
  const x = checkX(place(block.lonOffset, block.granularity, lon));
  const y = checkY(place(block.latOffset, block.granularity, lat));
  const before = Atomics.compareExchange(places, 2 * at, NOWHERE, x);
  const below = Atomics.compareExchange(places, 2 * at + 1, NOWHERE, y);
  if ((before !== NOWHERE && before !== x) || (below !== NOWHERE && below !== y)) {
    throw new Error(`node ${finder.ids[at]} comes twice, with different places`);
  }
}

function holds(ids: Float64Array, id: number): boolean {
  return ids[lowerBound(ids, id)] === id;
}

/** Looks ids up in an ascending list; fast when they come in ascending order, as files have them, right in any. */
class Finder {
  readonly ids: Float64Array;
  private cursor = 0;
  private last = Number.POSITIVE_INFINITY;

  constructor(ids: Float64Array) {
    this.ids = ids;
  }

  /** The index of `id`, or -1. */
  find(id: number): number {
    const { ids } = this;
    let k = this.cursor;
    if (id < this.last) k = lowerBound(ids, id);
    else if (k < ids.length && ids[k] < id) {
      // A few steps before a search: neighbors in the file are neighbors in the list.
      const near = Math.min(k + 4, ids.length);
      while (k < near && ids[k] < id) k++;
      if (k === near) k = lowerBound(ids, id, k);
    }
    this.last = id;
    this.cursor = k;
    return ids[k] === id ? k : -1;
  }
}

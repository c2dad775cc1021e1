/**
 * Extracts what boundaries need from the relations and ways in a PBF file's OSMData blobs (for nodes: pbf_nodes.ts).
 * Every function is pure: it takes the bytes of one unpacked blob (blob.ts) and throws a plain Error on bytes that
 * break the format.
 */
import { defined } from '../defined.ts';
import { type Block, EMPTY, openBlock, type PbfCounts, packed, stringAt } from './blob.ts';
import {
  isClosed,
  isCoastline,
  type Kept,
  keepsArea,
  keepsRelation,
  MAX_PARTS,
  type OsmMember,
  type OsmRelation,
  type OsmWay,
} from './elements.ts';
import { eachItem, Finder, place, readTags, readVersion } from './pbf_fields.ts';
import { countPacked, Message, type Packed, unpackDeltas, unpackInts } from './protobuf.ts';

export interface PbfRelations {
  counts: PbfCounts;
  /** Only the relations that are kept. */
  relations: OsmRelation[];
}

export interface PbfWays {
  counts: PbfCounts;
  /**
   * The wanted ways, closed ways with a boundary tag, and coastlines. `coords` is null unless the file stores coordinates on ways.
   */
  ways: OsmWay[];
}

/** Counts the objects of an unpacked OSMData blob. */
export function countBlob(bytes: Uint8Array): PbfCounts {
  return openBlock(bytes).counts;
}

/** Reads the relations of boundaries, or of inland water, of an unpacked OSMData blob. */
export function decodeRelations(bytes: Uint8Array, kept: Kept = 'boundaries'): PbfRelations {
  const block = openBlock(bytes);
  const relations: OsmRelation[] = [];
  if (block.counts.relations > 0 && areaKeys(block, kept).size > 0) {
    for (const group of block.groups) {
      eachItem(block, group, 4, (message) => {
        const relation = readRelation(block, message, kept);
        if (relation !== null) relations.push(relation);
      });
    }
  }
  return { counts: block.counts, relations };
}

/**
 * Reads the ways of an unpacked OSMData blob with ids in `wanted` (ascending), closed ways with a boundary tag, and
 * coastlines; of inland water, those with its tags.
 */
export function decodeWays(bytes: Uint8Array, wanted: Float64Array, kept: Kept = 'boundaries'): PbfWays {
  const block = openBlock(bytes);
  const ways: OsmWay[] = [];
  if (block.counts.ways > 0) {
    const finder = new Finder(wanted);
    const candidates = new Set([...areaKeys(block, kept), ...(kept === 'boundaries' ? coastKeys(block) : [])]);
    for (const group of block.groups) {
      eachItem(block, group, 3, (message) => {
        const way = readWay(block, message, { finder, candidates, kept });
        if (way !== null) ways.push(way);
      });
    }
  }
  return { counts: block.counts, ways };
}

/**
 * The indexes of the string "boundary"; empty when the table has none of the tag values that count. Most blocks then
 * need no look at the tags of their ways.
 */
function boundaryKeys(block: Block): ReadonlySet<number> {
  const { strings } = block;
  const keys = new Set<number>();
  let value = false;
  for (let k = 0; k < strings.length / 2; k++) {
    const length = defined(strings[2 * k + 1]) - defined(strings[2 * k]);
    if (length === 8 && stringAt(block, k) === 'boundary') keys.add(k);
    else if (length === 14) value ||= stringAt(block, k) === 'administrative';
    else if (length === 11) value ||= stringAt(block, k) === 'postal_code';
  }
  return value ? keys : new Set();
}

/** The indexes of the strings that are keys of what is kept. */
function areaKeys(block: Block, kept: Kept): ReadonlySet<number> {
  return kept === 'water' ? waterKeys(block) : boundaryKeys(block);
}

const WATER_KEYS = new Set(['natural', 'waterway', 'landuse', 'water']);

function waterKeys(block: Block): ReadonlySet<number> {
  const { strings } = block;
  const keys = new Set<number>();
  for (let k = 0; k < strings.length / 2; k++) {
    const length = defined(strings[2 * k + 1]) - defined(strings[2 * k]);
    if (length >= 5 && length <= 8 && WATER_KEYS.has(stringAt(block, k))) keys.add(k);
  }
  return keys;
}

/** The indexes of the string "natural"; empty when the table does not have "coastline". */
function coastKeys(block: Block): readonly number[] {
  const { strings } = block;
  const keys: number[] = [];
  let value = false;
  for (let k = 0; k < strings.length / 2; k++) {
    const length = defined(strings[2 * k + 1]) - defined(strings[2 * k]);
    if (length === 7 && stringAt(block, k) === 'natural') keys.push(k);
    else if (length === 9) value ||= stringAt(block, k) === 'coastline';
  }
  return value ? keys : [];
}

function anyOf(block: Block, column: Packed, wanted: ReadonlySet<number>): boolean {
  if (wanted.size === 0) return false;
  const message = new Message(block.bytes, column.start, column.end);
  while (message.position < message.end) if (wanted.has(message.uint())) return true;
  return false;
}

/** The fields that the kinds of objects share, located in one pass. */
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
    // A number takes at least one byte, so most columns need no count.
    if (column.end - column.start > MAX_PARTS && countPacked(message.bytes, column) > MAX_PARTS) {
      throw new Error(`${name} ${parts.id} has more than ${MAX_PARTS} parts`);
    }
  }
  return parts;
}

const MEMBER_TYPES: readonly OsmMember['type'][] = ['n', 'w', 'r'];

function readRelation(block: Block, message: Message, kept: Kept): OsmRelation | null {
  const parts = locate(message, 'relation');
  const tags = readTags(block, parts.keys, parts.values);
  if (!keepsRelation(tags, kept)) return null;
  const roles = unpackInts(block.bytes, parts.eight);
  const refs = unpackDeltas(block.bytes, parts.nine);
  const types = unpackInts(block.bytes, parts.ten);
  if (roles.length !== refs.length || types.length !== refs.length) {
    throw new Error(`relation ${parts.id} has member lists of different lengths`);
  }
  const members: OsmMember[] = [];
  for (let m = 0; m < refs.length; m++) {
    const type = MEMBER_TYPES[defined(types[m])];
    if (type === undefined) throw new Error(`relation ${parts.id} has a member of the unknown type ${types[m]}`);
    members.push({ type, ref: defined(refs[m]), role: stringAt(block, defined(roles[m])) });
  }
  const version = parts.info === null ? 0 : readVersion(parts.info, 'relation', parts.id);
  return { id: parts.id, version, tags, members };
}

/** The ways that are wanted: by id, and by the indexes of the keys that they may have. */
interface WantedWays {
  readonly finder: Finder;
  readonly candidates: ReadonlySet<number>;
  readonly kept: Kept;
}

function readWay(block: Block, message: Message, { finder, candidates, kept }: WantedWays): OsmWay | null {
  const parts = locate(message, 'way');
  const wanted = finder.find(parts.id) >= 0;
  if (!wanted && !anyOf(block, parts.keys, candidates)) return null;
  const tags = readTags(block, parts.keys, parts.values);
  const coast = kept === 'boundaries' && isCoastline(tags);
  if (!wanted && !coast && !keepsArea(tags, kept)) return null;
  const refs = unpackDeltas(block.bytes, parts.eight);
  if (!wanted && !coast && !isClosed(refs)) return null;
  const version = parts.info === null ? 0 : readVersion(parts.info, 'way', parts.id);
  return { id: parts.id, version, tags, refs, coords: wayPlaces(block, parts, refs), missing: null };
}

/** The coordinates that a file with the optional feature LocationsOnWays stores on its ways; null when incomplete. */
function wayPlaces(block: Block, parts: Parts, refs: Float64Array): Int32Array | null {
  if (parts.nine.start === parts.nine.end) return null;
  const lat = unpackDeltas(block.bytes, parts.nine);
  const lon = unpackDeltas(block.bytes, parts.ten);
  if (lat.length !== refs.length || lon.length !== refs.length) {
    throw new Error(`way ${parts.id} has ${refs.length} nodes and ${lat.length} and ${lon.length} places`);
  }
  const coords = new Int32Array(2 * refs.length);
  for (let k = 0; k < refs.length; k++) {
    const x = place(block.lonOffset, block.granularity, defined(lon[k]));
    const y = place(block.latOffset, block.granularity, defined(lat[k]));
    // Writers mark a missing node by a place off the globe. The node itself may still be in the file.
    if (!(Math.abs(x) <= 1_800_000_000 && Math.abs(y) <= 900_000_000)) return null;
    coords[2 * k] = x;
    coords[2 * k + 1] = y;
  }
  return coords;
}

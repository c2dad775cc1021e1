/** Extracts what boundaries need from the nodes in a PBF file's OSMData blobs, plain and dense. */
import { defined } from '../defined.ts';
import { type Block, EMPTY, openBlock, type PbfCounts, packed, stringAt } from './blob.ts';
import { checkX, checkY, lowerBound, NOWHERE, type OsmNode } from './elements.ts';
import { eachItem, Finder, place, readTags, readVersion } from './pbf_fields.ts';
import { Deltas, Message, type Packed, unpackInts } from './protobuf.ts';

export interface PbfNodes {
  counts: PbfCounts;
  /** The nodes found whose tags were requested. */
  tagged: OsmNode[];
  /** The lowest and the highest id, wanted or not; Infinity and -Infinity without nodes. */
  least: number;
  greatest: number;
  /** Whether the ids ascend. */
  ascending: boolean;
}

/**
 * Writes the coordinates (x, y in 1e-7 degrees) of the nodes with ids in `wanted` (ascending, no duplicates) into
 * `places`, at their index in `wanted`, and reads version and tags of those also in `tagged` (ascending). Threads may
 * share `places`.
 * @throws when other coordinates for a node are already there
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
  const [x = 0, y = 0] = found.places.subarray(2 * at);
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
  // Reads only the ids first: in most groups nothing is wanted, and their coordinates and tags are never read.
  const slice = new Float64Array(SLICE);
  const rows: number[] = [];
  const at: number[] = [];
  const labels: number[] = [];
  const idColumn = new Deltas(block.bytes, ids.start, ids.end);
  let row = 0;
  for (let n = idColumn.fill(slice); n > 0; n = idColumn.fill(slice)) {
    for (let k = 0; k < n; k++, row++) {
      note(found, defined(slice[k]));
      const index = finder.find(defined(slice[k]));
      if (index < 0) continue;
      if (holds(tagged, defined(slice[k]))) labels.push(rows.length);
      rows.push(row);
      at.push(index);
    }
  }
  if (rows.length === 0) return;
  const lat = pick(block, lats, rows, row, slice);
  const lon = pick(block, lons, rows, row, slice);
  for (let k = 0; k < rows.length; k++) put(block, found, defined(at[k]), defined(lon[k]), defined(lat[k]));
  if (labels.length === 0) return;
  const versions = denseVersions(block, info, row);
  const tags = denseTags(
    block,
    keysValues,
    labels.map((k) => defined(rows[k])),
  );
  labels.forEach((k, n) => {
    const id = defined(finder.ids[defined(at[k])]);
    const version = Math.max(0, versions?.[defined(rows[k])] ?? 0);
    const [x = 0, y = 0] = found.places.subarray(2 * defined(at[k]));
    found.tagged.push({ id, version, tags: defined(tags[n]), x, y });
  });
}

/** The values of a delta column at ascending `rows`. @throws unless the column has `total` values */
function pick(block: Block, column: Packed, rows: number[], total: number, slice: Float64Array): Float64Array {
  const out = new Float64Array(rows.length);
  const deltas = new Deltas(block.bytes, column.start, column.end);
  let start = 0;
  let next = 0;
  for (let n = deltas.fill(slice); n > 0; n = deltas.fill(slice)) {
    for (; next < rows.length && defined(rows[next]) < start + n; next++)
      out[next] = defined(slice[defined(rows[next]) - start]);
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

/**
 * The tags of the dense nodes at ascending `rows`. The column is key, value, key, value, …, 0 for each node in turn.
 */
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
      if (row === rows[next]) defined(out[next])[stringAt(block, key)] = stringAt(block, value);
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

/**
 * Another thread may read the same node from another blob, so each number is written only if absent, and otherwise must
 * be equal.
 */
function put(block: Block, { finder, places }: Found, at: number, lon: number, lat: number): void {
  const x = checkX(place(block.lonOffset, block.granularity, lon));
  const y = checkY(place(block.latOffset, block.granularity, lat));
  const before = Atomics.compareExchange(places, 2 * at, NOWHERE, x);
  const below = Atomics.compareExchange(places, 2 * at + 1, NOWHERE, y);
  if ((before !== NOWHERE && before !== x) || (below !== NOWHERE && below !== y)) {
    throw new Error(`node ${finder.ids[at]} occurs twice, with different places`);
  }
}

function holds(ids: Float64Array, id: number): boolean {
  return ids[lowerBound(ids, id)] === id;
}

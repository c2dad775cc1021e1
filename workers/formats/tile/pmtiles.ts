import { gzipSync } from 'node:zlib';
import { defined } from '../../defined.ts';

/**
 * The parts of a PMTiles archive, version 3 (github.com/protomaps/PMTiles, spec/v3/spec.md): a header of 127 bytes, a
 * root directory within the first 16,384 bytes, metadata, leaf directories, and the tiles ordered by id.
 */
const HEADER_BYTES = 127;
const ROOT_MOST = 16_384 - HEADER_BYTES;
const GZIP = 2;
const VECTOR = 1;

/** One tile, or a run of consecutive identical tiles. */
export interface Entry {
  readonly id: number;
  /** Tiles in the run; 0 for an entry that points to a leaf directory. */
  run: number;
  /** The offset of its bytes among all tiles. */
  readonly offset: number;
  readonly length: number;
}

/** The id of a tile: tiles of lower zooms come first, those of one zoom follow a Hilbert curve. Exact up to zoom 26. */
export function tileId(z: number, x: number, y: number): number {
  let id = (4 ** z - 1) / 3;
  let [column, row] = [x, y];
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const [right, low] = [column >= side ? 1 : 0, row >= side ? 1 : 0];
    id += side * side * ((3 * right) ^ low);
    column -= right * side;
    row -= low * side;
    if (low === 1) continue;
    if (right === 1) [column, row] = [side - 1 - column, side - 1 - row];
    [column, row] = [row, column];
  }
  return id;
}

/** What an archive stores besides its tiles. */
export interface About {
  readonly metadata: object;
  readonly maxZoom: number;
  /** West, south, east, north in degrees. */
  readonly bounds: readonly [number, number, number, number];
  /** The number of addressed tiles, and of distinct tile contents. */
  readonly addressed: number;
  readonly contents: number;
  readonly tileBytes: number;
}

/** Everything before the tiles. The tiles must follow in the order of `entries`, each compressed by gzip. */
export function frontOf(entries: readonly Entry[], about: About): Buffer {
  const { root, leaves } = directories(entries);
  const metadata = gzipSync(JSON.stringify(about.metadata));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles');
  header.writeUInt8(3, 7);
  const tilesAt = HEADER_BYTES + root.length + metadata.length + leaves.length;
  const places = [
    ...[HEADER_BYTES, root.length],
    ...[HEADER_BYTES + root.length, metadata.length],
    ...[HEADER_BYTES + root.length + metadata.length, leaves.length],
    ...[tilesAt, about.tileBytes],
    ...[about.addressed, entries.length, about.contents],
  ];
  places.forEach((value, i) => void header.writeBigUInt64LE(BigInt(value), 8 + 8 * i));
  const [west, south, east, north] = about.bounds;
  // Clustered; compression of directories and of tiles; tile type; first and last zoom.
  [1, GZIP, GZIP, VECTOR, 0, about.maxZoom].forEach((value, i) => void header.writeUInt8(value, 96 + i));
  [west, south, east, north].forEach((degrees, i) => void header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * i));
  header.writeUInt8(0, 118);
  header.writeInt32LE(Math.round(((west + east) / 2) * 1e7), 119);
  header.writeInt32LE(Math.round(((south + north) / 2) * 1e7), 123);
  return Buffer.concat([header, root, metadata, leaves]);
}

/** One directory of all entries, or a root of leaf directories when one would be too large for its place. */
function directories(entries: readonly Entry[]): { root: Buffer; leaves: Buffer } {
  const whole = directory(entries);
  if (whole.length <= ROOT_MOST) return { root: whole, leaves: Buffer.alloc(0) };
  for (let size = 4_096; ; size *= 2) {
    const leaves: Buffer[] = [];
    const leading: Entry[] = [];
    let offset = 0;
    for (let from = 0; from < entries.length; from += size) {
      const leaf = directory(entries.slice(from, from + size));
      leading.push({ id: defined(entries[from]).id, run: 0, offset, length: leaf.length });
      leaves.push(leaf);
      offset += leaf.length;
    }
    const root = directory(leading);
    if (root.length <= ROOT_MOST) return { root, leaves: Buffer.concat(leaves) };
  }
}

function directory(entries: readonly Entry[]): Buffer {
  const numbers: number[] = [entries.length];
  entries.forEach(({ id }, i) => void numbers.push(i === 0 ? id : id - defined(entries[i - 1]).id));
  for (const { run } of entries) numbers.push(run);
  for (const { length } of entries) numbers.push(length);
  entries.forEach(({ offset }, i) => {
    const before = entries[i - 1];
    numbers.push(before !== undefined && offset === before.offset + before.length ? 0 : offset + 1);
  });
  return gzipSync(varints(numbers));
}

/** Varints: seven bits per byte, lowest first; the eighth bit is set when more follow. */
function varints(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * numbers.length);
  let at = 0;
  for (const number of numbers) {
    let rest = number;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 128;
    bytes[at++] = rest;
  }
  return bytes.subarray(0, at);
}

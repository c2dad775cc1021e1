import { type FileHandle, open } from 'node:fs/promises';
import { fileBytes, type OnProgress, packingOf } from './bytes.ts';
import type { OsmExtract } from './collect.ts';
import { MAX_JSON, parseOverpassJson } from './overpass.ts';
import { readPbf } from './pbf-file.ts';
import { readPackedPbf } from './spool.ts';
import { readOsmXml } from './xml-file.ts';

export type { OsmMember, OsmNode, OsmRelation, OsmWay } from '../../../workers/osm/model.ts';
export type { OsmExtract } from './collect.ts';

/**
 * Reads the boundaries of an OpenStreetMap file: PBF, OSM XML, Overpass JSON or Overpass XML, each also gzipped or
 * bzip2ed. The content decides, not the name. Kept are the boundary relations (administrative or postal_code; type boundary or
 * multipolygon), the ways and label or admin_centre nodes they name, and closed ways with a boundary tag; memory grows
 * with these and not with the file, except that JSON is read whole (up to 512 MiB).
 *
 * `onProgress` hears of bytes of the file (as stored) done per phase: relations, ways, nodes; of JSON, reading.
 *
 * Throws a plain Error whose message starts with the path and says what is wrong: damaged, truncated or foreign data,
 * an answer that a server did not finish, two states of one object, a file that changed while it was read. Nothing
 * partial is ever returned; what a sound file simply lacks shows as absent ways and as `missing` nodes.
 */
export async function readOsmFile(path: string, onProgress?: OnProgress): Promise<OsmExtract> {
  let file: FileHandle | null = null;
  try {
    file = await open(path);
    const before = await file.stat();
    if (!before.isFile()) throw new Error('not a regular file');
    const extract = await readAny(file, before.size, onProgress);
    const after = await file.stat();
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
      throw new Error('the file changed while it was read');
    }
    return extract;
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    await file?.close();
  }
}

async function readAny(file: FileHandle, bytes: number, onProgress?: OnProgress): Promise<OsmExtract> {
  let start = await firstBytes(fileBytes(file, null));
  const packing = packingOf(start);
  if (packing) start = await firstBytes(fileBytes(file, packing));
  const phase = (name: string) => fileBytes(file, packing, (done) => onProgress?.(done, bytes, name));
  switch (recognise(start)) {
    case 'pbf':
      return packing ? readPackedPbf(phase('unpacking'), bytes, onProgress) : readPbf(file, bytes, onProgress);
    case 'xml':
      return readOsmXml(phase, bytes);
    case 'json': {
      const extract = parseOverpassJson(await whole(phase('reading')));
      extract.read.bytes = bytes;
      return extract;
    }
  }
}

const SNIFF = 4096;

async function firstBytes(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  let start = Buffer.alloc(0);
  for await (const piece of pieces) {
    start = Buffer.concat([start, piece]);
    if (start.length >= SNIFF) break;
  }
  return start.subarray(0, SNIFF);
}

/** Formats that are met under the name of an OSM file and are not read, by their first bytes. */
const FOREIGN: readonly [string, string][] = [
  ['BZh', 'the file is packed twice'],
  ['\x28\xb5\x2f\xfd', 'zstd is not read; unpack it first'],
  ['PK\x03\x04', 'a zip archive is not read; unpack it first'],
  ['\xff\xe0', 'o5m is not read; convert it with osmconvert or osmium cat -o FILE.osm.pbf'],
  ['\x1f\x8b', 'the file is packed twice'],
];

/** What the content is, by its first bytes; throws what can be said about anything else. */
function recognise(start: Buffer): 'pbf' | 'xml' | 'json' {
  if (start.length === 0) throw new Error('the file is empty');
  // A PBF file starts with a header's length, below 64 KiB, and its type: field 1, nine letters.
  if (start[0] === 0 && start[1] === 0 && start.includes('\x0a\x09OSMHeader')) return 'pbf';
  const binary = start.toString('latin1');
  for (const [magic, problem] of FOREIGN) if (binary.startsWith(magic)) throw new Error(problem);
  const text = start.toString('utf8').replace(/^\uFEFF?\s*/, '');
  if (/^<(!doctype\s+html|html\b)/i.test(text) || /<!DOCTYPE html|<html\b/i.test(text)) {
    const said = text
      .replace(/<head\b[\s\S]*?<\/head>|<[^>]*>/gi, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    throw new Error(`a web page and not map data: ${said.slice(0, 300)}`);
  }
  if (text.startsWith('<')) return 'xml';
  if (text.startsWith('{')) return 'json';
  throw new Error('neither PBF nor OSM XML nor Overpass JSON');
}

async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > MAX_JSON) throw new Error(`JSON of more than ${MAX_JSON} bytes is not read; use PBF`);
    parts.push(piece);
  }
  return Buffer.concat(parts, size);
}

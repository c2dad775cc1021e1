import { type FileHandle, open } from 'node:fs/promises';
import type { MapBox } from '../../../workers/osm/blob.ts';
import type { Kept } from '../../../workers/osm/elements.ts';
import { pageText } from '../../common/page_text.ts';
import { fileBytes, type OnProgress, packingOf } from './bytes.ts';
import type { OsmExtract } from './collect.ts';
import { type Decode, decodeHere } from './decode.ts';
import type { Gathered } from './gathered.ts';
import { readOverpassFile } from './overpass_file.ts';
import { PART_SIZE, type PartSize, planParts } from './parts.ts';
import { readPbf } from './pbf_file.ts';
import { readPackedPbf } from './spool.ts';
import { readOsmXml } from './xml_file.ts';

export type { OsmMember, OsmNode, OsmRelation, OsmWay } from '../../../workers/osm/elements.ts';
export type { OsmExtract } from './collect.ts';

/** An OpenStreetMap file that was read: its boundaries, in parts that fit in memory. */
export interface OsmFile {
  /** How many parts there are. */
  readonly parts: number;
  readonly timestamp: string | null;
  /** The extent that the file states to cover; null if it states none. */
  readonly bbox: MapBox | null;
  /** Yields each part once. A way may be in several. */
  extracts(): AsyncGenerator<OsmExtract>;
  close(): Promise<void>;
}

export interface ReadOptions {
  /** What to read; default: boundaries and the coast. */
  readonly kept?: Kept;
  /** Where to decode blobs of PBF files; default: this thread. */
  readonly decode?: Decode;
  /** Overrides the default bounds of memory. */
  readonly size?: PartSize;
  /** Called with the bytes of the file (as stored) done per phase: relations, ways, nodes; for JSON, reading. */
  readonly onProgress?: OnProgress;
}

/**
 * Reads the boundaries of an OpenStreetMap file: PBF, OSM XML, Overpass JSON or Overpass XML, each also gzipped or
 * bzip2ed. The format is detected by content, not by name. It keeps the boundary relations (administrative or
 * postal_code; type boundary or multipolygon), their ways and their label and admin_centre nodes, and closed ways with
 * a boundary tag. Memory is bounded for PBF (gathered.ts, parts.ts) and grows with the kept objects for XML and JSON.
 *
 * It never returns a partial result. Objects that the file lacks are absent ways and `missing` nodes.
 * @throws Error whose message starts with the path and says what is wrong: damaged, truncated or foreign data, an
 *   incomplete server response, two states of one object, a file that changed while it was read
 */
export async function openOsmFile(path: string, options: ReadOptions = {}): Promise<OsmFile> {
  let file: FileHandle | null = null;
  let opened: OsmFile | null = null;
  try {
    file = await open(path);
    const before = await file.stat();
    if (!before.isFile()) throw new Error('not a regular file');
    opened = await openAny(file, before.size, options);
    const after = await file.stat();
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
      throw new Error('the file changed while it was read');
    }
    return opened;
  } catch (error) {
    await opened?.close();
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    await file?.close();
  }
}

/** Reads a file as openOsmFile does, in one part; only for files that are known to be small. */
export async function readOsmFile(path: string, onProgress?: OnProgress): Promise<OsmExtract> {
  const size = { ...PART_SIZE, bytes: Number.POSITIVE_INFINITY };
  const file = await openOsmFile(path, { size, ...(onProgress && { onProgress }) });
  try {
    const { value } = await file.extracts().next();
    return value as OsmExtract;
  } finally {
    await file.close();
  }
}

async function openAny(
  file: FileHandle,
  bytes: number,
  { kept = 'boundaries', decode = decodeHere, size = PART_SIZE, onProgress }: ReadOptions,
): Promise<OsmFile> {
  let start = await firstBytes(fileBytes(file, null));
  const packing = packingOf(start);
  if (packing) start = await firstBytes(fileBytes(file, packing));
  const phase = (name: string) => fileBytes(file, packing, (done) => onProgress?.(done, bytes, name));
  switch (recognize(start)) {
    case 'pbf': {
      const reading = { decode, mostNodes: size.nodes, onProgress, kept };
      return inParts(
        packing ? await readPackedPbf(phase('unpacking'), bytes, reading) : await readPbf(file, bytes, reading),
        size,
      );
    }
    case 'xml':
      return inMemory(await readOsmXml(phase, bytes, kept));
    case 'json':
      return inMemory(await readOverpassFile(phase, bytes, kept));
  }
}

async function inParts(gathered: Gathered, size: PartSize): Promise<OsmFile> {
  try {
    const parts = await planParts(gathered, size);
    return {
      parts: parts.length,
      timestamp: gathered.timestamp,
      bbox: gathered.bbox,
      async *extracts() {
        // The first part has the coast: the land of later ones is cut along what is stored by then.
        for (const [n, part] of parts.entries()) yield await gathered.extract(part, n === 0);
      },
      close: () => gathered.close(),
    };
  } catch (error) {
    await gathered.close();
    throw error;
  }
}

function inMemory(extract: OsmExtract): OsmFile {
  return {
    parts: 1,
    timestamp: extract.timestamp,
    bbox: extract.bbox ?? null,
    async *extracts() {
      yield extract;
    },
    close: async () => {},
  };
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

/** First bytes of formats that may have the name of an OSM file and are not supported, with the error message. */
const FOREIGN: readonly [string, string][] = [
  ['BZh', 'the file is packed twice'],
  ['\x28\xb5\x2f\xfd', 'zstd is not read; unpack it first'],
  ['PK\x03\x04', 'a zip archive is not read; unpack it first'],
  ['\xff\xe0', 'o5m is not read; convert it with osmconvert or osmium cat -o FILE.osm.pbf'],
  ['\x1f\x8b', 'the file is packed twice'],
];

/** The format of a file by its first bytes. @throws Error that says what else it is, as far as recognized */
function recognize(start: Buffer): 'pbf' | 'xml' | 'json' {
  if (start.length === 0) throw new Error('the file is empty');
  // A PBF file starts with the length of a header, below 64 KiB, and its type: field 1, nine letters.
  if (start[0] === 0 && start[1] === 0 && start.includes('\x0a\x09OSMHeader')) return 'pbf';
  const binary = start.toString('latin1');
  for (const [magic, problem] of FOREIGN) if (binary.startsWith(magic)) throw new Error(problem);
  const text = start.toString('utf8').replace(/^\uFEFF?\s*/, '');
  if (/^<(!doctype\s+html|html\b)/i.test(text) || /<!DOCTYPE html|<html\b/i.test(text)) {
    throw new Error(`a web page and not map data: ${pageText(text).slice(0, 300)}`);
  }
  if (text.startsWith('<')) return 'xml';
  if (text.startsWith('{')) return 'json';
  throw new Error('neither PBF nor OSM XML nor Overpass JSON');
}

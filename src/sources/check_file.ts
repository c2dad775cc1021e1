import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { formatOfFile } from './coverage/files.ts';

/** How many bytes of a file are examined. */
const FIRST = 65_536;

/** A `type` member that GeoJSON and TopoJSON have and Overpass JSON does not. */
const TYPE = /"type"\s*:\s*"(FeatureCollection|Feature|Topology|Polygon|MultiPolygon|GeometryCollection)"/;

/**
 * Checks a file before an import starts: that it exists and, if it is not imported as a coverage, that it is not one.
 * @param shown name of the file in error messages
 * @throws Error that says what to do
 */
export async function checkFile(path: string, shown: string, isCoverage: boolean): Promise<void> {
  try {
    await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(`File not found: ${shown}`, { cause: error });
  }
  if (isCoverage) return;
  const looks = await areasIn(path);
  if (looks !== null) throw new Error(`${shown}: This looks like ${looks}. Add --source NAME.`);
}

/** The format of a file that has areas; null for one of OpenStreetMap, or in no format that is read. */
export async function areasIn(path: string): Promise<string | null> {
  const [, type] = TYPE.exec(await firstText(path)) ?? [];
  return type === 'Topology' ? 'TopoJSON' : type === undefined ? otherFormat(path) : 'GeoJSON';
}

/** The format of a file of areas other than JSON, which may be of OpenStreetMap; null for none. */
async function otherFormat(path: string): Promise<string | null> {
  const format = await formatOfFile(path, false);
  return format === 'geojson' ? null : format;
}

/** The first bytes of a file as text, unpacked if gzipped; '' if they cannot be read or are not a JSON object. */
async function firstText(path: string): Promise<string> {
  const start = await readFirst(createReadStream(path, { end: FIRST - 1 }));
  if (start[0] !== 0x1f || start[1] !== 0x8b) return firstBrace(start);
  // Only the start of the packed bytes is read: ignore the error that gunzip reports at the end.
  const unpacked = pipeline(createReadStream(path, { end: FIRST - 1 }), createGunzip(), () => {});
  return firstBrace(await readFirst(unpacked));
}

/** The byte order mark of UTF-8, as Latin-1 reads it. */
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

/** The bytes as text if they start with `{`, else '': other formats may contain any text. */
function firstBrace(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  const start = [...text.slice(0, 100)].find((letter) => letter > ' ' && !BYTE_ORDER_MARK.includes(letter));
  return start === '{' ? text : '';
}

async function readFirst(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length >= FIRST) break;
    }
  } catch {
    // The importer reports a file that cannot be read.
  }
  return Buffer.concat(chunks);
}

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** So many bytes of a file are looked at. */
const FIRST = 65_536;

/** What GeoJSON and TopoJSON call themselves, and Overpass JSON does not. */
const TYPE = /"type"\s*:\s*"(FeatureCollection|Feature|Topology|Polygon|MultiPolygon|GeometryCollection)"/;

/**
 * Looks at a file that is to be imported before anything is opened for it: whether it is there, and, where no coverage
 * is meant, whether it is one all the same.
 * @param shown how the file is called in errors
 * @throws Error that says what to do
 */
export async function lookAtFile(path: string, shown: string, isCoverage: boolean): Promise<void> {
  try {
    await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(`File not found: ${shown}`, { cause: error });
  }
  if (isCoverage) return;
  const [, type] = TYPE.exec(await firstText(path)) ?? [];
  if (type === undefined) return;
  throw new Error(`${shown}: This looks like ${type === 'Topology' ? 'TopoJSON' : 'GeoJSON'}. Add --source NAME.`);
}

/** The first bytes of a file as text, unpacked when it is gzipped; nothing when they cannot be read. */
async function firstText(path: string): Promise<string> {
  const start = await readFirst(createReadStream(path, { end: FIRST - 1 }));
  if (start[0] !== 0x1f || start[1] !== 0x8b) return firstBrace(start);
  // What is left out of the end of the packed bytes is an error of no interest.
  const unpacked = pipeline(createReadStream(path, { end: FIRST - 1 }), createGunzip(), () => {});
  return firstBrace(await readFirst(unpacked));
}

/** The byte order mark of UTF-8, as Latin-1 reads it. */
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

/** Text that begins with an object; nothing of other bytes, which may hold any text. */
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
    // A file that cannot be read is told by who reads it.
  }
  return Buffer.concat(chunks);
}

import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { decoderOf as namedDecoder } from '../../../workers/formats/reading/encodings.ts';
import { type Decode, FEATURES, type Piece, Splitter } from '../json_pieces.ts';

/** How much of a file has been read, in bytes as stored. */
export type ReadProgress = (done: number, total: number) => void;

/** The first bytes of a gzip (RFC 1952), big-endian. */
const GZIP = 0x1f8b;

/**
 * Reads a JSON map file piece by piece, so a file of many features is never in memory as a whole. The file is a
 * collection or has one object per line (also with the record separators of RFC 8142), gzipped or not; its name does
 * not matter.
 * @param encoding of the text: UTF-8 or an ASCII-compatible encoding, by any label that browsers know
 * @throws Error that names the file
 */
export async function* readPieces(path: string, onProgress?: ReadProgress, encoding = 'utf-8'): AsyncGenerator<Piece> {
  const splitter = new Splitter(decoderOf(encoding), FEATURES);
  try {
    const total = (await stat(path)).size;
    const gzipped = await isGzip(path);
    const source = createReadStream(path, { highWaterMark: 1 << 18 });
    // An error of either stream surfaces where the last one is read.
    const bytes = gzipped ? pipeline(source, createGunzip(), () => {}) : source;
    let isFirst = true;
    for await (const chunk of bytes) {
      const [one, two] = chunk as Buffer;
      if (
        isFirst &&
        one !== undefined &&
        two !== undefined &&
        one + two === 0xff + 0xfe &&
        Math.max(one, two) === 0xff
      ) {
        throw new Error('text in UTF-16 is not read: convert the file first (iconv -f UTF-16 -t UTF-8)');
      }
      isFirst = false;
      onProgress?.(source.bytesRead, total);
      yield* splitter.push(chunk as Buffer);
    }
    splitter.end();
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** Encodings in which an ASCII byte is always that character, so brackets and quotes are found without decoding. */
const KEEPS_ASCII = /^(windows-(125\d|874)|iso-8859-\d+(-i)?|koi8-[ru]|macintosh|x-mac-cyrillic|ibm866|euc-(jp|kr))$/;

/** A strict decoder. @throws Error for an unknown or unsupported encoding */
function decoderOf(encoding: string): Decode {
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new Error(`"${encoding}" is not a known encoding. Use latin1, windows-1250, koi8-r, euc-kr …`);
  }
  if (decoder.encoding === 'utf-8') {
    return (bytes) => {
      if (!isUtf8(bytes)) throw notUtf8(bytes);
      return bytes.toString('utf8');
    };
  }
  if (!KEEPS_ASCII.test(decoder.encoding)) {
    throw new Error(`text in ${decoder.encoding} is not read: convert the file first (iconv -f ${encoding} -t UTF-8)`);
  }
  const decode = namedDecoder(decoder.encoding);
  return (bytes) => {
    const text = decode(bytes);
    if (text === null) throw new Error(`the text is not ${decoder.encoding}`);
    return text;
  };
}

/** The error for bytes that are not UTF-8; it shows the first such byte and its context as Latin-1. */
function notUtf8(bytes: Buffer): Error {
  const text = new TextDecoder('utf-8').decode(bytes);
  const at = Buffer.byteLength(text.slice(0, text.indexOf('\ufffd')));
  const around = new TextDecoder('latin1').decode(bytes.subarray(Math.max(0, at - 12), at + 12));
  return new Error(
    `the text is not UTF-8 (near ${JSON.stringify(around)}, read as Latin-1). ` +
      'Name its encoding: --encoding latin1, windows-1250, koi8-r …',
  );
}

/** Whether a file is gzipped, by its first bytes. */
async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.readUInt16BE(0) === GZIP;
  } finally {
    await file.close();
  }
}

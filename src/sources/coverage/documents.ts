import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/**
 * A complete piece of a JSON map file: an element of an object's `features`, or a top-level object without its
 * `features` (a feature of newline-delimited GeoJSON, a topology, the frame of a collection).
 */
export type Piece =
  | { readonly type: 'feature'; readonly value: unknown; readonly text: string }
  | { readonly type: 'document'; readonly value: Readonly<Record<string, unknown>>; readonly features: number };

/** How much of a file has been read, in bytes as stored. */
export type ReadProgress = (done: number, total: number) => void;

/** The longest text that JSON.parse accepts: V8's longest string, 2^29 - 24 characters. */
const LONGEST = 2 ** 29 - 24;

/** Magic numbers, big-endian: "PK", RFC 1952, and the file code of a shapefile. */
const ZIP = 0x504b;
const GZIP = 0x1f8b;
const SHAPEFILE = 9994;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

/**
 * Reads a JSON map file piece by piece, so a file of many features is never in memory as a whole. The file is a
 * collection or has one object per line (also with the record separators of RFC 8142), gzipped or not; its name does
 * not matter.
 * @param encoding of the text: UTF-8 or an ASCII-compatible encoding, by any label that browsers know
 * @throws Error that names the file and, if it has another format, says which
 */
export async function* readPieces(path: string, onProgress?: ReadProgress, encoding = 'utf-8'): AsyncGenerator<Piece> {
  const splitter = new Splitter(decoderOf(encoding));
  try {
    const total = (await stat(path)).size;
    const gzipped = await isGzip(path);
    const source = createReadStream(path, { highWaterMark: 1 << 18 });
    // An error of either stream surfaces where the last one is read.
    const bytes = gzipped ? pipeline(source, createGunzip(), () => {}) : source;
    for await (const chunk of bytes) {
      onProgress?.(source.bytesRead, total);
      yield* splitter.push(chunk as Buffer);
    }
    splitter.end();
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

type Decode = (bytes: Buffer) => string;

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
  return (bytes) => {
    try {
      return decoder.decode(bytes);
    } catch (error) {
      throw new Error(`the text is not ${decoder.encoding}`, { cause: error });
    }
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

/** Whether a file is gzipped, by its first bytes. @throws Error for a shapefile or a zip archive */
async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const head = bytesRead === 4 ? buffer.readUInt32BE(0) : 0;
    if (head === SHAPEFILE) {
      throw new Error('this is a shapefile: convert it to GeoJSON in degrees first (ogr2ogr -t_srs EPSG:4326)');
    }
    if (head >>> 16 === ZIP) throw new Error('this is a zip archive: unpack it first');
    return head >>> 16 === GZIP;
  } finally {
    await file.close();
  }
}

/**
 * Finds the pieces in a stream of bytes by counting brackets outside strings; JSON.parse reads each piece. Between
 * pieces, anything but white space, commas and record separators is an error.
 */
class Splitter {
  private depth = 0;
  private isString = false;
  private isEscaped = false;
  /** The bytes of the last string at depth 1, to recognize `"features": [`. */
  private key: number[] = [];
  private isFeatures = false;
  private features = 0;
  private started = 0;
  /** Bytes of the feature being read, and of the object around it (`frame`). */
  private feature: Buffer[] = [];
  private frame: Buffer[] = [];
  private frameLength = 0;
  private readonly decode: Decode;

  constructor(decode: Decode) {
    this.decode = decode;
  }

  *push(chunk: Buffer): Generator<Piece> {
    // Bytes from this index on belong to the piece being read.
    let from = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (this.isString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === BACKSLASH) this.isEscaped = true;
        else if (byte === QUOTE) this.isString = false;
        else if (this.depth === 1 && this.key.length < 16) this.key.push(byte);
        continue;
      }
      switch (byte) {
        case QUOTE:
          if (this.depth === 0) throw notJson();
          this.isString = true;
          if (this.depth === 1) this.key.length = 0;
          break;
        case OPEN_BRACE:
        case OPEN_BRACKET:
          if (this.depth === 0) {
            if (byte === OPEN_BRACKET) throw new Error('a JSON array is not a GeoJSON or TopoJSON object');
            this.started++;
            from = i;
          } else if (this.depth === 1 && byte === OPEN_BRACKET && String.fromCharCode(...this.key) === 'features') {
            this.isFeatures = true;
            this.keep(chunk.subarray(from, i + 1));
            from = i + 1;
          } else if (this.depth === 2 && this.isFeatures) from = i;
          this.depth++;
          break;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          this.depth--;
          if (this.depth < 0) throw notJson();
          if (this.depth === 2 && this.isFeatures) {
            this.feature.push(chunk.subarray(from, i + 1));
            yield this.takeFeature();
            from = i + 1;
          } else if (this.depth === 1 && this.isFeatures) {
            this.isFeatures = false;
            from = i;
          } else if (this.depth === 0) {
            this.keep(chunk.subarray(from, i + 1));
            yield this.takeDocument();
          }
          break;
        case COLON:
        case COMMA:
          break;
        default:
          if (this.depth === 0 && !isBlank(byte)) throw notJson();
          if (this.depth === 2 && this.isFeatures && !isBlank(byte))
            throw new Error('`features` contains something that is not an object');
      }
    }
    if (this.depth > 2 && this.isFeatures) this.feature.push(chunk.subarray(from));
    else if (this.depth > 0 && !this.isFeatures) this.keep(chunk.subarray(from));
  }

  /** Call at the end of the file. @throws Error if a piece is incomplete or there was none */
  end(): void {
    if (this.depth > 0) throw new Error('the file ends in the middle of an object: is it complete?');
    if (this.started === 0) throw new Error('the file is empty');
  }

  private keep(bytes: Buffer): void {
    this.frameLength += bytes.length;
    if (this.frameLength > LONGEST) throw new Error('one object of more than 512 MiB: split the file');
    this.frame.push(bytes);
  }

  private takeFeature(): Piece {
    const text = this.decode(Buffer.concat(this.feature));
    this.feature = [];
    this.features++;
    return { type: 'feature', value: parse(text), text };
  }

  private takeDocument(): Piece {
    const value = parse(this.decode(Buffer.concat(this.frame))) as Record<string, unknown>;
    const features = this.features;
    this.frame = [];
    this.frameLength = 0;
    this.features = 0;
    return { type: 'document', value, features };
  }
}

function isBlank(byte: number): boolean {
  // White space, the record separator of RFC 8142, and the byte order mark of UTF-8.
  return byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf;
}

function notJson(): Error {
  return new Error('this is neither GeoJSON nor TopoJSON');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`bad JSON: ${(error as Error).message}`, { cause: error });
  }
}

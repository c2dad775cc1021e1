import { GEOMETRY_BYTES, MAX_DEPTH, TEXT_BYTES } from '../../workers/formats/reading/document.ts';

/**
 * A complete piece of a JSON map file: an element of the list of an object, or a top-level object without the
 * elements of its list (a feature of newline-delimited GeoJSON, a topology, the frame of a collection). Before the
 * elements comes the head of a collection, if that names a reference system (`crs`).
 */
export type Piece =
  | { readonly type: 'feature'; readonly value: unknown; readonly text: string }
  | { readonly type: 'head'; readonly value: unknown }
  | { readonly type: 'document'; readonly value: Readonly<Record<string, unknown>>; readonly features: number };

/** The longest text that JSON.parse accepts: V8's longest string, 2^29 - 24 characters. */
const LONGEST = 2 ** 29 - 24;

/** The most bytes before the elements of a collection in which a reference system is looked for. */
const HEAD_BYTES = 2 ** 20;

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

/** Bytes of a text that are looked at one by one; the rest of a longer one is searched as a whole. */
const SHORT_TEXT = 32;

/** Decodes the bytes of a text. @throws Error when they are not in its encoding */
export type Decode = (bytes: Buffer) => string;

/** The list whose elements are read one by one, and how messages call them. */
export interface List {
  readonly key: 'features' | 'elements';
  readonly item: string;
  /** That word with its article. */
  readonly one: string;
  /** The message for what is not a JSON object. */
  readonly notJson: string;
  /** The most bytes of an object without the elements of its list. */
  readonly mostFrame: number;
}

/** GeoJSON; a topology has no features and is one object. */
export const FEATURES: List = {
  key: 'features',
  item: 'feature',
  one: 'a feature',
  notJson: 'this is in no format that is read: GeoJSON, TopoJSON, a Shapefile, GeoPackage, FlatGeobuf …',
  mostFrame: LONGEST,
};

/** An Overpass response. */
export const ELEMENTS: List = {
  key: 'elements',
  item: 'element',
  one: 'an element',
  notJson: 'this is not an Overpass response',
  mostFrame: TEXT_BYTES,
};

/**
 * Finds the pieces in a stream of bytes by counting brackets outside strings; JSON.parse reads each piece. Between
 * pieces, anything but white space, commas and record separators is an error.
 */
export class Splitter {
  private depth = 0;
  private isString = false;
  private isEscaped = false;
  /** The bytes of the last string at depth 1, to recognize `"features": [`. */
  private key: number[] = [];
  private isFeatures = false;
  private features = 0;
  private started = 0;
  /** The line that is being read, from 1, and the one where the current object began. */
  private line = 1;
  private startLine = 1;
  /** Features of the whole file so far. */
  private all = 0;
  /** Bytes of the current text in earlier chunks. */
  private textLength = 0;
  /** Bytes of the feature being read, and of the object around it (`frame`). */
  private feature: Buffer[] = [];
  private featureLength = 0;
  private frame: Buffer[] = [];
  private frameLength = 0;
  private readonly decode: Decode;
  private readonly list: List;

  constructor(decode: Decode, list: List) {
    this.decode = decode;
    this.list = list;
  }

  *push(chunk: Buffer): Generator<Piece> {
    // Bytes from this index on belong to the piece being read.
    let from = 0;
    let textFrom = -this.textLength;
    // Where each of the bytes that matter in a text is next.
    let [quote, backslash, lineFeed] = [-1, -1, -1];
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (this.isString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === BACKSLASH) this.isEscaped = true;
        else if (byte === QUOTE) this.isString = false;
        // JSON has no line breaks in a text: without this, a missing quote would make all that follows one text.
        else if (byte === LINE_FEED) throw this.at('a text does not end on its line: is a quote missing?');
        else if (this.depth === 1 && this.key.length < 16) this.key.push(byte);
        else if (i - textFrom > SHORT_TEXT) {
          if (quote < i) quote = indexIn(chunk, QUOTE, i);
          if (backslash < i) backslash = indexIn(chunk, BACKSLASH, i);
          if (lineFeed < i) lineFeed = indexIn(chunk, LINE_FEED, i);
          i = Math.min(quote, backslash, lineFeed) - 1;
        }
        if (i - textFrom > TEXT_BYTES) throw this.at(`a text of more than ${inMiB(TEXT_BYTES)}: is a quote missing?`);
        continue;
      }
      switch (byte) {
        case QUOTE:
          if (this.depth === 0) throw this.notJson();
          this.isString = true;
          textFrom = i;
          if (this.depth === 1) this.key.length = 0;
          break;
        case OPEN_BRACE:
        case OPEN_BRACKET:
          if (this.depth === 0) {
            if (byte === OPEN_BRACKET) throw new Error('a JSON array is not a GeoJSON or TopoJSON object');
            this.started++;
            this.startLine = this.line;
            from = i;
          } else if (this.depth === 1 && byte === OPEN_BRACKET && String.fromCharCode(...this.key) === this.list.key) {
            this.isFeatures = true;
            this.keep(chunk.subarray(from, i + 1));
            from = i + 1;
            const head = this.head();
            if (head !== null) yield { type: 'head', value: head };
          } else if (this.depth === 2 && this.isFeatures) {
            from = i;
            this.startLine = this.line;
          }
          if (++this.depth > MAX_DEPTH) throw this.at(`its brackets are nested more than ${MAX_DEPTH} deep`);
          break;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          this.depth--;
          if (this.depth < 0) throw this.notJson();
          if (this.depth === 2 && this.isFeatures) {
            this.keepFeature(chunk.subarray(from, i + 1));
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
          if (byte === LINE_FEED) this.line++;
          if (this.depth === 0 && !isBlank(byte)) throw this.notJson();
          if (this.depth === 2 && this.isFeatures && !isBlank(byte))
            throw new Error(`\`${this.list.key}\` contains something that is not an object`);
      }
    }
    this.textLength = this.isString ? chunk.length - textFrom : 0;
    if (this.depth > 2 && this.isFeatures) this.keepFeature(chunk.subarray(from));
    else if (this.depth > 0 && !this.isFeatures) this.keep(chunk.subarray(from));
  }

  /** Call at the end of the file. @throws Error if a piece is incomplete or there was none */
  end(): void {
    if (this.depth > 0) throw this.at('the file ends in the middle of an object: is it complete?');
    if (this.started === 0) throw new Error('the file is empty');
  }

  private keep(bytes: Buffer): void {
    this.frameLength += bytes.length;
    const { mostFrame } = this.list;
    if (this.frameLength > mostFrame) throw this.at(`one object of more than ${inMiB(mostFrame)}: split the file`);
    this.frame.push(bytes);
  }

  private keepFeature(bytes: Buffer): void {
    this.featureLength += bytes.length;
    if (this.featureLength > GEOMETRY_BYTES) {
      throw this.at(`${this.list.one} of more than ${inMiB(GEOMETRY_BYTES)}: is a quote or a bracket missing?`);
    }
    this.feature.push(bytes);
  }

  /** What stands before the elements of a collection, if that is small and names a reference system. */
  private head(): unknown {
    if (this.frameLength > HEAD_BYTES) return null;
    const text = Buffer.concat(this.frame);
    return text.includes('"crs"') ? this.parse(`${this.decode(text)}]}`) : null;
  }

  private takeFeature(): Piece {
    const text = this.decode(Buffer.concat(this.feature));
    const value = this.parse(text);
    this.feature = [];
    this.featureLength = 0;
    this.features++;
    this.all++;
    return { type: 'feature', value, text };
  }

  private takeDocument(): Piece {
    const value = this.parse(this.decode(Buffer.concat(this.frame))) as Record<string, unknown>;
    // A document without `features` may be a feature of newline-delimited GeoJSON.
    if (this.features === 0) this.all++;
    const features = this.features;
    this.frame = [];
    this.frameLength = 0;
    this.features = 0;
    return { type: 'document', value, features };
  }

  private parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.at(`bad JSON: ${(error as Error).message}`, error);
    }
  }

  private notJson(): Error {
    return new Error(this.list.notJson);
  }

  /** An error with its place in the file. */
  private at(message: string, cause?: unknown): Error {
    const lines = this.line > this.startLine ? `lines ${this.startLine} to ${this.line}` : `line ${this.line}`;
    return new Error(`${this.list.item} ${this.all + 1} (${lines}): ${message}`, { cause });
  }
}

/** Where a byte is next, or the length of the chunk. */
function indexIn(chunk: Buffer, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at < 0 ? chunk.length : at;
}

const inMiB = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`;

function isBlank(byte: number): boolean {
  // White space, the record separator of RFC 8142, and the byte order mark of UTF-8.
  return byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf;
}

/** What readers and writers use of Node's other modules, in a browser. */
// The package below takes XMLSerializer when it is loaded.
import './buffer.ts';
// @ts-expect-error: it has no types; its caller says what it uses of it.
import togeojson from '@mapbox/togeojson';

const basename = (path: string, ending = ''): string => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return ending !== '' && name.endsWith(ending) ? name.slice(0, -ending.length) : name;
};

/** The ending of a file name from its last dot on. */
export function extname(path: string): string {
  const name = basename(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot) : '';
}

export const posix = { basename, extname };
export const join = (folder: string, name: string): string => `${folder}/${name}`;

/** The one package that a reader requires. */
export const createRequire = () => (): unknown => togeojson;

/** The address of the table of reference systems, the one file that the readers read by themselves. */
let table = '';

declare class XMLHttpRequest {
  open(method: string, address: string, isAsync: boolean): void;
  send(): void;
  readonly status: number;
  readonly responseText: string;
}

/** Says where the table of reference systems is. */
export const setTable = (address: string): void => {
  table = address;
};

export const fileURLToPath = (): string => table;
export const existsSync = (path: string): boolean => path !== '';

/** The text of the table. A worker may wait for an answer; the page itself does not. @throws when it cannot be had */
export function readFileSync(path: string): string {
  const request = new XMLHttpRequest();
  request.open('GET', path, false);
  request.send();
  if (request.status !== 200) throw new Error('the table of reference systems cannot be loaded');
  return request.responseText;
}

export const randomUUID = (): string => crypto.randomUUID();
export const tmpdir = (): string => '';
export const unlink = (): Promise<void> => Promise.resolve();

/** A temporary file, which a browser keeps in memory. */
class MemoryFile {
  #parts: { readonly from: number; readonly bytes: Uint8Array }[] = [];

  /** Adds bytes at the end: files of spools are written in order. */
  async write(block: Uint8Array, at: number, length: number, from: number): Promise<{ bytesWritten: number }> {
    this.#parts.push({ from, bytes: block.slice(at, at + length) });
    return { bytesWritten: length };
  }

  async read(target: Uint8Array, at: number, length: number, from: number): Promise<{ bytesRead: number }> {
    const part = this.#parts.findLast((one) => one.from <= from);
    const bytes = part?.bytes.subarray(from - part.from, from - part.from + length) ?? new Uint8Array(0);
    target.set(bytes, at);
    return { bytesRead: bytes.length };
  }

  async close(): Promise<void> {
    this.#parts = [];
  }
}

export const open = async (): Promise<MemoryFile> => new MemoryFile();

type Pieces = AsyncIterable<Uint8Array>;
export const Readable = { from: (pieces: Pieces): Pieces => pieces };

/** The target takes the pieces while it is read, and throws their errors there. */
export async function pipeline(source: Pieces, target: { source: Pieces | null }): Promise<void> {
  target.source = source;
}

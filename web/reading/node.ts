/** What the readers use of node:path, node:module, node:fs and node:url, in a browser. */
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

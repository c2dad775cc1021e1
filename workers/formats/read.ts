import { extname, posix } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { defined } from '../defined.ts';
import { intoDegrees, type Placing } from './reading/degrees.ts';
import {
  type OpenedDocument,
  quoted,
  type ReadDocument,
  type ReadFeature,
  type ReadOptions,
  type Tally,
  textTrouble,
  Unreadable,
} from './reading/document.ts';
import { decoderOf } from './reading/encodings.ts';
import { chooseLayer, withoutColumns, withoutLayers } from './reading/layers.ts';
import { isSameReference } from './reading/system.ts';
import { declarationOf, extension, formatsOfExtension, READABLE, type Readable } from './registry.ts';
import { type Packed, readZip } from './zip/unpack.ts';

/** The most bytes of a file, and of what a gzip holds. */
export const MOST_BYTES = 2 ** 31 - 1;

/** How to read a file. */
export interface Reading extends ReadOptions, Placing {
  /** The other files of a shapefile that is not in a zip, by extension. */
  readonly beside?: Readonly<Record<string, Uint8Array>>;
}

/**
 * Reads a file, in degrees on WGS 84. Text must be UTF-8 (a byte order mark is skipped).
 * @throws Unreadable
 */
export async function readDocument(format: Readable, bytes: Uint8Array, reading: Reading = {}): Promise<ReadDocument> {
  const { name, system, layers, tally, features: each, hasElementIds } = await openDocument(format, bytes, reading);
  const trouble = name === null ? null : textTrouble(name);
  if (trouble !== null) throw new Unreadable(`its name contains ${trouble}: remove it`);
  const { move, notices } = intoDegrees(system, reading);
  const features: ReadFeature[] = [];
  for await (const feature of each) {
    requireTexts(feature, features.length + 1);
    features.push(move(hasElementIds ? withOwnId(feature) : feature, features.length + 1));
  }
  const { left, heights, changed } = tally;
  const more = { ...(heights && { heights }), ...(layers && { layers }), ...(changed && { changes: changed.all }) };
  return { name, left, ...more, features, notices: notices() };
}

/**
 * Opens a file, also gzipped or in a zip, whose features are then read one by one, in the reference system of the file.
 * @throws Unreadable, also while features are read
 */
export async function openDocument(
  format: Readable,
  given: Uint8Array,
  { beside = {}, crs: _crs, strict: _strict, ...options }: Reading = {},
): Promise<OpenedDocument> {
  const { reader, parts = [] } = declarationOf(format);
  const most = reader && 'text' in reader ? LONGEST : MOST_BYTES;
  const bytes = given[0] === 0x1f && given[1] === 0x8b ? gunzipped(given, most) : given;
  if (bytes.length === 0) throw new Unreadable('it is empty');
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (format === 'zip' || isZip) return openArchive(readZip(bytes), options);
  if (reader === undefined) throw new Error(`${format} has no reader`);
  if (options.layer !== undefined && !parts.includes('layer')) throw withoutLayers();
  if (options.geometry !== undefined && !parts.includes('geometry')) throw withoutColumns();
  if ('text' in reader) return (await reader.text())(textOf(bytes, reader.isXml === true, options.encoding), options);
  if ('bytes' in reader) return (await reader.bytes())(bytes, options);
  return (await reader.files())({ ...beside, '.shp': bytes }, options);
}

/** The feature with its property `id` as its id, in place of that of its element. */
function withOwnId({ properties: { id, ...properties }, ...feature }: ReadFeature): ReadFeature {
  const own = typeof id === 'string' && id !== '' ? { id, properties } : null;
  return { ...feature, properties: id === undefined ? properties : { id, ...properties }, ...own };
}

/** @param most the most bytes that it may hold: more are never in memory */
function gunzipped(bytes: Uint8Array, most: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw new Unreadable('the gzip is damaged');
    throw new Unreadable(`the gzip holds more than ${Math.ceil(most / 2 ** 20)} MiB: split the file`);
  }
}

/** The most bytes of text: V8's longest string. */
const LONGEST = 2 ** 29 - 24;

/** The text of a file, in UTF-8 or, of XML, in the encoding that its byte order mark or its declaration names. */
function textOf(bytes: Uint8Array, isXml: boolean, named: string | undefined): string {
  if (bytes.length > LONGEST) throw new Unreadable('it is text of more than 512 MiB: split it');
  const encoding = isXml ? encodingOf(bytes) : (markedEncoding(bytes) ?? 'utf-8');
  let text: string | null;
  try {
    text = named === undefined ? new TextDecoder(encoding, { fatal: true }).decode(bytes) : decoderOf(named)(bytes);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    if (error instanceof RangeError) throw new Unreadable(`its encoding ${quoted(encoding)} is not known`);
    throw new Unreadable(`it is not text in ${encoding.toUpperCase()}${encoding === 'utf-8' ? '' : ', as it says'}`);
  }
  if (text === null) throw new Unreadable(`it is not text in ${named}`);
  if (text.trim() === '') throw new Unreadable('it is empty');
  return text;
}

/** The encoding of text that begins with a byte order mark of UTF-16, as Excel writes it; null without one. */
function markedEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

/** The encoding of an XML document (XML 1.0, appendix F). */
function encodingOf(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes);
  if (marked !== null) return marked;
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const [, name = 'utf-8'] = /^(?:\xef\xbb\xbf)?<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start) ?? [];
  return name.toLowerCase();
}

/** Whether macOS added a file to a zip: copies of names with the attributes of files, and settings of folders. */
const isOfMac = (name: string): boolean => /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$)/.test(name);

const endingOf = (name: string): string => extname(name).slice(1).toLowerCase();

/** The name of a file that may be gzipped inside of a zip. */
const withoutGz = (name: string): string => name.replace(/\.gz$/i, '');

/** The format of a file in a zip that is read: by its own extension, or that of JSON. Others are often documentation. */
function formatInZip(name: string): Readable | undefined {
  const ending = endingOf(withoutGz(name));
  if (ending === 'shp') return 'shapefile';
  const known = ending === 'json' ? formatsOfExtension(ending) : READABLE.filter((one) => extension(one) === ending);
  return READABLE.find((format) => known.includes(format) && ending !== 'zip');
}

/** The files of a shapefile that are read besides the .shp. */
const BESIDE: readonly string[] = ['dbf', 'prj', 'cpg'];

/** A file of a zip that is read. */
interface Member {
  readonly name: string;
  readonly format: Readable;
}

/**
 * Opens a zip: its shapefile, else its file in a format that has layers or many features, else all its files of single
 * areas (KMZ is one), joined. Other files are skipped.
 */
async function openArchive(all: ReadonlyMap<string, Packed>, options: ReadOptions): Promise<OpenedDocument> {
  const files = new Map([...all].filter(([name]) => !isOfMac(name)));
  const members = [...files.keys()].flatMap((name): Member[] => {
    const format = formatInZip(name);
    return format === undefined ? [] : [{ name, format }];
  });
  const open = async ({ name, format }: Member, own: ReadOptions): Promise<OpenedDocument> => {
    const stem = name.slice(0, -4).toLowerCase();
    const isBeside = (file: string): boolean =>
      format === 'shapefile' && BESIDE.includes(endingOf(file)) && file.slice(0, -4).toLowerCase() === stem;
    try {
      const beside = [...files].flatMap(([file, unpack]) => (isBeside(file) ? [[`.${endingOf(file)}`, unpack()]] : []));
      return await openDocument(format, (files.get(name) as Packed)(), { ...own, beside: Object.fromEntries(beside) });
    } catch (error) {
      if (!(error instanceof Unreadable) || members.length === 1) throw error;
      throw new Unreadable(`${name}: ${error.message}`);
    }
  };
  const { layer, ...others } = options;
  const joined = members.filter(({ format }) => declarationOf(format).isReadInZip);
  const wholes = [
    members.filter(({ format }) => format === 'shapefile'),
    members.filter(({ format }) => format !== 'shapefile' && !joined.some((one) => one.format === format)),
  ].find((some) => some.length > 0);
  if (wholes === undefined) {
    const known = READABLE.filter((format) => declarationOf(format).isReadInZip);
    if (joined.length === 0) {
      throw new Unreadable(`the zip has no shapefile and no ${known.slice(0, -1).join(', ')} or ${known.at(-1)} file`);
    }
    if (joined.length === 1) return open(defined(joined[0]), options);
    if (layer === undefined) return joinAll(joined, (one) => open(one, others));
    const names = layersOf(joined);
    return open(defined(joined[names.indexOf(chooseLayer(names, layer) as string)]), others);
  }
  const [only, ...more] = wholes;
  const layers = layersOf(wholes);
  // The layer may be one of the only file.
  if (more.length === 0 && !(layer !== undefined && layers.includes(layer))) return open(defined(only), options);
  const chosen = chooseLayer(layers, layer);
  return open(defined(wholes[layers.indexOf(chosen as string)]), others);
}

/** The names of files without folder and extension, or whole where two have the same. */
function layersOf(members: readonly Member[]): string[] {
  const short = members.map(({ name }) => posix.basename(withoutGz(name), extname(withoutGz(name))));
  return short.map((name, i) => (short.indexOf(name) === short.lastIndexOf(name) ? name : defined(members[i]).name));
}

/** Files one after the other, as one document. */
async function joinAll(
  members: readonly Member[],
  open: (member: Member) => Promise<OpenedDocument>,
): Promise<OpenedDocument> {
  const [first, ...others] = members;
  const tally: Tally = { left: 0 };
  const begun = await open(defined(first));
  const features = async function* (): AsyncGenerator<ReadFeature> {
    let document = begun;
    for (let next = 0; ; next++) {
      let before = 0;
      for await (const feature of document.features) {
        tally.left += document.tally.left - before;
        before = document.tally.left;
        yield feature;
      }
      tally.left += document.tally.left - before;
      if (document.tally.heights) tally.heights = true;
      if (next === others.length) return;
      document = await open(defined(others[next]));
      if (!isSameReference(begun.system, document.system))
        throw new Unreadable(`${defined(others[next]).name}: its reference system is not that of the others`);
    }
  };
  const ids = begun.hasElementIds ? { hasElementIds: true as const } : {};
  return { name: null, system: begun.system, features: features(), tally, ...ids };
}

/** Checks the texts of a feature, which may be written in any format. @throws Unreadable for one that XML cannot hold */
function requireTexts({ id, name, properties }: ReadFeature, number: number): void {
  const check = (text: string, where: string): void => {
    const trouble = textTrouble(text);
    if (trouble === null) return;
    const feature = id !== null && textTrouble(id) === null ? id : number;
    throw new Unreadable(`feature ${feature}: ${where} contains ${trouble}: remove it`);
  };
  const checkValue = (value: unknown, where: string): void => {
    if (typeof value === 'string') check(value, where);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) {
        check(key, where);
        checkValue(one, where);
      }
    }
  };
  if (id !== null) check(id, 'its id');
  if (name !== null) check(name, 'its name');
  for (const [key, value] of Object.entries(properties)) {
    check(key, `the name of its property ${quoted(key)}`);
    checkValue(value, `its property ${quoted(key)}`);
  }
}

import { basename, extname, parse } from 'node:path';
import type { Dispatcher } from 'undici';
import { mediaTypeIn } from '../common/media_type.ts';
import { FileFetchError, headerOf } from './file_address.ts';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/geo+json': '.geojson',
  'application/json': '.json',
  'application/zip': '.zip',
  'application/geopackage+sqlite3': '.gpkg',
  'application/vnd.apache.parquet': '.parquet',
  'application/vnd.google-earth.kml+xml': '.kml',
  'application/vnd.google-earth.kmz': '.kmz',
  'application/gml+xml': '.gml',
  'text/csv': '.csv',
};

/** The first byte of a part, by its Content-Range; null when it says none. */
export function rangeStart(header: string | string[] | undefined): number | null {
  const [, start] = /^bytes (\d+)-/.exec(String(header ?? '')) ?? [];
  return start === undefined ? null : Number(start);
}

/** @throws FileFetchError when the first bytes of an answer are those of a web page */
export function refuseWebPage(url: URL, first: Buffer, type: string): void {
  const start = first
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
    .toLowerCase();
  if (!/^(<!doctype html|<html|<head|<script)/.test(start) && !/^<\?xml[^>]*>\s*<!doctype html/.test(start)) return;
  throw new FileFetchError(
    `${url.href} answered a web page${type === '' ? '' : ` (${type})`}, not a file. Open it in a browser: it may want a form, an account or a consent.`,
  );
}

/** The name of a file that an answer gives, without folders; with an extension by its media type if it has none. */
export function nameOf(url: URL, answer: Dispatcher.ResponseData): string {
  const header = headerOf(answer, 'content-disposition') ?? '';
  const [, extended] = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(header) ?? [];
  const [, quoted, plain] = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
  const last = url.pathname.split('/').filter(Boolean).at(-1) ?? '';
  const given = extended === undefined ? (quoted ?? plain ?? decoded(last)) : decoded(extended);
  const name = shortened(
    basename(given.replaceAll('\\', '/'))
      .replace(/[^\p{L}\p{M}\p{N} ._(),+-]+/gu, '_')
      .replace(/^[. ]+/, ''),
  );
  if (name === '') return `download${EXTENSIONS[mediaTypeIn(headerOf(answer, 'content-type') ?? undefined)] ?? ''}`;
  if (extname(name) !== '') return name;
  return name + (EXTENSIONS[mediaTypeIn(headerOf(answer, 'content-type') ?? undefined)] ?? '');
}

/** Bytes of a name, of the 255 that a folder takes: what names are given besides must fit, too. */
const NAME_BYTES = 150;

/** A name of at most so many bytes, with its extension. */
function shortened(name: string): string {
  const { name: stem, ext } = parse(name);
  const letters = [...stem];
  let bytes = Buffer.byteLength(name);
  while (bytes > NAME_BYTES && letters.length > 0) bytes -= Buffer.byteLength(letters.pop() ?? '');
  return bytes > NAME_BYTES ? '' : letters.join('') + ext;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

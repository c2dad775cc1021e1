import { readCodeId } from '../../common/code_ids.ts';
import { splitDated } from '../../common/dates.ts';
import { defined } from '../../common/elements.ts';
import { readSetId } from '../../common/set_ids.ts';
import { type ProblemError, problem } from '../../core/errors.ts';

/** A parsed boundary id: an object of the map or an area of a set (osm), or a code to be resolved. */
export type BoundaryId =
  | { readonly kind: 'osm'; readonly id: string }
  | { readonly kind: 'wikidata'; readonly id: string }
  | { readonly kind: 'iso'; readonly code: string }
  | { readonly kind: 'code'; readonly id: string; readonly text: string };

const OBJECT = /^(?:(r|w)|(relation|way)\/|-)([1-9]\d{0,15})$/i;
const WIKIDATA = /^wikidata:q([1-9]\d{0,15})$/i;
/** Codes that ISO 3166-1 has withdrawn (ISO 3166-3) for one country or territory of today. */
const WITHDRAWN: Readonly<Record<string, string>> = {
  BU: 'MM',
  DD: 'DE',
  DY: 'BJ',
  FX: 'FR',
  HV: 'BF',
  NH: 'VU',
  RH: 'ZW',
  TP: 'TL',
  VD: 'VN',
  YD: 'YE',
  ZR: 'CD',
};

const ISO = /^iso:([a-z]{2}(?:-[a-z0-9]{1,3})?)$/i;
const MAP_HOST = /^(?:www\.|m\.)?(?:openstreetmap|osm)\.org$/;
const MAP_PATH = /^\/(?:browse\/)?((?:relation|way)\/\d+)(?:\/history(?:\/\d+)?)?\/?$/;
/** Paths of URLs that name the object in their query: the map itself, and its editor. */
const MAP_VIEW = /^\/(?:edit|index\.html)?$/;

/**
 * Parses a boundary id in any form (docs/contract.md, Boundaries), ignoring surrounding blanks: `r62422`, `w123`,
 * `relation/62422`, `way/123`, `-62422` (a relation), a URL of a relation or a way at openstreetmap.org or osm.org as
 * people copy it (also `m.`, `/browse/relation/62422`, `/?relation=62422`), `wikidata:Q64`, `iso:US-CA`, `iso:DE`.
 * Beyond those forms, an area of a set: `set:territories/north`; a code with its scheme: `fips:48201`, `nuts:DE212`. Letters may be of either case, and the text may
 * be percent-encoded.
 * Returns `r…` or `w…` (kind osm), `Q…` (wikidata), an upper-case ISO 3166 code (iso), or scheme and code in lower case
 * (code).
 * Numbers run from 1 to 2^53 - 1 without leading zeros. This gives each id one spelling, so caches and checks for
 * duplicates can compare texts.
 * @throws invalid_id for everything else
 */
export function parseBoundaryId(text: string): BoundaryId {
  const id = readBoundaryId(text);
  if (id) return id;
  throw unreadableId(text);
}

/** The problem invalid_id for a text, and what to use instead; `more` is a further sentence about it. */
export function unreadableId(text: string, more = ''): ProblemError {
  const trimmed = text.trim();
  const shown = trimmed.length > 60 ? `${trimmed.slice(0, 60)}…` : trimmed;
  if (isDatedId(trimmed)) {
    const detail = `"${shown}" has a date, which is not possible here: give the id alone, and the date as as_of if the operation has it.`;
    return problem('invalid_id', detail);
  }
  const detail = looksLikeName(trimmed)
    ? `"${shown}" looks like a name. Search for it (search_boundaries) and use the id it returns.`
    : `"${shown}" is not a boundary id; use r62422, w123, relation/62422, -62422, an openstreetmap.org URL, wikidata:Q64 or iso:DE-BE.`;
  return problem('invalid_id', more === '' ? detail : `${detail} ${more}`);
}

/** Like parseBoundaryId(), but null for a text that is not an id. */
export function readBoundaryId(text: string): BoundaryId | null {
  const trimmed = text.trim();
  const id = read(trimmed);
  if (id !== null) return id;
  const plain = decoded(trimmed);
  return plain === trimmed ? null : read(plain);
}

/** Whether a text is a boundary id in some form. */
export function isBoundaryId(text: string): boolean {
  return readBoundaryId(text) !== null;
}

/** Whether a text is a boundary id and a date, as `r123@2015-01-01`. */
export function isDatedId(text: string): boolean {
  const { id, date } = splitDated(text.trim());
  return date !== null && isBoundaryId(id);
}

const NO_NAME =
  /[\p{Cc}:;=%<>{}[\]\\?#@]|^[/+-]|^[rwn]\d|^(?:relation|way|node)(?![\p{L} ])|(?:openstreetmap|osm)\.org/iu;

/** Whether a text that is not an id may be a place name: it has letters, and no sign of a URL or a mistyped id. */
export function looksLikeName(text: string): boolean {
  return /[^\P{L}a-z]|[a-z].*\p{L}/iu.test(text) && !NO_NAME.test(text.trim());
}

function read(text: string): BoundaryId | null {
  const own = readSetId(text);
  if (own !== null) return { kind: 'osm', id: own };
  const wikidata = WIKIDATA.exec(text);
  if (wikidata) return inRange(defined(wikidata[1])) ? { kind: 'wikidata', id: `Q${wikidata[1]}` } : null;
  const iso = ISO.exec(text);
  if (iso) {
    const code = defined(iso[1]).toUpperCase();
    return { kind: 'iso', code: WITHDRAWN[code] ?? code };
  }
  const object = OBJECT.exec(mapPath(text) ?? text);
  if (!object) {
    const code = readCodeId(text);
    return code && { kind: 'code', id: `${code.scheme}:${code.code.toLowerCase()}`, text };
  }
  if (!inRange(defined(object[3]))) return null;
  const isWay = /^w/i.test(object[1] ?? object[2] ?? '');
  return { kind: 'osm', id: `${isWay ? 'w' : 'r'}${object[3]}` };
}

/** `relation/62422` of a map URL; null if the text is not a URL or is of another host. */
function mapPath(text: string): string | null {
  const address = /^(?:www\.|m\.)?(?:openstreetmap|osm)\.org\//i.test(text) ? `https://${text}` : text;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (!MAP_HOST.test(url.hostname) || url.port || url.username || url.password) return null;
  const named = ['relation', 'way'].flatMap((type) => url.searchParams.getAll(type).map((ref) => `${type}/${ref}`));
  if (MAP_VIEW.test(url.pathname)) return named.length === 1 ? defined(named[0]) : null;
  return MAP_PATH.exec(url.pathname)?.[1] ?? null;
}

/** Whether a text is a canonical id: `r` or `w` and a number without leading zeros. */
export function isCanonicalId(text: string): boolean {
  return /^[rw][1-9]\d{0,15}$/.test(text) && inRange(text.slice(1));
}

function inRange(digits: string): boolean {
  return Number.isSafeInteger(Number(digits));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return text;
  }
}

/** Order of canonical ids: relations before ways, then by number. `r9` comes before `r10`. */
export function compareIds(a: string, b: string): number {
  if (a[0] !== b[0]) return defined(a[0]) < defined(b[0]) ? -1 : 1;
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** Queries of the collection of borders. */
import type { System } from './crs.ts';
import {
  addressesOf,
  boxOf,
  crsOf,
  type ItemsQuery,
  invalidParameter,
  isHtml,
  limitOf,
  parameters,
  type Time,
  timeOf,
} from './query.ts';

/** Where a line is: the n-th arc of a boundary, counted from 1, and the part of it, counted from 0. */
export interface LinePlace {
  readonly boundary: string;
  readonly arc: number;
  readonly part: number;
}

const PLACE = /^([rw]\d{1,16})\.(\d{1,7})\.(\d{1,7})$/;

/** The place that an id of a line means; null when it is none. */
export function placeOfLine(id: string): LinePlace | null {
  const [, boundary, arc, part] = PLACE.exec(id) ?? [];
  return boundary === undefined ? null : { boundary, arc: Number(arc), part: Number(part) };
}

/** Query of a page of lines. */
export interface LinesQuery extends Pick<ItemsQuery, 'box' | 'limit' | 'time' | 'crs' | 'html' | 'at' | 'forMap'> {
  /** Where the page begins, as the link of the one before says it; empty for the first page. */
  readonly after: string;
  /** The same; null for the first page. */
  readonly start: LinePlace | null;
  /** The lowest admin_level that lines bound; null: any. */
  readonly adminLevel: number | null;
  /** Whether lines are at sea; null: any, also those of which it is not known. */
  readonly maritime: boolean | null;
}

/** What lines have besides their shape, as a JSON schema; each can be given as a parameter. */
export const LINE_QUERYABLES = {
  admin_level: { type: 'integer', title: 'The lowest admin_level that the line bounds' },
  maritime: { type: 'boolean', title: 'Whether the line is at sea; a line of which that is not known has neither' },
} as const;

/** Parses the query of a page of lines. @throws invalid_input, also for unknown parameters */
export function readLinesQuery(querystring: string): LinesQuery {
  const own = ['bbox', 'bbox-crs', 'crs', 'limit', 'after', 'datetime', 'f', ...Object.keys(LINE_QUERYABLES)];
  const given = parameters(querystring, own);
  const after = given.get('after') ?? '';
  const start = placeOfLine(after);
  if (after !== '' && start === null) throw invalidParameter('after', 'must be copied from the link next');
  return {
    box: boxOf(given.get('bbox'), crsOf(given, 'bbox-crs')),
    limit: limitOf(given.get('limit')),
    after,
    start,
    adminLevel: levelOf(given.get('admin_level')),
    maritime: flagOf(given.get('maritime')),
    time: timeOf(given),
    crs: crsOf(given, 'crs'),
    html: isHtml(given),
    ...addressesOf(given),
  };
}

/** Parses the query of one line. @throws invalid_input */
export function readLineQuery(querystring: string): { time: Time; crs: System; html: boolean | null } {
  const given = parameters(querystring, ['datetime', 'crs', 'f']);
  return { time: timeOf(given), crs: crsOf(given, 'crs'), html: isHtml(given) };
}

function levelOf(text: string | null): number | null {
  if (text === null) return null;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  throw invalidParameter('admin_level', 'must be a whole number from 0 to 99');
}

function flagOf(text: string | null): boolean | null {
  if (text === null) return null;
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalidParameter('maritime', 'must be true or false');
}

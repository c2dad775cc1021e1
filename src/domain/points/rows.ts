/** Reads rows of points from a stream and writes them back with the results added, in three formats. */
import { CsvRows } from './csv.ts';
import type { AddedCells, PointFormat, PointRow, PointRows } from './point_rows.ts';
import {
  type FoundColumns,
  findColumns,
  Lines,
  MAX_CHARACTERS,
  noColumns,
  numberWithComma,
  type Placing,
  type PointColumns,
  type PointSource,
  placingIn,
} from './text.ts';

/**
 * Creates the reader and writer of a format.
 * @param source the columns or members with the coordinates, and their reference system
 * @throws invalid_input for an unknown reference system
 */
export function pointRows(format: PointFormat, source: PointSource = {}): PointRows {
  if (format === 'text/csv') return new CsvRows(source);
  return format === 'application/geo+json' ? new FeatureRows(placingIn(source.crs)) : new JsonRows(source);
}

type ColumnFinder = (names: readonly string[]) => FoundColumns | string;

/** Finds columns as findColumns() does, without work where the names are those of the call before. */
function lastFound(asked: PointColumns): ColumnFinder {
  let last: readonly string[] | null = null;
  let found: FoundColumns | string = '';
  return (names) => {
    if (last?.length !== names.length || names.some((name, i) => name !== last?.[i])) {
      last = names;
      found = findColumns(names, asked);
    }
    return found;
  };
}

/** The point of a JSON object: from its members by name, or from the geometry of a feature. */
function pointOfObject(
  given: unknown,
  place: Placing,
  find: ColumnFinder = (names) => findColumns(names),
): Pick<PointRow, 'x' | 'y' | 'fault'> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { x: 0, y: 0, fault: 'not a JSON object' };
  }
  const object = given as Record<string, unknown>;
  const numeric = (value: unknown): number | null =>
    typeof value === 'number' ? value : typeof value === 'string' ? numberWithComma(value) : null;
  const geometry = object.type === 'Feature' ? object.geometry : object.type === 'Point' ? object : null;
  if (object.type === 'Feature' || object.type === 'Point') {
    const { type, coordinates } = (geometry ?? {}) as { type?: unknown; coordinates?: unknown };
    if (type !== 'Point' || !Array.isArray(coordinates)) return { x: 0, y: 0, fault: 'its geometry is not a Point' };
    const [lon, lat] = coordinates as unknown[];
    return place(numeric(lat), numeric(lon));
  }
  const names = Object.keys(object);
  const found = find(names);
  if (typeof found === 'string') return place(null, null);
  return place(numeric(object[names[found.lat] as string]), numeric(object[names[found.lon] as string]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The members of an object, or of the properties of a feature, as text; '' for those that are not there or null. */
function membersOf(text: string, names: readonly string[]): string[] {
  const object = parsed(text) as Record<string, unknown> | null | undefined;
  const given = object?.type === 'Feature' ? object.properties : object;
  const members = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
  return names.map((name) => {
    const value = Object.hasOwn(members, name) ? members[name] : null;
    return value === null || value === undefined
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  });
}

const objectOf = (added: AddedCells) => Object.fromEntries(added);

/** One JSON object or feature per line, optionally with RFC 8142 record separators. */
class JsonRows implements PointRows {
  readonly table = null;
  readonly values = membersOf;
  readonly tail = '';
  private readonly find: ColumnFinder;
  private readonly place: Placing;
  private readonly lines = new Lines(false);

  constructor({ crs, ...asked }: PointSource) {
    this.find = lastFound(asked);
    this.place = placingIn(crs);
  }

  get failure(): string | null {
    return this.lines.broken;
  }

  push(text: string): PointRow[] {
    return this.read(text, false);
  }

  end(): PointRow[] {
    return this.read('', true);
  }

  private read(text: string, last: boolean): PointRow[] {
    const rows: PointRow[] = [];
    this.lines.each(text, last, (line, number) => {
      // RFC 8142: each text starts with a record separator.
      const whole = line.replace('\x1e', '').replace('\ufeff', '').trim();
      if (whole !== '')
        rows.push({ text: whole, line: number, ...pointOfObject(parsed(whole), this.place, this.find) });
    });
    return rows;
  }

  head(): string {
    return '';
  }

  row({ text }: PointRow, added: AddedCells): string {
    return `${withMembers(text, added)}\n`;
  }

  errorRow(_columns: readonly string[], error: string): string {
    return `${JSON.stringify({ error })}\n`;
  }
}

/** A JSON object with members added; a feature gets them as properties. Any other value becomes the member `row`. */
function withMembers(text: string, added: AddedCells): string {
  const object = parsed(text);
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    return JSON.stringify({ row: text, ...objectOf(added) });
  }
  if ('type' in object && object.type === 'Feature') {
    const { properties } = object as { properties?: unknown };
    const own = typeof properties === 'object' && properties !== null ? properties : {};
    return JSON.stringify({ ...object, properties: { ...own, ...objectOf(added) } });
  }
  // Append to the text rather than serialize again, so numbers keep their digits.
  const members = JSON.stringify(objectOf(added)).slice(1);
  return `${text.slice(0, -1).trimEnd()}${Object.keys(object).length > 0 ? ',' : ''}${members}`;
}

/** A GeoJSON FeatureCollection. */
class FeatureRows implements PointRows {
  readonly table = null;
  readonly values = membersOf;
  readonly tail = '\n]}\n';
  failure: string | null = null;
  private buffer = '';
  private line = 1;
  private begun = false;
  private ended = false;
  private readonly place: Placing;

  constructor(place: Placing) {
    this.place = place;
  }

  push(text: string): PointRow[] {
    if (this.ended) return [];
    this.buffer += text;
    if (!this.begun && !this.begin()) return [];
    const rows: PointRow[] = [];
    for (let feature = this.next(); feature !== null; feature = this.next()) rows.push(feature);
    if (!this.ended && this.buffer.length > MAX_CHARACTERS) {
      this.failure = `the feature on line ${this.line} is longer than ${MAX_CHARACTERS} characters`;
    }
    return rows;
  }

  end(): PointRow[] {
    if (!this.begun) throw noColumns('the body must be a FeatureCollection');
    if (!this.ended) this.failure ??= 'the FeatureCollection is not closed';
    return [];
  }

  private begin(): boolean {
    const found = /"features"\s*:\s*\[/.exec(this.buffer);
    if (!found && this.buffer.length > MAX_CHARACTERS) throw noColumns('the body must be a FeatureCollection');
    if (!found) return false;
    this.skip(found.index + found[0].length);
    this.begun = true;
    return true;
  }

  private skip(characters: number): void {
    for (let at = this.buffer.indexOf('\n'); at >= 0 && at < characters; at = this.buffer.indexOf('\n', at + 1)) {
      this.line++;
    }
    this.buffer = this.buffer.slice(characters);
  }

  /** The next complete feature; null if there is none yet or the list is closed. */
  private next(): PointRow | null {
    const { buffer } = this;
    const start = /[^\s,]/.exec(buffer)?.index ?? -1;
    if (start < 0) return null;
    if (buffer[start] === ']') {
      this.ended = true;
      return null;
    }
    this.skip(start);
    const end = endOfValue(this.buffer);
    if (end < 0) return null;
    const text = this.buffer.slice(0, end);
    const { line } = this;
    this.skip(end);
    return { text, line, ...pointOfObject(parsed(text), this.place) };
  }

  head(): string {
    return '{"type":"FeatureCollection","features":[\n';
  }

  row({ text }: PointRow, added: AddedCells, first: boolean): string {
    const object = parsed(text);
    const feature =
      typeof object === 'object' && object !== null && 'type' in object && object.type === 'Feature'
        ? withMembers(text, added)
        : JSON.stringify({ type: 'Feature', geometry: null, properties: { row: text, ...objectOf(added) } });
    return `${first ? '' : ',\n'}${feature}`;
  }

  errorRow(_columns: readonly string[], error: string, first: boolean): string {
    return `${first ? '' : ',\n'}${JSON.stringify({ type: 'Feature', geometry: null, properties: { error } })}`;
  }
}

/** The index behind the JSON value at the start of a text; -1 if the value is incomplete. */
function endOfValue(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x22) {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
      if (at >= text.length) return -1;
    } else if (c === 0x7b || c === 0x5b) depth++;
    else if (c === 0x7d || c === 0x5d) {
      if (--depth === 0) return at + 1;
      if (depth < 0) return at;
    } else if (depth === 0 && c === 0x2c) return at;
  }
  return -1;
}

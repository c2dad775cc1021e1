import { basename } from 'node:path';
import { countryAt, sovereignOf } from '../countries.ts';
import { type FileOptions, feed, readingError } from '../coverage/feed.ts';
import { type Features, Frames } from '../coverage/frames.ts';
import { type Shape, Unusable } from '../coverage/geometry.ts';
import { textOf } from '../coverage/properties.ts';
import { middleOf } from '../coverage/whereabouts.ts';

/** The most rows, columns, and characters of distinct values that are looked at. */
const MOST_ROWS = 20_000;
const MOST_COLUMNS = 300;
const MOST_CHARACTERS = 50_000_000;

/** Of every so many rows one place is looked up, besides those of the first rows. */
const PLACE_EVERY = 20;

/** The most polygons of a row whose place is looked up. */
const PLACES_OF_ROW = 5;

/** The share of the places that must be in a country for the file to be its. */
const MOST_IN_COUNTRY = 0.95;

/** The values of a column in the rows that were looked at. */
export interface Column {
  readonly name: string;
  /** Rows with a value. */
  readonly filled: number;
  readonly distinct: ReadonlySet<string>;
  /** Whether a value was text in the file, not a number. */
  readonly isText: boolean;
}

/** What was seen of a file. */
export interface Sample {
  readonly rows: number;
  /** Whether there are more rows. */
  readonly isCut: boolean;
  readonly columns: readonly Column[];
  /** The ids of the features themselves, where the format has ids that are kept. */
  readonly ids: Column;
  /** ISO 3166-1 code of the country that nearly all places are in; null if there is none. */
  readonly country: string | null;
}

class GrowingColumn implements Column {
  readonly name: string;
  filled = 0;
  readonly distinct = new Set<string>();
  isText = false;

  constructor(name: string) {
    this.name = name;
  }

  /** @returns the characters that it keeps more than before */
  add(text: string, isText: boolean): number {
    this.filled++;
    this.isText ||= isText;
    if (this.distinct.has(text)) return 0;
    this.distinct.add(text);
    return text.length;
  }
}

/** Looks at the columns and places of a file. */
class Sampler implements Features {
  private readonly columns = new Map<string, GrowingColumn>();
  private readonly ids = new GrowingColumn('id');
  private readonly inCountry = new Map<string, number>();
  private rows = 0;
  private places = 0;
  private characters = 0;

  get isFull(): boolean {
    return this.rows >= MOST_ROWS || this.characters >= MOST_CHARACTERS;
  }

  add(id: unknown, properties: unknown, shape: () => Shape, isNoArea = false): void {
    // The columns of points beside the areas may be others.
    if (isNoArea) return;
    this.rows++;
    const own = textOf({ id }, 'id');
    if (own !== null) this.characters += this.ids.add(own, typeof id === 'string');
    if (typeof properties === 'object' && properties !== null) this.see(properties as Record<string, unknown>, '', 0);
    if (this.rows <= PLACE_EVERY || this.rows % PLACE_EVERY === 0) this.look(shape);
  }

  /** A column inside of another one is named as in `names.primary`. */
  private see(properties: Readonly<Record<string, unknown>>, within: string, depth: number): void {
    for (const [key, value] of Object.entries(properties)) {
      const name = within + key;
      if (depth < 2 && typeof value === 'object' && value !== null && !Array.isArray(value)) {
        this.see(value as Record<string, unknown>, `${name}.`, depth + 1);
        continue;
      }
      let column = this.columns.get(name);
      if (column === undefined) {
        if (this.columns.size >= MOST_COLUMNS) continue;
        column = new GrowingColumn(name);
        this.columns.set(name, column);
      }
      const text = textOf(properties, key);
      if (text !== null) this.characters += column.add(text, typeof value === 'string');
    }
  }

  private look(shape: () => Shape): void {
    try {
      const own = shape();
      const polygons = own.polygonEnd.length;
      const every = Math.ceil(polygons / PLACES_OF_ROW);
      for (let polygon = 0; polygon < polygons; polygon += every) {
        const { lat, lon } = middleOf(own, polygon);
        const code = countryAt(lat, lon);
        this.places++;
        if (code === null) continue;
        for (const one of new Set([code, sovereignOf(code) ?? code])) {
          this.inCountry.set(one, (this.inCountry.get(one) ?? 0) + 1);
        }
      }
    } catch (error) {
      // The import lists features without an area.
      if (!(error instanceof Unusable)) throw error;
    }
  }

  sample(): Sample {
    const [most] = [...this.inCountry].sort(([, a], [, b]) => b - a);
    const country = most !== undefined && most[1] >= MOST_IN_COUNTRY * this.places ? most[0] : null;
    const { rows, isFull: isCut, ids } = this;
    return { rows, isCut, columns: [...this.columns.values()], ids, country };
  }
}

/**
 * Looks at the first rows of a file: at most 20,000.
 * @throws Error that says what is wrong with the file, as readCoverage does
 */
export async function sampleOf(
  path: string,
  options: FileOptions & { readonly crs?: string | undefined },
): Promise<Sample> {
  const { crs, ...reading } = options;
  const sampler = new Sampler();
  try {
    await feed(path, new Frames(sampler, { fileName: basename(path), crs }), reading);
  } catch (error) {
    throw await readingError(error, path, options);
  }
  return sampler.sample();
}

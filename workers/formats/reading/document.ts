/** The areas of a file as read, before coordinates become integers. */

/** Longitude and latitude in degrees on WGS 84; of an opened document, x and y of the file. */
export type Position = readonly [lon: number, lat: number];

/** A shell and its holes, each a list of positions, closed or not, in any direction. */
export type PolygonRings = readonly (readonly Position[])[];

export interface ReadFeature {
  /** Null when the format has none or it is not text. */
  readonly id: string | null;
  readonly name: string | null;
  /** As in GeoJSON; the values from some other formats are always text. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly polygons: readonly PolygonRings[];
}

/** A file that is read as a whole. */
export interface WholeDocument extends OpenedDocument {
  readonly features: readonly ReadFeature[];
}

export interface ReadDocument {
  /** The name of the whole document, if it has one. */
  readonly name: string | null;
  readonly features: readonly ReadFeature[];
  /** Points and lines, which are left out. */
  readonly left: number;
  /** Whether positions have heights or measures, which are left out. */
  readonly heights?: boolean;
  /** Names of the layers (tables, objects, folders) whose areas were joined, when there are several. */
  readonly layers?: readonly string[];
  /** What its coordinates were and how true they are, as sentences for the person who supplied the file. */
  readonly notices?: readonly string[];
  /** Names of columns whose values JSON lacks, by what became of them: "dates are read as text". */
  readonly changes?: Readonly<Record<string, readonly string[]>>;
}

/** What a reader counts while it reads. */
export interface Tally {
  left: number;
  heights?: boolean;
  /** Names of columns by what became of their values. */
  changed?: ChangedColumns;
}

/** Which part of a file to read, and how. */
export interface ReadOptions {
  /** The layer (table, object, file of a zip) to read; required if there are several. */
  readonly layer?: string;
  /** The column of the geometry, where a file has several or names none. */
  readonly geometry?: string;
  /** Keep the number of a row (`fid` of a GeoPackage), which most programs make up and change. */
  readonly rowNumbers?: boolean;
  /** Encoding of text in a format that does not state one, or states a wrong one. */
  readonly encoding?: string;
}

/** The reference system of a file's coordinates, in the words of the file; each is absent where it says nothing. */
export interface ReferenceSystem {
  readonly epsg?: number;
  /** Well-known text of any version. */
  readonly wkt?: string;
  readonly projjson?: unknown;
  /** Any other name: a URN or URL, `OGC:CRS84`. */
  readonly name?: string;
  /** Whether coordinates are in the order of the authority's axes, such as latitude first. */
  readonly isAuthorityOrder?: boolean;
}

/** A file whose features are read one by one. */
export interface OpenedDocument {
  /** The name of the whole document, if it has one. */
  readonly name: string | null;
  /** Null: the file says nothing, so its numbers are taken for degrees of WGS 84. */
  readonly system: ReferenceSystem | null;
  readonly features: Iterable<ReadFeature> | AsyncIterable<ReadFeature>;
  /** Ids of features are those of elements, which programs make up: a property `id` takes precedence. */
  readonly hasElementIds?: true;
  /** Grows while features are read. */
  readonly tally: Tally;
  /** Names of parts (folders, element types) whose areas are joined, when there are several. */
  readonly layers?: readonly string[];
}

/** Integers beyond 2^53, dates and bytes, which JSON has no values for; deleted rows, and rings of a wrong direction or given twice. */
export const CHANGES = {
  integers: 'whole numbers beyond 9007199254740991 are read as text',
  dates: 'dates are read as text',
  bytes: 'bytes are read as text in base64',
  directions: 'rings are holes or shells by what they lie in, against their direction, in the records',
  deleted: 'rows that are marked as deleted are left out, in the records',
  repeats: 'rings that repeat another, also as its hole, are left out, in the records',
} as const;

/** Changes that concern areas, and not the values of columns. */
export const AREA_CHANGES: readonly string[] = [CHANGES.deleted, CHANGES.directions, CHANGES.repeats];

/** Collects the names of columns, or numbers of records, by what became of their values. */
export class ChangedColumns {
  private readonly columns = new Map<string, Set<string>>();

  add(what: keyof typeof CHANGES, column: string): void {
    const names = this.columns.get(CHANGES[what]) ?? new Set();
    this.columns.set(CHANGES[what], names.add(column));
  }

  get all(): Record<string, string[]> {
    return Object.fromEntries([...this.columns].map(([change, names]) => [change, [...names]]));
  }
}

/**
 * Maximum nesting of elements, brackets and collections: far above what any program writes. Readers recurse, and some
 * search all ancestors at every step.
 */
export const MAX_DEPTH = 100;

/** The most bytes of the geometry of one feature: six million positions, which take ten times the memory when read. */
export const GEOMETRY_BYTES = 128 * 2 ** 20;

/** The most bytes of one text, such as a property. */
export const TEXT_BYTES = 16 * 2 ** 20;

/** @throws Unreadable for a geometry, or a text, that no map has */
export function requireSize(bytes: number, what: 'geometry' | 'text'): void {
  const most = what === 'geometry' ? GEOMETRY_BYTES : TEXT_BYTES;
  if (bytes > most) throw new Unreadable(`a ${what} of more than ${most / 2 ** 20} MiB is not read`);
}

/** A file cannot be read. The message states what is wrong with it, for the person who supplied the file. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}

/** What keeps a text from being stored in PostgreSQL and written as XML; null if nothing does. */
export function textTrouble(text: string): string | null {
  if (text.includes('\0')) return 'the character NUL (U+0000)';
  return /\p{Surrogate}/u.test(text) ? 'half of a surrogate pair' : null;
}

/** A text of a file for a message: at most 60 characters, in quotes, with escapes for what cannot be printed. */
export const quoted = (text: string): string => JSON.stringify(text.slice(0, 60));

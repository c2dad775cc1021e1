import { defined } from '../../common/elements.ts';
import type { Kind } from '../../core/schemas.ts';
import type { Boundary, Parent } from '../boundaries/boundary.ts';
import { type DocumentRow, toBoundary } from '../boundaries/rows.ts';
import { Texts } from './texts.ts';

/** A row of search_index_places: the fields of a boundary for searching, ranking and showing it. */
export interface PlaceRow extends DocumentRow {
  readonly type: 'administrative' | 'postal_code';
  /** Whether other boundaries are inside it. */
  readonly contains: boolean;
  /** Canonical ids of all containing boundaries, outermost first. */
  readonly parents: readonly string[] | null;
}

/** The fields of a boundary in every lookup result; coordinates in 1e-7 degrees. */
export type Place = Pick<PlaceRow, 'id' | 'type' | 'kind' | 'west' | 'south' | 'east' | 'north' | 'lat' | 'lon'>;

/** Stand-in for a missing coordinate: larger than every longitude. */
const NONE = 2 ** 31 - 1;
const NO_LEVEL = -32_768;
const NUMBERS = ['west', 'south', 'east', 'north', 'lat', 'lon'] as const;
/** Approximate bytes of an entry in a shared list. */
const SHARED_BYTES = 40;

/** Parent lists that are cached. */
const MOST_LINES = 2_000;

/** Deduplicated values: each distinct value has one number. */
class Shared<T> {
  readonly values: T[] = [];
  readonly #numbers = new Map<string, number>();

  number(key: string, value: () => T): number {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.values.length;
      this.values.push(value());
      this.#numbers.set(key, number);
    }
    return number;
  }
}

/** Bits of a boundary's flags. */
const POSTAL = 1;
const CONTAINS = 2;
const DISPUTED = 4;
const MAPPED = 8;
/** Wikidata items that are stored as a number. */
const ITEM = /^Q[1-9]\d{0,8}$/;

/** Boundaries by number, in the order of their ids, at about 120 bytes each. */
export class Places {
  readonly ids: Texts;
  readonly #names: Texts;
  readonly #kinds = new Shared<Kind>();
  readonly #kind: Uint16Array;
  readonly #flags: Uint8Array;
  readonly #level: Int16Array;
  readonly #numbers: Int32Array;
  readonly #lists = new Shared<readonly string[]>();
  /** Ids and codes of countries in the lists. */
  readonly #texts = new Shared<string>();
  readonly #countries: Uint32Array;
  readonly #parents: Uint32Array;
  readonly #country = new Shared<string | null>();
  readonly #countryOf: Uint16Array;
  readonly #sources = new Shared<string>();
  readonly #source: Uint16Array;
  readonly #versions: Int32Array;
  readonly #populations: Float64Array;
  /** Wikidata items as numbers; 0: none, or not of the form of ITEM. */
  readonly #items: Uint32Array;
  /** Fields that few boundaries have. */
  readonly #rare = new Map<number, Pick<DocumentRow, 'iso' | 'wikidata' | 'stale'>>();

  /** Parents by their number in `lists`. */
  readonly #lines = new Map<number, Parent[]>();

  /** Allocates room for `most` boundaries with ids and names of these total bytes. */
  constructor(most: number, bytes: { readonly ids: number; readonly names: number }) {
    this.ids = new Texts(most, bytes.ids);
    this.#names = new Texts(most, bytes.names);
    this.#kind = new Uint16Array(most);
    this.#flags = new Uint8Array(most);
    this.#level = new Int16Array(most);
    this.#numbers = new Int32Array(NUMBERS.length * most);
    this.#countries = new Uint32Array(most);
    this.#parents = new Uint32Array(most);
    this.#countryOf = new Uint16Array(most);
    this.#source = new Uint16Array(most);
    this.#versions = new Int32Array(most);
    this.#populations = new Float64Array(most);
    this.#items = new Uint32Array(most);
  }

  /** Number of boundaries. */
  get count(): number {
    return this.ids.count;
  }

  /** Approximate memory use in bytes. */
  get bytes(): number {
    const columns = [
      ...[this.#kind, this.#flags, this.#level, this.#numbers, this.#countries, this.#parents],
      ...[this.#countryOf, this.#source, this.#versions, this.#populations, this.#items],
    ];
    const entries = this.#lists.values.reduce(
      (sum, list) => sum + 2 + list.length,
      4 * this.#rare.size + 2 * this.#texts.values.length,
    );
    return columns.reduce(
      (sum, { byteLength }) => sum + byteLength,
      this.ids.bytes + this.#names.bytes + SHARED_BYTES * entries,
    );
  }

  /** Appends a boundary; ids must be pushed in ascending order. Returns false if it does not fit. */
  push(row: PlaceRow): boolean {
    const i = this.count;
    if (!this.ids.push(row.id) || !this.#names.push(row.name)) return false;
    this.#kind[i] = this.#kinds.number(row.kind, () => row.kind);
    this.#flags[i] =
      (row.type === 'postal_code' ? POSTAL : 0) |
      (row.contains ? CONTAINS : 0) |
      (row.disputed ? DISPUTED : 0) |
      (row.has_geometry ? MAPPED : 0);
    this.#level[i] = row.admin_level ?? NO_LEVEL;
    NUMBERS.forEach((name, k) => {
      this.#numbers[NUMBERS.length * i + k] = row[name] ?? NONE;
    });
    this.#countries[i] = this.#list(row.countries);
    this.#parents[i] = this.#list(row.parents ?? []);
    this.#countryOf[i] = this.#country.number(String(row.country), () => row.country);
    this.#source[i] = this.#sources.number(row.source, () => row.source);
    this.#versions[i] = row.version;
    this.#populations[i] = row.population ?? Number.NaN;
    const { iso, stale } = row;
    const isItem = row.wikidata !== null && ITEM.test(row.wikidata);
    this.#items[i] = isItem ? Number(row.wikidata?.slice(1)) : 0;
    const wikidata = isItem ? null : row.wikidata;
    if (iso !== null || wikidata !== null || stale !== null) this.#rare.set(i, { iso, wikidata, stale });
    return true;
  }

  #text(text: string): number {
    return this.#texts.number(text, () => text);
  }

  #list(list: readonly string[]): number {
    // Of one id there is one text: tests of thousands of lists read the same few.
    return this.#lists.number(list.join(), () => list.map((one) => this.#texts.values[this.#text(one)] as string));
  }

  /** Returns the number of a boundary by id, or -1. */
  find(id: string): number {
    const bytes = Buffer.from(id);
    const i = this.ids.firstFrom(bytes);
    return i < this.count && this.ids.is(i, bytes) ? i : -1;
  }

  /** Returns the fields of a result. A literal: a search creates hundreds, and a spread costs ten times as much. */
  place(i: number): Place {
    return {
      id: this.ids.at(i),
      type: this.isPostal(i) ? 'postal_code' : 'administrative',
      kind: this.kind(i),
      west: this.#number(i, 0),
      south: this.#number(i, 1),
      east: this.#number(i, 2),
      north: this.#number(i, 3),
      lat: this.#number(i, 4),
      lon: this.#number(i, 5),
    };
  }

  #number(i: number, k: number): number | null {
    const value = defined(this.#numbers[NUMBERS.length * i + k]);
    return value === NONE ? null : value;
  }

  /** Returns the boundary as answers use it. */
  boundary(i: number): Boundary {
    const { iso = null, wikidata = null, stale = null } = this.#rare.get(i) ?? {};
    const population = defined(this.#populations[i]);
    const { id, kind, west, south, east, north, lat, lon } = this.place(i);
    const row: DocumentRow = {
      id,
      name: this.name(i),
      kind,
      admin_level: this.level(i),
      country: this.country(i),
      countries: [...this.countries(i)],
      disputed: (defined(this.#flags[i]) & DISPUTED) !== 0,
      west,
      south,
      east,
      north,
      lat,
      lon,
      population: Number.isNaN(population) ? null : population,
      wikidata: defined(this.#items[i]) > 0 ? `Q${this.#items[i]}` : wikidata,
      iso,
      has_geometry: (defined(this.#flags[i]) & MAPPED) !== 0,
      source: defined(this.#sources.values[defined(this.#source[i])]),
      version: defined(this.#versions[i]),
      stale,
    };
    return toBoundary(row, this.#line(i));
  }

  /** The parents of a boundary, an array that siblings share. Do not modify. */
  #line(i: number): Parent[] {
    const list = defined(this.#parents[i]);
    const before = this.#lines.get(list);
    if (before) return before;
    if (this.#lines.size >= MOST_LINES) this.#lines.clear();
    const line = this.parents(i).flatMap((id) => this.#parent(id));
    this.#lines.set(list, line);
    return line;
  }

  /** A boundary as its children list it, with keys in the order of the database. */
  #parent(id: string): Parent[] {
    const i = this.find(id);
    return i < 0 ? [] : [{ id, kind: this.kind(i), name: this.name(i), admin_level: this.level(i) }];
  }

  kind(i: number): Kind {
    return defined(this.#kinds.values[defined(this.#kind[i])]);
  }

  isPostal(i: number): boolean {
    return (defined(this.#flags[i]) & POSTAL) !== 0;
  }

  level(i: number): number | null {
    return this.#level[i] === NO_LEVEL ? null : defined(this.#level[i]);
  }

  /**
   * Creates a test whether a boundary is in one of some countries, or in one of some boundaries by id. Boundaries share
   * their lists of both, each of which is compared once.
   */
  inside({ ids, countries }: { readonly ids: readonly string[]; readonly countries: readonly string[] }) {
    const wanted = new Set(ids);
    const answers = new Int8Array(2 * this.#lists.values.length);
    const answered = (at: number, list: number, test: (list: readonly string[]) => boolean): boolean => {
      if (answers[at] === 0) answers[at] = test(defined(this.#lists.values[list])) ? 1 : -1;
      return answers[at] === 1;
    };
    const isCountry = (list: readonly string[]): boolean => list.some((one) => countries.includes(one));
    const isParent = (list: readonly string[]): boolean => list.some((one) => wanted.has(one));
    return (i: number): boolean => {
      const [first, second] = [defined(this.#countries[i]), defined(this.#parents[i])];
      return (
        (countries.length > 0 && answered(2 * first, first, isCountry)) ||
        (wanted.size > 0 && answered(2 * second + 1, second, isParent))
      );
    };
  }

  countries(i: number): readonly string[] {
    return defined(this.#lists.values[defined(this.#countries[i])]);
  }

  /** Canonical ids of all containing boundaries, outermost first. */
  parents(i: number): readonly string[] {
    return defined(this.#lists.values[defined(this.#parents[i])]);
  }

  /** The local name. */
  name(i: number): string {
    return this.#names.at(i);
  }

  /** ISO 3166-1 alpha-2 code. */
  country(i: number): string | null {
    return defined(this.#country.values[defined(this.#countryOf[i])]);
  }

  /** Whether other boundaries are inside it. */
  contains(i: number): boolean {
    return (defined(this.#flags[i]) & CONTAINS) !== 0;
  }
}

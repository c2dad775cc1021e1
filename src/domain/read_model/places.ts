import type { Kind } from '../../schemas.ts';
import { Texts } from './texts.ts';

/** A row of search_index_places: a boundary, with what searching and ranking need of it. */
export interface PlaceRow {
  readonly id: string;
  readonly type: 'administrative' | 'postal_code';
  readonly kind: Kind;
  readonly admin_level: number | null;
  readonly countries: readonly string[];
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
  readonly lat: number | null;
  readonly lon: number | null;
  /** The name and the country; null where nothing lies in it. */
  readonly name: string | null;
  readonly country: string | null;
  /** Canonical ids of all that it lies in. */
  readonly parents: readonly string[] | null;
}

/** What of a boundary every result of a lookup tells; coordinates in 1e-7 degrees. */
export type Place = Pick<PlaceRow, 'id' | 'type' | 'kind' | 'west' | 'south' | 'east' | 'north' | 'lat' | 'lon'>;

/** No coordinate: beyond every longitude. */
const NONE = 2 ** 31 - 1;
const NO_LEVEL = -32_768;
const NUMBERS = ['west', 'south', 'east', 'north', 'lat', 'lon'] as const;
/** What an entry of a list that boundaries share takes, about. */
const SHARED_BYTES = 40;

/** Values that many boundaries have, each kept once. */
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

/** Boundaries by number, in the order of their ids, in some 70 bytes each. */
export class Places {
  readonly ids: Texts;
  readonly #kinds = new Shared<Kind>();
  readonly #kind: Uint16Array;
  readonly #isPostal: Uint8Array;
  readonly #level: Int16Array;
  readonly #numbers: Int32Array;
  readonly #lists = new Shared<readonly string[]>();
  readonly #countries: Uint32Array;
  readonly #parents: Uint32Array;
  /** Names and countries of those that others lie in. */
  readonly #containers = new Map<number, { readonly name: string; readonly country: string | null }>();

  /** Has room for so many boundaries, with ids of so many bytes in all. */
  constructor(most: number, bytes: number) {
    this.ids = new Texts(most, bytes);
    this.#kind = new Uint16Array(most);
    this.#isPostal = new Uint8Array(most);
    this.#level = new Int16Array(most);
    this.#numbers = new Int32Array(NUMBERS.length * most);
    this.#countries = new Uint32Array(most);
    this.#parents = new Uint32Array(most);
  }

  /** How many there are. */
  get count(): number {
    return this.ids.count;
  }

  /** What it takes in memory, about. */
  get bytes(): number {
    const columns = [this.#kind, this.#isPostal, this.#level, this.#numbers, this.#countries, this.#parents];
    const entries = this.#lists.values.reduce((sum, list) => sum + 2 + list.length, 4 * this.#containers.size);
    return this.ids.bytes + columns.reduce((sum, { byteLength }) => sum + byteLength, SHARED_BYTES * entries);
  }

  /** Puts a boundary behind the last one, whose id comes before its own. False where there is no room for it. */
  push(row: PlaceRow): boolean {
    const i = this.count;
    if (!this.ids.push(row.id)) return false;
    this.#kind[i] = this.#kinds.number(row.kind, () => row.kind);
    this.#isPostal[i] = row.type === 'postal_code' ? 1 : 0;
    this.#level[i] = row.admin_level ?? NO_LEVEL;
    NUMBERS.forEach((name, k) => {
      this.#numbers[NUMBERS.length * i + k] = row[name] ?? NONE;
    });
    this.#countries[i] = this.#list(row.countries);
    this.#parents[i] = this.#list(row.parents ?? []);
    if (row.name !== null) this.#containers.set(i, { name: row.name, country: row.country });
    return true;
  }

  #list(list: readonly string[]): number {
    return this.#lists.number(list.join(), () => list);
  }

  /** The number of the boundary with this id, or -1. */
  find(id: string): number {
    const bytes = Buffer.from(id);
    const i = this.ids.firstFrom(bytes);
    return i < this.count && this.ids.is(i, bytes) ? i : -1;
  }

  /** What every result tells of a boundary. */
  place(i: number): Place {
    const [west, south, east, north, lat, lon] = NUMBERS.map((_, k) => {
      const value = this.#numbers[NUMBERS.length * i + k];
      return value === NONE ? null : value;
    });
    const type = this.#isPostal[i] === 1 ? 'postal_code' : 'administrative';
    return { id: this.ids.at(i), type, kind: this.kind(i), west, south, east, north, lat, lon };
  }

  kind(i: number): Kind {
    return this.#kinds.values[this.#kind[i]];
  }

  isPostal(i: number): boolean {
    return this.#isPostal[i] === 1;
  }

  level(i: number): number | null {
    return this.#level[i] === NO_LEVEL ? null : this.#level[i];
  }

  countries(i: number): readonly string[] {
    return this.#lists.values[this.#countries[i]];
  }

  parents(i: number): readonly string[] {
    return this.#lists.values[this.#parents[i]];
  }

  /** The name and country of a boundary that others lie in; undefined of all others. */
  container(i: number): { readonly name: string; readonly country: string | null } | undefined {
    return this.#containers.get(i);
  }
}

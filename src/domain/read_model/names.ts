import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Kind } from '../../schemas.ts';
import { toAscii } from '../names.ts';
import { dataRevision, watchRevision } from '../revision.ts';
import { comparedWith, indexTrigrams, type TrigramIndex, trigramsOf } from './trigrams.ts';

/** A row of search_index: a name, and what searching and ranking need of its boundary. */
interface Row {
  readonly folded: string;
  readonly id: string;
  readonly name_type: string;
  readonly weight: number;
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
  readonly name: string;
  readonly country: string | null;
  /** Canonical ids of all that it lies in. */
  readonly parents: readonly string[] | null;
  readonly has_children: boolean | null;
}

/** A boundary, once for all of its names. */
interface Owner extends Omit<Row, 'folded' | 'name_type' | 'weight' | 'parents'> {
  readonly parents: readonly string[];
}

/** What of a boundary every row tells. */
type Place = Pick<Owner, 'id' | 'type' | 'kind' | 'west' | 'south' | 'east' | 'north' | 'lat' | 'lon'>;

/** A row as search_names gives it. */
export interface NameHit extends Place {
  readonly step: number;
  readonly weight: number;
  readonly whole: boolean;
  readonly name_type: string;
}

/** A row as search_exact gives it. */
export interface ExactHit extends Place {
  readonly folded: string;
  readonly name_type: string;
  readonly weight: number;
  readonly countries: readonly string[];
  /** Of the places that have to contain it, those that do. */
  readonly inside: readonly string[];
}

/** A row as search_containers gives it: `country` where it is one. */
export interface ContainerHit {
  readonly folded: string;
  readonly id: string;
  readonly name: string;
  readonly country: string | null;
}

/** A row as search_typos gives it: how a name resembles the query. */
export interface SimilarHit extends Place {
  readonly weight: number;
  readonly step: number;
}

/** How a folded name resembles a query, as a step of the search; null: it does not. `later`: it is but what another name has behind its first words. */
export type StepOf = (folded: string, later: boolean) => number | null;

/** Which boundaries are wanted. */
export interface NameFilters {
  readonly country: readonly string[] | null;
  readonly kind: Kind | null;
  readonly adminLevel: number | null;
  /** What has to contain them: one of the places, by canonical id, or one of the countries. */
  readonly within?: { readonly ids: readonly string[]; readonly countries: readonly string[] } | null;
}

/** What search_typos is asked. */
export interface SimilarQuery extends NameFilters {
  /** The query as toAscii() writes it; null: only the spellings are looked up. */
  readonly ascii: string | null;
  /** The least word_similarity of the query to a name. */
  readonly likeness: number;
  readonly spellings: readonly string[];
  /** What stands behind the last text that begins with a spelling. */
  readonly end: string;
  /** Most rows, by either way. */
  readonly most: number;
}

/** What search_names is asked. */
export interface NameQuery extends NameFilters {
  /** Folded. */
  readonly name: string;
  /** The query as a compact code. */
  readonly code: string;
  /** A canonical id, when the query is one. */
  readonly id: string | null;
  /** Whether codes are completed too. */
  readonly completesCodes: boolean;
  /** Most rows of one step. */
  readonly most: number;
}

/** All names of one state of the data, in memory. */
export interface Names {
  readonly revision: number;
  readonly count: number;
  /** What it holds in memory, about. */
  readonly bytes: number;
  /** Canonical ids of the boundaries, the most important first. */
  ids(): string[];
  /** Exactly what the statement search_names gives, in no order. */
  find(query: NameQuery): NameHit[];
  /** What search_exact gives: boundaries called just so, the most important first, at most `most` for each name. */
  exact(names: readonly string[], filters: NameFilters, most: number): ExactHit[];
  /** What search_containers gives: what contains others and is called so, the most important first. */
  containers(names: readonly string[]): ContainerHit[];
  /** What search_typos gives, as far as it has a step. */
  similar(query: SimilarQuery, stepOf: StepOf): SimilarHit[];
}

/** The names of the present data, where they fit into memory. */
export interface NameIndex {
  /**
   * The names of a revision, or null: while they are read (the next one to ask finds them), and where there are more
   * than the bound. The database answers then.
   */
  at(revision: number): Names | null;
  /** The names of the present revision, or null where they do not fit, or the data changed meanwhile. */
  warm(): Promise<Names | null>;
  present(): number | Promise<number>;
  held(): { readonly bytes: number; readonly names: number };
}

/** As many names are read into memory: of 60,000 boundaries, about. A name takes 200 bytes with its trigrams and its share of a boundary. */
export const MOST_NAMES = 250_000;
/** Names read in one statement: its reply of 2 MB is taken in without holding others up. */
const PAGE = 10_000;
/** Names are read again at most for this part of the time: where the data changes often, the database is asked. */
const SHARE = 0.1;

/** Keeps the names of `db` in memory, up to `most` of them. */
export function createNameIndex(db: Database, most = MOST_NAMES): NameIndex {
  const revisions = watchRevision(db);
  let names: Names | null = null;
  let reading: Promise<Names | null> | null = null;
  let rest = 0;

  async function read(): Promise<Names | null> {
    const started = performance.now();
    try {
      const revision = await revisions.current();
      if (names?.revision === revision) return names;
      names = null;
      const [size] = await db.query<{ names: number }>(loadQuery('search_index_size'), [most + 1]);
      if (size.names > most) return null;
      const found = await readNames(db, revision, most);
      if (found) names = found;
      return found;
    } finally {
      const ended = performance.now();
      rest = ended + (ended - started) / SHARE;
    }
  }

  function warm(): Promise<Names | null> {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  }

  return {
    at(revision) {
      if (names?.revision === revision) return names;
      // A failure shows where the database is asked.
      if (performance.now() >= rest) warm().catch(() => undefined);
      return null;
    },
    warm,
    present: () => revisions.current(),
    held: () => ({ bytes: names?.bytes ?? 0, names: names?.count ?? 0 }),
  };
}

/** Reads all names; null when the data changed meanwhile, or there are more than `most`. */
async function readNames(db: Database, revision: number, most: number): Promise<Names | null> {
  const [folded, owner, type, weight]: [string[], number[], string[], number[]] = [[], [], [], []];
  const owners: Owner[] = [];
  const numbers = new Map<string, number>();
  // There are few of these lists, and boundaries share them.
  const shared = new Map<string, readonly string[]>();
  const share = (list: readonly string[]): readonly string[] => {
    const key = list.join();
    const before = shared.get(key);
    if (before === undefined) shared.set(key, list);
    return before ?? list;
  };
  let [name, id, sort] = ['', '', ''];
  for (;;) {
    const rows: Row[] = await db.query<Row>(loadQuery('search_index'), [name, id, sort, PAGE]);
    for (const row of rows) {
      let number = numbers.get(row.id);
      if (number === undefined) {
        number = owners.length;
        numbers.set(row.id, number);
        owners.push(ownerOf(row, share));
      }
      folded.push(row.folded);
      owner.push(number);
      type.push(row.name_type);
      weight.push(row.weight);
    }
    if (folded.length > most) return null;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) break;
    [name, id, sort] = [last.folded, last.id, last.name_type];
  }
  if ((await dataRevision(db)) !== revision) return null;
  const similar = (i: number): boolean => type[i] !== 'word' && type[i] !== 'code' && type[i] !== 'wikidata';
  const trigrams = await indexTrigrams(folded.length, (i) => (similar(i) ? toAscii(folded[i]) : null));
  return namesOf(revision, { folded, owner, type, weight, trigrams }, owners);
}

function ownerOf(row: Row, share: (list: readonly string[]) => readonly string[]): Owner {
  const { id, type, kind, admin_level, west, south, east, north, lat, lon, name, country, has_children } = row;
  const place = { id, type, kind, admin_level, west, south, east, north, lat, lon, name, country, has_children };
  return { ...place, countries: share(row.countries), parents: share(row.parents ?? []) };
}

/** Columns of the names, in the order of their code points. */
interface Columns {
  readonly folded: readonly string[];
  /** Places in the list of boundaries. */
  readonly owner: readonly number[];
  readonly type: readonly string[];
  readonly weight: readonly number[];
  /** Of the names that search_typos compares. */
  readonly trigrams: TrigramIndex;
}

/** What a boundary and a name take in memory beside their letters, about: objects, pointers and numbers. */
const OWNER_BYTES = 260;
const NAME_BYTES = 96;
/** From this importance on, a completion comes before all of the alphabet (the index boundary_name_major). */
const MAJOR = 7;

function namesOf(
  revision: number,
  { folded, owner, type, weight, trigrams }: Columns,
  owners: readonly Owner[],
): Names {
  const letters = folded.reduce((sum, text) => sum + text.length, 0);
  const isCode = (i: number): boolean => type[i] === 'code' || type[i] === 'wikidata';
  const byId = new Map<string, number>();
  owners.forEach(({ id }, number) => void byId.set(id, number));

  /** Where names begin that are not before `text`. */
  function start(text: string): number {
    let [low, high] = [0, folded.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareCodePoints(folded[middle], text) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Rows by importance, at most `most`. */
  function firstByWeight(rows: number[], most: number): number[] {
    return rows
      .sort((a, b) => weight[b] - weight[a] || compareCodePoints(owners[owner[a]].id, owners[owner[b]].id) || a - b)
      .slice(0, most);
  }

  function ids(): string[] {
    const greatest = new Map<number, number>();
    for (let i = 0; i < owner.length; i++) greatest.set(owner[i], Math.max(weight[i], greatest.get(owner[i]) ?? 0));
    return [...greatest].sort((a, b) => b[1] - a[1]).map(([number]) => owners[number].id);
  }

  /** Whether a boundary is wanted. */
  function fitting({ country, kind, adminLevel, within = null }: NameFilters): (number: number) => boolean {
    const ids = new Set(within?.ids);
    return (number) => {
      const one = owners[number];
      return (
        (country === null || one.countries.some((other) => country.includes(other))) &&
        (kind === null || one.kind === kind) &&
        (adminLevel === null || one.admin_level === adminLevel) &&
        (within === null ||
          one.countries.some((other) => within.countries.includes(other)) ||
          one.parents.some((parent) => ids.has(parent)))
      );
    };
  }

  /** Rows of names that are just `name`. */
  function called(name: string, fits: (i: number) => boolean): number[] {
    const rows: number[] = [];
    for (let i = start(name); i < folded.length && folded[i] === name; i++) if (fits(i)) rows.push(i);
    return rows;
  }

  function exact(wanted: readonly string[], filters: NameFilters, most: number): ExactHit[] {
    const fits = fitting(filters);
    const ids = filters.within?.ids ?? [];
    return wanted.flatMap((name) =>
      firstByWeight(
        called(name, (i) => !isCode(i) && type[i] !== 'word' && fits(owner[i])),
        most,
      ).map((i) => {
        const one = owners[owner[i]];
        const inside = one.parents.filter((parent) => ids.includes(parent));
        return {
          ...placeOf(one),
          folded: name,
          name_type: type[i],
          weight: weight[i],
          countries: one.countries,
          inside,
        };
      }),
    );
  }

  function containers(wanted: readonly string[]): ContainerHit[] {
    const contains = (i: number): boolean =>
      type[i] !== 'word' && type[i] !== 'wikidata' && weight[i] > 0 && owners[owner[i]].has_children === true;
    const rows = wanted.flatMap((name) => firstByWeight(called(name, contains), CONTAINERS));
    return firstByWeight(rows, rows.length)
      .filter((i) => owners[owner[i]].type === 'administrative')
      .map((i) => {
        const { id, name, admin_level, kind, country } = owners[owner[i]];
        const isCountry = admin_level === 2 || kind === 'country';
        return { folded: folded[i], id, name, country: isCountry ? country : null };
      });
  }

  function similar({ ascii, likeness, spellings, end, most, ...filters }: SimilarQuery, stepOf: StepOf): SimilarHit[] {
    const fits = fitting(filters);
    const alike = ascii === null ? [] : alikeRows(ascii, likeness, fits, most);
    const spelled: number[] = [];
    for (const spelling of spellings) {
      const last = spelling + end;
      let left = A_SPELLING;
      for (let i = start(spelling); left > 0 && i < folded.length && compareCodePoints(folded[i], last) < 0; ) {
        // Of one text, the most important first.
        const same: number[] = [];
        for (const text = folded[i]; i < folded.length && folded[i] === text; i++) {
          if (!isCode(i) && fits(owner[i])) same.push(i);
        }
        const taken = firstByWeight(same, left);
        spelled.push(...taken);
        left -= taken.length;
      }
    }
    const hits: SimilarHit[] = [];
    const judge = (i: number, later: boolean): void => {
      const step = stepOf(folded[i], later);
      if (step !== null) hits.push({ ...placeOf(owners[owner[i]]), weight: weight[i], step });
    };
    for (const i of alike) judge(i, false);
    for (const i of firstByWeight(spelled, most)) judge(i, type[i] === 'word');
    return hits;
  }

  /** Rows of names that resemble a query, most alike first. */
  function alikeRows(ascii: string, likeness: number, fits: (number: number) => boolean, most: number): number[] {
    const query = trigramsOf(ascii);
    const candidates = trigrams.having(query, likeness).filter((i) => fits(owner[i]));
    return comparedWith(query, ({ of }) => {
      const alike = candidates.map((i) => ({ i, likeness: of(trigramsOf(toAscii(folded[i]))) }));
      return alike.filter((one) => one.likeness >= likeness);
    })
      .sort(
        (a, b) =>
          b.likeness - a.likeness ||
          weight[b.i] - weight[a.i] ||
          compareCodePoints(owners[owner[a.i]].id, owners[owner[b.i]].id) ||
          a.i - b.i,
      )
      .slice(0, most)
      .map(({ i }) => i);
  }

  function find({ name, code, id, completesCodes, most, ...filters }: NameQuery): NameHit[] {
    const fits = fitting(filters);
    const best = new Map<number, { row: number; step: number; whole: boolean; type: string; weight: number }>();
    const add = (number: number, row: number, step: number, whole: boolean, name_type = type[row]): void => {
      const other = best.get(number);
      if (other && (other.step < step || (other.step === step && (other.whole || !whole)))) return;
      best.set(number, { row, step, whole, type: name_type, weight: weight[row] });
    };
    const [whole, major, started]: [number[], number[], number[]] = [[], [], []];
    for (let i = start(name); i < folded.length && folded[i].startsWith(name); i++) {
      if (isCode(i) || !fits(owner[i])) continue;
      if (folded[i] === name) whole.push(i);
      if (weight[i] >= MAJOR) major.push(i);
      if (started.length < most) started.push(i);
    }
    for (const i of firstByWeight(whole, most)) add(owner[i], i, STEPS[type[i]] ?? 0, true);
    for (const i of [...firstByWeight(major, most), ...started]) {
      add(owner[i], i, type[i] === 'word' ? 5 : 3, folded[i].startsWith(`${name} `));
    }
    const coded: number[] = [];
    const codes: number[] = [];
    for (let i = start(code); i < folded.length && folded[i].startsWith(code); i++) {
      if (!isCode(i) || !fits(owner[i])) continue;
      if (folded[i] === code) coded.push(i);
      else if (!completesCodes) break;
      if (completesCodes && type[i] === 'code' && codes.length < most) codes.push(i);
    }
    for (const i of firstByWeight(coded, most)) add(owner[i], i, 2, true);
    for (const i of codes) add(owner[i], i, 3, false);
    const number = id === null ? undefined : byId.get(id);
    if (number !== undefined && fits(number)) {
      const row = owner.indexOf(number);
      add(number, row, 2, true, 'code');
    }
    return [...best].map(([number, { step, whole: isWhole, type: name_type, weight: importance }]) => {
      return { ...placeOf(owners[number]), step, weight: importance, whole: isWhole, name_type };
    });
  }

  return {
    revision,
    count: folded.length,
    bytes: letters + folded.length * NAME_BYTES + owners.length * OWNER_BYTES + trigrams.bytes,
    ids,
    find,
    exact,
    containers,
    similar,
  };
}

function placeOf({ id, type, kind, west, south, east, north, lat, lon }: Owner): Place {
  return { id, type, kind, west, south, east, north, lat, lon };
}

/** Most places of one name that others are looked for in, and most names that begin with one spelling. */
const CONTAINERS = 5;
const A_SPELLING = 20;

/** Steps of a whole name by its type; 0 for all others. */
const STEPS: Readonly<Record<string, number>> = { stripped: 1, old_name: 1, word: 4 };

/** Order by code points, which is that of the bytes of UTF-8, and not that of the halves of UTF-16. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x === y) continue;
    const [high, low] = [isSurrogate(x), isSurrogate(y)];
    return high === low ? x - y : high ? 1 : -1;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

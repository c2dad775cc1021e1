import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Kind } from '../../schemas.ts';
import { dataRevision, watchRevision } from '../revision.ts';

/** A row of search_index: a name, and what ranking needs of its boundary. */
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
}

/** A boundary, once for all of its names. */
type Owner = Omit<Row, 'folded' | 'name_type' | 'weight'>;

/** A row as search_names gives it. */
export interface NameHit extends Omit<Owner, 'countries' | 'admin_level'> {
  readonly step: number;
  readonly weight: number;
  readonly whole: boolean;
  readonly name_type: string;
}

/** What search_names is asked. */
export interface NameQuery {
  /** Folded. */
  readonly name: string;
  /** The query as a compact code. */
  readonly code: string;
  /** A canonical id, when the query is one. */
  readonly id: string | null;
  /** Whether codes are completed too. */
  readonly completesCodes: boolean;
  readonly country: readonly string[] | null;
  readonly kind: Kind | null;
  readonly adminLevel: number | null;
  /** Most rows of one step. */
  readonly most: number;
}

/** All names of one state of the data, in memory. */
export interface Names {
  readonly revision: number;
  readonly count: number;
  /** What it holds in memory, about. */
  readonly bytes: number;
  /** Exactly what the statement search_names gives (without containers), in no order. */
  find(query: NameQuery): NameHit[];
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

/** As many names are read into memory: of 60,000 boundaries, about. A name takes 150 bytes with its share of a boundary. */
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
  // A process has few of these texts, and boundaries share them.
  const shared = new Map<string, readonly string[]>();
  let [name, id, sort] = ['', '', ''];
  for (;;) {
    const rows: Row[] = await db.query<Row>(loadQuery('search_index'), [name, id, sort, PAGE]);
    for (const row of rows) {
      let number = numbers.get(row.id);
      if (number === undefined) {
        number = owners.length;
        numbers.set(row.id, number);
        const key = row.countries.join();
        if (!shared.has(key)) shared.set(key, row.countries);
        owners.push(ownerOf(row, shared.get(key) ?? row.countries));
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
  return namesOf(revision, { folded, owner, type, weight }, owners);
}

function ownerOf(
  { id, type, kind, admin_level, west, south, east, north, lat, lon }: Row,
  countries: Row['countries'],
) {
  return { id, type, kind, admin_level, countries, west, south, east, north, lat, lon };
}

/** Columns of the names, in the order of their code points. */
interface Columns {
  readonly folded: readonly string[];
  /** Places in the list of boundaries. */
  readonly owner: readonly number[];
  readonly type: readonly string[];
  readonly weight: readonly number[];
}

/** What a boundary and a name take in memory beside their letters, about: objects, pointers and numbers. */
const OWNER_BYTES = 200;
const NAME_BYTES = 96;
/** From this importance on, a completion comes before all of the alphabet (the index boundary_name_major). */
const MAJOR = 7;

function namesOf(revision: number, { folded, owner, type, weight }: Columns, owners: readonly Owner[]): Names {
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

  function find({ name, code, id, completesCodes, country, kind, adminLevel, most }: NameQuery): NameHit[] {
    const fits = (number: number): boolean => {
      const one = owners[number];
      return (
        (country === null || one.countries.some((other) => country.includes(other))) &&
        (kind === null || one.kind === kind) &&
        (adminLevel === null || one.admin_level === adminLevel)
      );
    };
    const best = new Map<number, { row: number; step: number; whole: boolean; type: string; weight: number }>();
    const add = (number: number, row: number, step: number, whole: boolean, name_type = type[row]): void => {
      const other = best.get(number);
      if (other && (other.step < step || (other.step === step && (other.whole || !whole)))) return;
      best.set(number, { row, step, whole, type: name_type, weight: weight[row] });
    };
    const firstByWeight = (rows: number[]): number[] =>
      rows
        .sort((a, b) => weight[b] - weight[a] || compareCodePoints(owners[owner[a]].id, owners[owner[b]].id) || a - b)
        .slice(0, most);

    const [whole, major, started]: [number[], number[], number[]] = [[], [], []];
    for (let i = start(name); i < folded.length && folded[i].startsWith(name); i++) {
      if (isCode(i) || !fits(owner[i])) continue;
      if (folded[i] === name) whole.push(i);
      if (weight[i] >= MAJOR) major.push(i);
      if (started.length < most) started.push(i);
    }
    for (const i of firstByWeight(whole)) add(owner[i], i, STEPS[type[i]] ?? 0, true);
    for (const i of [...firstByWeight(major), ...started]) {
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
    for (const i of firstByWeight(coded)) add(owner[i], i, 2, true);
    for (const i of codes) add(owner[i], i, 3, false);
    const number = id === null ? undefined : byId.get(id);
    if (number !== undefined && fits(number)) {
      const row = owner.indexOf(number);
      add(number, row, 2, true, 'code');
    }
    return [...best].map(([number, { step, whole: isWhole, type: name_type, weight: importance }]) => {
      const { id: found, type: sort, kind: what, west, south, east, north, lat, lon } = owners[number];
      const box = { west, south, east, north, lat, lon };
      return { id: found, step, weight: importance, whole: isWhole, kind: what, name_type, type: sort, ...box };
    });
  }

  return {
    revision,
    count: folded.length,
    bytes: letters + folded.length * NAME_BYTES + owners.length * OWNER_BYTES,
    find,
  };
}

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

import { setTimeout as sleep } from 'node:timers/promises';
import { defined, only } from '../../common/elements.ts';
import { Semaphore } from '../../common/semaphore.ts';
import { singleFlight } from '../../common/single_flight.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { dataRevision, watchRevision } from '../boundaries/revision.ts';
import { toAscii } from '../names/names.ts';
import type { Names } from './names.ts';
import { namesOf } from './names_in_memory.ts';
import { Places } from './places.ts';
import { Texts } from './texts.ts';
import { indexTrigrams } from './trigrams.ts';

/** An in-memory index of the names at the current revision, if they fit. */
export interface NameIndex {
  /**
   * Returns the names at a revision, or null if they exceed the memory limit or are not loaded yet; then loading
   * starts. Callers fall back to the database.
   */
  at(revision: number): Names | null;
  /**
   * Runs `work` with the result of at(). With null, only a few run at a time; the others wait and usually find the
   * names loaded on their turn. All at once, they would use up the database.
   */
  use<T>(revision: number, work: (names: Names | null) => Promise<T>): Promise<T>;
  /** Loads the names at the current revision; null if they do not fit or the data changed meanwhile. */
  warm(): Promise<Names | null>;
  present(): number | Promise<number>;
  held(): { readonly bytes: number; readonly names: number };
}

/** A result row of search_index. */
interface NameRow {
  readonly folded: string;
  readonly id: string;
  readonly name_type: string;
  readonly weight: number;
}

/** The result row of search_index_size: numbers of names and boundaries, and the bytes of their texts. */
interface Size {
  readonly names: number;
  readonly letters: number;
  readonly places: number;
  readonly ids: number;
  readonly titles: number;
}

/** Rows per statement: a reply of half a megabyte is processed without delaying other calls. */
const PAGE = 5_000;
/** Pause between two pages in milliseconds, so that waiting calls are answered first. */
const BETWEEN_MS = 20;
/** Share of time that reloading the names may take. If the data changes often, searches use the database. */
const SHARE = 0.1;
/** Searches that use the database concurrently. */
const IN_DATABASE = 4;
/** Searches that can wait for the database. */
const QUEUE_LIMIT = 10_000;
/** Approximate bytes of a name (with its trigrams) and of a boundary, besides their texts. */
const NAME_BYTES = 75;
const PLACE_BYTES = 100;

/** Creates an index that keeps the names of `db` in memory if they take at most `most` bytes. */
export function createNameIndex(db: Database, most: number): NameIndex {
  const revisions = watchRevision(db);
  let names: Names | null = null;
  let rest = 0;
  const inDatabase = new Semaphore(IN_DATABASE, QUEUE_LIMIT);

  async function read(): Promise<Names | null> {
    const started = performance.now();
    try {
      const revision = await revisions.current();
      if (names?.revision === revision) return names;
      names = null;
      const size = only(await db.query(loadQuery('search_index_size')));
      const letters = size.letters + size.ids + size.titles;
      if (letters + NAME_BYTES * size.names + PLACE_BYTES * size.places > most) return null;
      names = await readNames(db, revision, size);
      return names;
    } finally {
      const ended = performance.now();
      rest = ended + (ended - started) / SHARE;
    }
  }

  const warm = singleFlight(read);

  function at(revision: number): Names | null {
    if (names?.revision === revision) return names;
    // A failure surfaces when the caller queries the database.
    if (performance.now() >= rest) warm().catch(() => undefined);
    return null;
  }

  return {
    at,
    use(revision, work) {
      const present = at(revision);
      return present ? work(present) : inDatabase.run(() => work(at(revision)));
    },
    warm,
    present: () => revisions.current(),
    held: () => ({ bytes: names?.bytes ?? 0, names: names?.count ?? 0 }),
  };
}

/** Reads all names; null if the data changed meanwhile. */
async function readNames(db: Database, revision: number, size: Size): Promise<Names | null> {
  const places = new Places(size.places, { ids: size.ids, names: size.titles });
  const numbers = new Map<string, number>();
  for (let last = ''; ; ) {
    const rows = await db.query(loadQuery('search_index_places'), [last, PAGE]);
    for (const row of rows) {
      numbers.set(row.id, places.count);
      if (!places.push(row)) return null;
    }
    if (rows.length < PAGE) break;
    last = defined(rows[rows.length - 1]).id;
    await sleep(BETWEEN_MS);
  }

  const folded = new Texts(size.names, size.letters);
  const owner = new Uint32Array(size.names);
  const type = new Uint8Array(size.names);
  const weight = new Float64Array(size.names);
  const types: string[] = [];
  for (let last: Pick<NameRow, 'folded' | 'id' | 'name_type'> = { folded: '', id: '', name_type: '' }; ; ) {
    const rows = await db.query(loadQuery('search_index'), [last.folded, last.id, last.name_type, PAGE]);
    for (const row of rows) {
      const i = folded.count;
      const number = numbers.get(row.id);
      if (number === undefined || !folded.push(row.folded)) return null;
      if (!types.includes(row.name_type)) types.push(row.name_type);
      owner[i] = number;
      type[i] = types.indexOf(row.name_type);
      weight[i] = row.weight;
    }
    if (rows.length < PAGE) break;
    last = defined(rows[rows.length - 1]);
    await sleep(BETWEEN_MS);
  }
  if (folded.count < size.names || (await dataRevision(db)) !== revision) return null;
  const compared = types.map((name) => name !== 'word' && name !== 'code' && name !== 'wikidata');
  const trigrams = await indexTrigrams(folded.count, (i) =>
    compared[defined(type[i])] ? toAscii(folded.at(i)) : null,
  );
  return namesOf(revision, { folded, owner, type, types, weight, trigrams }, places);
}

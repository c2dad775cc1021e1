import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/connect.ts';
import { createGate } from '../../db/gate.ts';
import { loadQuery } from '../../db/query.ts';
import { defined, only } from '../../elements.ts';
import { toAscii } from '../names.ts';
import { dataRevision, watchRevision } from '../revision.ts';
import { type Names, namesOf } from './names.ts';
import { type PlaceRow, Places } from './places.ts';
import { Texts } from './texts.ts';
import { indexTrigrams } from './trigrams.ts';

/** The names of the present data, where they fit into memory. */
export interface NameIndex {
  /**
   * The names of a revision, or null: while they are read (the next one to ask finds them), and where they take more
   * than the bound. The database answers then.
   */
  at(revision: number): Names | null;
  /**
   * Returns what `work` makes of the names of a revision, or of null as at() gives it: then of few at a time. The others
   * wait, and mostly find the names read when their turn comes; all at once, they would take the whole of the database.
   */
  use<T>(revision: number, work: (names: Names | null) => Promise<T>): Promise<T>;
  /** The names of the present revision, or null where they do not fit, or the data changed meanwhile. */
  warm(): Promise<Names | null>;
  present(): number | Promise<number>;
  held(): { readonly bytes: number; readonly names: number };
}

/** A row of search_index. */
interface NameRow {
  readonly folded: string;
  readonly id: string;
  readonly name_type: string;
  readonly weight: number;
}

/** A row of search_index_size: how many names and boundaries there are, and the bytes of their letters. */
interface Size {
  readonly names: number;
  readonly letters: number;
  readonly places: number;
  readonly ids: number;
  readonly titles: number;
}

/** Rows read in one statement: its reply of half a megabyte is taken in without holding others up. */
const PAGE = 5_000;
/** Between two of them: the calls that came in meanwhile are answered first. */
const BETWEEN_MS = 20;
/** Names are read again at most for this part of the time: where the data changes often, the database is asked. */
const SHARE = 0.1;
/** Searches that ask the database at once. */
const IN_DATABASE = 4;
const QUEUE_LIMIT = 10_000;
/** What a name and a boundary take beside their letters and ids, about; a name with its trigrams. */
const NAME_BYTES = 75;
const PLACE_BYTES = 100;

/** Keeps the names of `db` in memory, as long as they take at most `most` bytes. */
export function createNameIndex(db: Database, most: number): NameIndex {
  const revisions = watchRevision(db);
  let names: Names | null = null;
  let reading: Promise<Names | null> | null = null;
  let rest = 0;
  const inDatabase = createGate(QUEUE_LIMIT, IN_DATABASE);

  async function read(): Promise<Names | null> {
    const started = performance.now();
    try {
      const revision = await revisions.current();
      if (names?.revision === revision) return names;
      names = null;
      const size = only(await db.query<Size>(loadQuery('search_index_size')));
      const letters = size.letters + size.ids + size.titles;
      if (letters + NAME_BYTES * size.names + PLACE_BYTES * size.places > most) return null;
      names = await readNames(db, revision, size);
      return names;
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

  function at(revision: number): Names | null {
    if (names?.revision === revision) return names;
    // A failure shows where the database is asked.
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

/** Reads all names; null when the data changed meanwhile. */
async function readNames(db: Database, revision: number, size: Size): Promise<Names | null> {
  const places = new Places(size.places, { ids: size.ids, names: size.titles });
  const numbers = new Map<string, number>();
  for (let last = ''; ; ) {
    const rows = await db.query<PlaceRow>(loadQuery('search_index_places'), [last, PAGE]);
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

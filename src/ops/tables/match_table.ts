import { OwnedSemaphores, Semaphore } from '../../common/semaphore.ts';
import { mayNameSets } from '../../common/set_ids.ts';
import { Turns } from '../../common/turns.ts';
import { searchedServices } from '../../core/dated.ts';
import { problem } from '../../core/errors.ts';
import type { BodyStream, Context } from '../../core/op.ts';
import { withSets } from '../../core/with_sets.ts';
import { foldingOf, foldName } from '../../domain/names/fold.ts';
import { lookupsInDatabase, lookupsInMemory } from '../../domain/search/lookups.ts';
import { CandidateSource } from '../../domain/tables/candidates.ts';
import { correctionsOf } from '../../domain/tables/corrections.ts';
import type { MatchedRow, MatchFilters, PlaceRow } from '../../domain/tables/match_rows.ts';
import { type Matched, type Matching, matchRows } from '../../domain/tables/matching.ts';
import { MOST_CHARACTERS, type PlaceColumns, placeReader } from '../../domain/tables/row_places.ts';
import { NOT_FOUND } from '../../domain/tables/settle.ts';
import { cellsOfRow, MOST_BYTES, requireTableBytes, type Table, TableReader } from '../../domain/tables/table.ts';
import { onSnapshot } from '../boundaries/fetched.ts';

/** Tables that are matched at once, and that wait for it. */
const AT_ONCE = 2;
const WAITING = 20;
const largeTurn = new Semaphore(AT_ONCE, WAITING);
/** Calls of few places, which large tables do not hold up. */
const SMALL_WAITING = 100;
const smallTurn = new Semaphore(AT_ONCE, SMALL_WAITING);
/** An organization has one large table matched at a time: the others of it wait here, and take no place of others. */
const ORG_WAITING = 20;
const orgTurns = new OwnedSemaphores(1, ORG_WAITING);

/** Places from which a table is large, and the names are read into memory first, if they fit. */
const MOST_BY_STATEMENTS = 500;

/** Bytes of all tables that are being received, in this process, and of those of one organization (or of no account). */
const MOST_RECEIVED = 128 * 1024 * 1024;
const MOST_OF_ONE = 64 * 1024 * 1024;
let received = 0;
const receivedOf = new Map<string, number>();

/**
 * Reads a table from a body. `most`: stops after so many rows.
 * @throws what TableReader throws; rate_limited while tables of others take all the room, or others of the organization its
 * share
 */
export async function receive(
  ctx: Context,
  { chunks, announced = 0 }: Pick<BodyStream, 'chunks' | 'announced'>,
  most?: number,
): Promise<{ table: Table; release(): void }> {
  if (most === undefined) requireTableBytes(announced);
  const reader = new TableReader();
  let own = 0;
  let dropped = 0;
  const owner = ctx.caller.org?.id ?? '';
  const hold = (bytes: number): void => {
    own += bytes;
    received += bytes;
    const all = (receivedOf.get(owner) ?? 0) + bytes;
    if (all === 0) receivedOf.delete(owner);
    else receivedOf.set(owner, all);
  };
  const release = (): void => hold(-own);
  try {
    for await (const chunk of chunks) {
      ctx.signal.throwIfAborted();
      // The rest is received and dropped: a client that is still sending would miss the answer.
      if (most !== undefined && reader.count >= most) {
        dropped += chunk.byteLength;
        if (dropped > MOST_BYTES) break;
        continue;
      }
      hold(chunk.byteLength);
      if (received > MOST_RECEIVED || (receivedOf.get(owner) ?? 0) > MOST_OF_ONE)
        throw problem('rate_limited', 'Too many tables at once. Try again.', { retry_after: 5 });
      reader.push(chunk);
    }
    return { table: reader.end(), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** What decides about the rows of a call. */
export interface Wanted {
  readonly filters: MatchFilters;
  readonly whole: boolean;
  readonly language?: string;
}

/** Distinct places of many rows: `keys[i]` is the place of row i. */
export interface DistinctRows {
  readonly places: readonly PlaceRow[];
  readonly keys: Uint32Array;
}

/** Rows that say the same place, once each. Shares the main thread. */
export async function distinctRows(
  count: number,
  rowAt: (i: number) => PlaceRow,
  signal?: AbortSignal,
): Promise<DistinctRows> {
  const turns = new Turns(signal);
  const known = new Map<string, number>();
  const places: PlaceRow[] = [];
  const keys = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const row = rowAt(i);
    if (turns.spend(foldingOf(row.name))) await turns.next();
    const key = JSON.stringify([
      foldName(row.name.slice(0, MOST_CHARACTERS)),
      row.code,
      row.within,
      row.country,
      row.type,
    ]);
    let at = known.get(key);
    if (at === undefined) {
      at = places.push(row) - 1;
      known.set(key, at);
    }
    keys[i] = at;
  }
  return { places, keys };
}

/** Places of the rows of a table. @throws invalid_input for a row with more or fewer cells than columns */
export function placesIn(
  ctx: Context,
  table: Table,
  columns: PlaceColumns,
  most = table.rows.length,
): Promise<DistinctRows> {
  const placeOf = placeReader(columns);
  const placeAt = (i: number): PlaceRow => {
    const row = table.rows[i];
    return placeOf(row === undefined ? [] : cellsOfRow(table, row));
  };
  return distinctRows(Math.min(most, table.rows.length), placeAt, ctx.signal);
}

/**
 * Runs work on so many places when its turn comes: small calls and large tables wait apart.
 * @throws QueueError when too many wait; the reason of the signal, by which a caller leaves
 */
export async function inTurn<T>(
  places: number,
  org: string | undefined,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  if (places < MOST_BY_STATEMENTS) return smallTurn.run(work, { signal });
  if (org === undefined) return largeTurn.run(work, { signal });
  return orgTurns.run(org, () => largeTurn.run(work, { signal }), { signal });
}

/** A call that reads the area sets whose ids rows have, as one whose rows are JSON does. @throws what withSets() throws */
export function withNamedSets(ctx: Context, places: readonly PlaceRow[]): Promise<Context> | Context {
  if (ctx.services.sets !== undefined) return ctx;
  const rows = places.flatMap(({ name, code, within }) => [name, code, ...within].filter(mayNameSets));
  return rows.length === 0 ? ctx : withSets(ctx, { rows });
}

const COUNTRY_LEVEL = 2;

/** Matches places on one state of the data; few calls at a time. */
export function matchPlaces(
  ctx: Context,
  places: readonly PlaceRow[],
  wanted: Wanted & Pick<Matching, 'kinds' | 'others'>,
): Promise<Matched> {
  const { db, boundaries, names } = searchedServices(ctx.services);
  const org = ctx.caller.org?.id;
  return inTurn(places.length, org, ctx.signal, () =>
    onSnapshot(ctx, async (reading) => {
      // Statements take ten times as long for each name: a large table waits for the names to be read into memory.
      if (places.length >= MOST_BY_STATEMENTS) await names?.warm();
      const memory = names?.at(reading.revision) ?? null;
      const sourceFor = ({ country, adminLevel }: Pick<MatchFilters, 'country' | 'adminLevel'>): CandidateSource => {
        const filters = {
          country: country === undefined ? null : [country],
          kind: null,
          adminLevel: adminLevel ?? null,
        };
        return new CandidateSource(
          memory ? lookupsInMemory(memory, filters) : lookupsInDatabase(db, boundaries, filters),
          reading,
          adminLevel !== undefined && (country !== undefined || adminLevel === COUNTRY_LEVEL),
        );
      };
      const corrections = org === undefined ? undefined : await correctionsOf(db, org, places, ctx.signal);
      const progress = (done: number): void => ctx.progress?.(`${done} of ${places.length} names looked up`);
      return matchRows(sourceFor, { rows: places, ...wanted, corrections, signal: ctx.signal, progress });
    }),
  );
}

/** What became of the rows, in numbers. */
export interface Counts {
  readonly rows: number;
  readonly distinct: number;
  readonly matched: number;
  readonly ambiguous: number;
  readonly not_found: number;
}

/** Counts the rows by what became of them. */
export function countsOf(keys: Uint32Array, matched: readonly MatchedRow[]): Counts {
  const counts = { matched: 0, ambiguous: 0, not_found: 0 };
  for (const key of keys) {
    const { match } = matched[key] ?? NOT_FOUND;
    if (match === 'ambiguous' || match === 'not_found') counts[match]++;
    else counts.matched++;
  }
  return { rows: keys.length, distinct: matched.length, ...counts };
}

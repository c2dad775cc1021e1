/**
 * Services that answer as of a date: the same ones over a database in which every statement reads the boundaries of that
 * date (sql/migrations/000300_editions.sql), so that no operation has statements of its own for the past.
 */
import { LRUCache } from 'lru-cache';
import { splitDated, today } from '../common/dates.ts';
import type { Database, Queryable, StatementOptions } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { createBoundaries } from '../domain/boundaries/boundaries.ts';
import type { Boundaries } from '../domain/boundaries/model.ts';
import type { Services } from '../services.ts';
import { type Issue, invalidInput } from './errors.ts';
import { type Context, contextWith } from './op.ts';

/** Dates of which boundaries are kept in memory; the one that was read longest ago leaves. */
const MOST_DATES = 8;
/** Dates of which the last change up to them is kept in memory, and that of a date before all. */
const MOST_CHANGES = 1_000;
const FIRST_DATE = '0001-01-01';
/** Bytes of memory for the boundaries of a date. */
const DATE_BYTES = 4e6;

/** The fields of ids, in which each may have a date of its own: `r123@2015-01-01`. */
const ID_FIELDS = ['ids', 'include', 'exclude', 'children_of'] as const;
/** That of an operation on one boundary, whose other fields have none: its `include` names what the answer adds. */
const ONE_ID = ['id'] as const;

/**
 * A call as of the date that its input says: with `as_of`, or after its ids, as in `r123@2015-01-01`. Ids of several
 * dates are left as they are, for an operation with `include`, which reads each as of its own.
 * @throws invalid_input for a date of the future, and for dates that contradict each other
 */
export async function asOfInput<I extends Readonly<Record<string, unknown>>>(
  ctx: Context,
  input: I,
): Promise<{ readonly ctx: Context; readonly input: I }> {
  const given = typeof input.as_of === 'string' ? input.as_of : null;
  const fields = 'id' in input ? ONE_ID : ID_FIELDS;
  const parts = fields.flatMap((field: string) => {
    const value = input[field];
    const texts = Array.isArray(value) ? value : [value];
    return texts.flatMap((text, i) => (typeof text === 'string' ? [{ field, i, ...splitDated(text) }] : []));
  });
  if (parts.every(({ date }) => date === null)) {
    return given === null ? { ctx, input } : { ctx: await contextAsOf(ctx, given), input };
  }
  const refuse = (path: string, code: Issue['code'], message: string) => invalidInput([{ path, code, message }]);
  const late = parts.find(({ date }) => date !== null && date > today());
  if (late) throw refuse(late.field, 'invalid_value', `${late.date} is in the future`);
  if (given !== null) {
    if (parts.some(({ date }) => date !== null && date !== given)) {
      throw refuse('as_of', 'conflict', 'give as_of, or a date with each id');
    }
  }
  const dates = new Set(parts.map(({ date }) => date ?? given));
  const [only = null] = dates;
  if (dates.size > 1 || only === null) {
    if (Array.isArray(input.include)) return { ctx, input };
    throw refuse(parts[0]?.field ?? 'ids', 'conflict', 'ids of several dates can only be merged by union_boundaries');
  }
  const plain: Record<string, unknown> = { ...input };
  for (const { field, i, id } of parts) {
    const value = plain[field];
    plain[field] = Array.isArray(value) ? value.map((one, k) => (k === i ? id : one)) : id;
  }
  return { ctx: await contextAsOf(ctx, only), input: plain as I };
}

/** A call as of a date. */
export async function contextAsOf(ctx: Context, date: string): Promise<Context> {
  return contextWith(ctx, { services: await servicesAsOf(ctx.services, date) });
}

interface Dated {
  readonly db: Database;
  readonly boundaries: Boundaries;
  /** Services by those that they were made of. */
  readonly services: WeakMap<Services, Services>;
  forget(): void;
}

interface Known {
  /** By the date of a change. */
  readonly dated: Map<string, Dated>;
  /** The last change up to each date that was asked for, at one revision of the data. */
  readonly changes: LRUCache<string, string>;
  revision: number;
}

const known = new WeakMap<Database, Known>();

/**
 * The services as of a date of the calendar, `2015-01-01`: editions that are valid on it, and what was stored by then.
 * Dates between which nothing changes have the same services, and so share what these have in memory.
 */
export async function servicesAsOf(services: Services, date: string): Promise<Services> {
  const { present = services } = services;
  const since = await lastChange(present, date);
  return servicesSince(present, since, knownOf(present).dated);
}

/** Whether nothing changes between two dates: what is asked as of either has one answer. */
export async function isUnchanged(services: Services, from: string, to: string): Promise<boolean> {
  return (await lastChange(services, from)) === (await lastChange(services, to));
}

function knownOf({ db }: Services): Known {
  const all = known.get(db) ?? { dated: new Map(), changes: new LRUCache({ max: MOST_CHANGES }), revision: -1 };
  known.set(db, all);
  return all;
}

/** The last date up to `date` on which something changed. */
function lastChange(services: Services, date: string): Promise<string> {
  const all = knownOf(services);
  const { boundaries, db } = services;
  return boundaries.withSnapshot(async ({ revision }) => {
    if (all.revision !== revision) all.changes.clear();
    all.revision = revision;
    const before = all.changes.get(date);
    if (before !== undefined) return before;
    const [row] = await db.query(loadQuery('history_last_change'), [date]);
    const day = row?.day ?? FIRST_DATE;
    if (all.revision === revision) all.changes.set(date, day);
    return day;
  });
}

/** The services as of the date of a change. */
function servicesSince(services: Services, date: string, dates: Map<string, Dated>): Services {
  const dated = dates.get(date) ?? createDated(services, date);
  dates.delete(date);
  dates.set(date, dated);
  for (const [oldest, { forget }] of dates) {
    if (dates.size <= MOST_DATES) break;
    dates.delete(oldest);
    forget();
  }
  const made = dated.services.get(services) ?? {
    ...services,
    asOf: date,
    present: services,
    db: dated.db,
    boundaries: dated.boundaries,
    engine: services.engine.over(dated.db),
    cache: services.cache.scoped(date),
    // Names are in memory for today only; other servers know no dates.
    names: undefined,
    upstream: null,
    searchElsewhere: null,
  };
  dated.services.set(services, made);
  return made;
}

function createDated({ db: present }: Services, date: string): Dated {
  const silences: (() => void)[] = [];
  const db = databaseAsOf(present, date, (silence) => silences.push(silence));
  // Without boxes in memory, which would be a full read of the boundaries for each date that anyone names.
  const boundaries = createBoundaries(db, { bytes: DATE_BYTES });
  return {
    db,
    boundaries,
    services: new WeakMap(),
    forget: () => {
      for (const silence of silences) silence();
    },
  };
}

/**
 * A database whose statements read as of a date. Each is a transaction that sets the search path and the date. They are
 * not prepared, as a session would plan a prepared statement again each time the search path changes.
 */
function databaseAsOf(db: Database, date: string, onListen: (silence: () => void) => void): Database {
  const query = (to: Queryable) => (sql: string, values?: readonly unknown[], options?: StatementOptions) =>
    to.query(`${sql}\n-- as of a date`, values, options);
  const reading = <T>(work: (tx: Queryable) => Promise<T>, options?: { signal?: AbortSignal }): Promise<T> =>
    db.transaction(async (tx) => {
      await tx.query(loadQuery('edition_as_of'), [date]);
      return work({ ...tx, query: query(tx) as Queryable['query'] });
    }, options);
  return {
    ...db,
    query: ((sql: string, values?: readonly unknown[], options?: StatementOptions) =>
      reading(
        (tx) => tx.query(sql, values, options),
        options?.signal ? { signal: options.signal } : undefined,
      )) as Database['query'],
    transaction: reading,
    listen(channel, hear) {
      const silence = db.listen(channel, hear);
      onListen(silence);
      return silence;
    },
  };
}

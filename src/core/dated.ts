/**
 * Services that answer as of a date, from what was stored at a moment, or with area sets beside or instead of official
 * boundaries: the same ones over a database in which every statement reads the boundaries of that date
 * (sql/migrations/000300_editions.sql), that state (000380_recorded.sql) and those sets (000370_area_sets.sql), so that no
 * operation has statements of its own for any.
 */
import { LRUCache } from 'lru-cache';
import { today } from '../common/dates.ts';
import type { Database, Queryable, StatementOptions } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { createBoundaries } from '../domain/boundaries/boundaries.ts';
import { type BoxReads, createBoxReads } from '../domain/boundaries/boxes.ts';
import type { Boundaries } from '../domain/boundaries/reads.ts';
import type { Services } from '../services.ts';
import { invalidInput } from './errors.ts';
import { type Context, contextWith } from './op.ts';
import { type Pin, pinOf } from './pins.ts';
import type { ReadSets } from './read_sets.ts';

/** Dates of which boundaries are kept in memory; the one that was read longest ago leaves. */
const MOST_DATES = 8;
/** The same of states of the data that calls are pinned to. */
const MOST_PINS = 8;
/** Dates of which the last change up to them is kept in memory, and that of a date before all. */
const MOST_CHANGES = 1_000;
const FIRST_DATE = '0001-01-01';
/** Bytes of memory for the boundaries of a date. */
const DATE_BYTES = 6e6;
/**
 * Calls as of a date or a pin without boxes in memory, after which it has them, and the most boundaries that they are read
 * from: 52 MB for all dates and pins.
 */
const BOXES_AFTER = 8;
const MOST_BOXES = 100_000;
/** The same of selections of sets, of which there are more. */
const MOST_SELECTIONS = 32;
const SELECTION_BYTES = 1e6;

/** A call as of a date; of area sets that it reads, the versions in force then. */
export async function contextAsOf(ctx: Context, date: string): Promise<Context> {
  return contextWith(ctx, { services: await servicesAsOf(ctx.services, date) });
}

/**
 * A call on what was stored at the moment that its input says, `recorded_before`.
 * @throws invalid_input for a moment of which nothing is known
 */
export async function recordedInput(ctx: Context, input: Readonly<Record<string, unknown>>): Promise<Context> {
  if (typeof input.recorded_before !== 'string') return ctx;
  const pin = await pinOf(ctx.services.db, input.recorded_before);
  return contextWith(ctx, { services: servicesOver(ctx.services, { date: null, sets: null, pin }, today()) });
}

/** A call that reads area sets, which its caller may read at this moment; not one on an earlier state of the data. */
export function contextWithSets(ctx: Context, sets: ReadSets): Context {
  const { services } = ctx;
  const view = { date: services.asOf ?? null, sets, pin: null };
  return contextWith(ctx, { services: servicesOver(services, view, services.asOf ?? today()) });
}

/**
 * The services that find boundaries by name or place: where a call only names sets by their ids, its scope is official, and
 * so these are the services of official boundaries, of the same date.
 */
export function searchedServices(services: Services): Services {
  const { sets, present, asOf: date } = services;
  if (sets === undefined || sets.searched || present === undefined) return services;
  return date === undefined ? present : servicesOver(present, { date, sets: null, pin: null }, date);
}

/** What is read in place of the boundaries of today. */
interface View {
  readonly date: string | null;
  readonly sets: ReadSets | null;
  readonly pin: Pin | null;
}

interface Dated {
  readonly db: Database;
  readonly boundaries: Boundaries;
  /** Services by those that they were made of. */
  readonly services: WeakMap<Services, Services>;
  forget(): void;
}

interface Known {
  /** By what is read, those read longest ago first: by the date of a change, and selections of sets. */
  readonly dates: Map<string, Dated>;
  readonly sets: Map<string, Dated>;
  readonly pins: Map<string, Dated>;
  /** All of these read their boxes one at a time, in one share of the time. */
  readonly boxReads: BoxReads;
  /** The last change up to each date that was asked for, at one revision of the data. */
  readonly changes: LRUCache<string, string>;
  revision: number;
}

const known = new WeakMap<Database, Known>();

/**
 * The services as of a date of the calendar, `2015-01-01`: editions that are valid on it, and what was stored by then.
 * Dates between which nothing changes have the same services, and so share what these have in memory.
 * @throws invalid_input for a date whose editions were pruned
 */
export async function servicesAsOf(services: Services, date: string): Promise<Services> {
  const since = await lastChange(services, date);
  return servicesOver(services, { date: since, sets: services.sets ?? null, pin: services.pin ?? null }, date);
}

/** Whether nothing changes between two dates: what is asked as of either has one answer. */
export async function isUnchanged(services: Services, from: string, to: string): Promise<boolean> {
  return (await lastChange(services, from)) === (await lastChange(services, to));
}

function knownOf({ db }: Services): Known {
  const all = known.get(db) ?? {
    dates: new Map(),
    sets: new Map(),
    pins: new Map(),
    boxReads: createBoxReads(db, MOST_BOXES),
    changes: new LRUCache({ max: MOST_CHANGES }),
    revision: -1,
  };
  known.set(db, all);
  return all;
}

/** The last date up to `date` on which something changed, as far as was known at the moment of a pin. */
function lastChange(given: Services, date: string): Promise<string> {
  const services = given.present ?? given;
  const pin = given.pin ?? null;
  const all = knownOf(services);
  const { boundaries } = services;
  const db =
    pin === null ? services.db : databaseOver(services.db, { date: null, sets: null, pin }, [], () => undefined);
  const key = pin === null ? date : `${date} ${scopeOf(pin)}`;
  return boundaries.withSnapshot(async ({ revision }) => {
    if (all.revision !== revision) all.changes.clear();
    all.revision = revision;
    const before = all.changes.get(key);
    if (before !== undefined) return before;
    const [row] = await db.query(loadQuery('history_last_change'), [date]);
    if (row?.pruned) throw pruned(date, row.pruned);
    const day = row?.day ?? FIRST_DATE;
    if (all.revision === revision) all.changes.set(key, day);
    return day;
  });
}

/** The failure of a call as of a date for which an edition counted that was pruned. */
function pruned(date: string, edition: { source: string; valid_from: string; next: string | null }): Error {
  const { source, valid_from: from, next } = edition;
  const instead = next === null ? 'ask without as_of' : `ask as of ${next} or later`;
  const message = `${date} is not kept: the edition of ${source} of ${from} was pruned; ${instead}, or have it imported again`;
  return invalidInput([{ path: 'as_of', code: 'invalid_value', message }]);
}

/** What names the state of the data that calls are pinned to. */
const scopeOf = ({ number, open }: Pin): string => `recorded ${number} ${open}`;

/** The memory for what a view reads, and how many views it has. */
function memoryFor({ dates, sets, pins }: Known, view: View): readonly [Map<string, Dated>, number] {
  if (view.sets !== null) return [sets, MOST_SELECTIONS];
  return view.pin === null ? [dates, MOST_DATES] : [pins, MOST_PINS];
}

/** @param on the date of the versions of sets */
function servicesOver(given: Services, view: View, on: string): Services {
  const services = given.present ?? given;
  const kept = knownOf(services);
  const { date, sets, pin } = view;
  const versions = sets?.versionsOn(on) ?? [];
  const official = pin === null ? `${date}` : `${date} ${scopeOf(pin)}`;
  const scope = sets === null ? official : `${date ?? 'today'} ${versions.join()} ${sets.state}`;
  const [views, most] = memoryFor(kept, view);
  const dated = views.get(scope) ?? createDated(services, view, versions, kept.boxReads);
  views.delete(scope);
  views.set(scope, dated);
  for (const [oldest, { forget }] of views) {
    if (views.size <= most) break;
    views.delete(oldest);
    forget();
  }
  // Sets of the same versions are the same data, but who reads them is not part of what is kept.
  const made = (sets === null && dated.services.get(services)) || {
    ...services,
    present: services,
    ...(date === null ? {} : { asOf: date }),
    ...(pin === null ? {} : { pin }),
    ...(sets === null ? {} : { sets }),
    db: dated.db,
    boundaries: dated.boundaries,
    engine: services.engine.over(dated.db),
    cache: services.cache.scoped(scope),
    // Names are in memory for today only; other servers know no dates, no states of this data and no sets.
    names: undefined,
    upstream: null,
    searchElsewhere: null,
  };
  if (sets === null) dated.services.set(services, made);
  return made;
}

function createDated({ db: base, engine }: Services, view: View, versions: readonly number[], reads: BoxReads): Dated {
  const silences: (() => void)[] = [];
  const db = databaseOver(base, view, versions, (silence) => silences.push(silence));
  // Boxes are read into memory for a date that is asked for often: they are a full read of its boundaries.
  // The revision is that of all data, whatever the date.
  const present = { ...db, query: base.query };
  const boundaries =
    view.sets === null
      ? createBoundaries(db, {
          ...{ present, bytes: DATE_BYTES },
          packBoxes: (boxes) => engine.points.packBoxes(boxes),
          boxesLimits: { after: BOXES_AFTER, reads },
        })
      : createBoundaries(db, { present, bytes: SELECTION_BYTES, ofSets: true });
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
 * A database whose statements read as of a date, or sets. Each is a transaction that sets the search path, the date and
 * the versions. They are not prepared, as a session would plan a prepared statement again each time the search path
 * changes.
 */
function databaseOver(
  db: Database,
  { date, sets, pin }: View,
  versions: readonly number[],
  onListen: (silence: () => void) => void,
): Database {
  const query = (to: Queryable) => (sql: string, values?: readonly unknown[], options?: StatementOptions) =>
    to.query(`${sql}\n-- over views`, values, options);
  const reading = <T>(work: (tx: Queryable) => Promise<T>, options?: { signal?: AbortSignal }): Promise<T> =>
    db.transaction(async (tx) => {
      if (pin !== null) await tx.query(loadQuery('data_as_recorded'), [pin.number, pin.open]);
      if (date !== null) await tx.query(loadQuery('edition_as_of'), [date]);
      if (sets !== null) await tx.query(loadQuery('sets_view'), [versions.join(), sets.official]);
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

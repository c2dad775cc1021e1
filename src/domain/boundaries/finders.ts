import { defined } from '../../common/elements.ts';
import type { Database, StatementReturning } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { coalesce } from '../coalesce.ts';
import type { ResolvedBoundary } from './boundary.ts';
import type { BoundaryId } from './ids.ts';
import { type Land, type LandRow, toLand } from './land.ts';
import { type MaritimeLines, maritimeLines } from './maritime.ts';
import { DataMoved, type OrNulls, type ResolveRow, type WithRevision } from './reads.ts';
import { byPrecedence, type ShapeRow, type SharedObjects, toResolved, toShape } from './rows.ts';

/** Queries for boundaries at one revision. All throw DataMoved if the data has another revision by now. */
export type Finders = ReturnType<typeof createFinders>;

/**
 * The queries that read boundaries from `db`. Concurrent calls are coalesced into one statement. `sharedIn` returns the
 * objects that boundaries of a revision share with the cached ones.
 */
export function createFinders(db: Database, sharedIn: (revision: number) => SharedObjects) {
  /** Runs a statement and returns its rows. @throws DataMoved if a row is of another revision */
  async function rowsOf<T>(
    revision: number,
    statement: StatementReturning<WithRevision<T>>,
    values: readonly unknown[],
  ): Promise<T[]> {
    const rows = await db.query<WithRevision<T>>(statement as string, values);
    if (rows.some((row) => Number(row.revision) !== revision)) throw new DataMoved();
    return rows;
  }

  /** Like rowsOf(), for statements with a row per boundary; drops the row without an id. */
  async function boundariesOf<T extends { readonly id: string }>(
    revision: number,
    statement: StatementReturning<WithRevision<OrNulls<T>>>,
    values: readonly unknown[],
  ): Promise<T[]> {
    const rows = await rowsOf<OrNulls<T>>(revision, statement, values);
    return rows.filter((row): row is T => row.id !== null);
  }

  /** Boundaries by form and key. Each caller of a batch gets the results of the whole batch. */
  const find = coalesce(async (revision, lists: readonly (readonly BoundaryId[])[]) => {
    const ids = lists.flat();
    const keysOf = (form: BoundaryId['kind']) => [...new Set(ids.filter((id) => id.kind === form).map(keyOf))];
    const values = [keysOf('osm'), keysOf('wikidata'), keysOf('iso')];
    const answers = new Map<string, ResolveRow[]>();
    for (const row of await boundariesOf<ResolveRow>(Number(revision), loadQuery('boundary_resolve'), values)) {
      const key = `${row.form}:${row.key}`;
      answers.set(key, [...(answers.get(key) ?? []), row]);
    }
    const found = new Map<string, ResolvedBoundary>();
    const shared = sharedIn(Number(revision));
    for (const [key, rows] of answers) {
      const [row, ...others] = rows.sort(byPrecedence);
      found.set(
        key,
        toResolved(
          defined(row),
          others.map(({ id }) => id),
          shared,
        ),
      );
    }
    return lists.map(() => found);
  });

  const findShapes = coalesce(async (revision, lists: readonly (readonly string[])[]) => {
    const rows = await boundariesOf<ShapeRow>(Number(revision), loadQuery('boundary_shapes'), [
      [...new Set(lists.flat())],
    ]);
    const shared = sharedIn(Number(revision));
    const found = new Map(rows.map((row) => [row.id, toShape(row, shared)]));
    return lists.map(() => found);
  });

  const findPostcodes = coalesce(async (revision, lists: readonly (readonly string[])[]) => {
    type Row = { readonly country: string; readonly mapped: boolean };
    const rows = await rowsOf<Row>(Number(revision), loadQuery('boundary_has_postcodes'), [[...new Set(lists.flat())]]);
    const found = new Map(rows.map(({ country, mapped }) => [country, mapped]));
    return lists.map(() => found);
  });

  /** Boundaries by code, with its scheme and in lower case; their order is not determined. */
  const findCoded = coalesce(async (revision, lists: readonly (readonly string[])[]) => {
    const keys = [...new Set(lists.flat())];
    const found = new Map<string, Coded[]>();
    for (const row of await boundariesOf<Coded>(Number(revision), loadQuery('boundary_coded'), [keys])) {
      found.set(row.key, [...(found.get(row.key) ?? []), row]);
    }
    return lists.map(() => found);
  });

  const readLand = coalesce(async (revision, lists: readonly (readonly string[])[]) => {
    const rows = await boundariesOf<LandRow>(Number(revision), loadQuery('land_of'), [[...new Set(lists.flat())]]);
    const found = new Map(rows.map((row) => [row.id, toLand(row)]));
    return lists.map(() => found);
  });

  const findLand = (revision: number, ids: readonly string[]): Promise<Map<string, Land>> =>
    sharedIn(revision).landOf(ids, (missing) => readLand(String(revision), missing));

  const findMaritime = async (revision: number): Promise<MaritimeLines> => {
    const rows = await rowsOf(revision, loadQuery('land_maritime_ways'), []);
    return maritimeLines(rows.flatMap(({ coords }) => coords ?? []));
  };

  return { boundariesOf, find, findShapes, findPostcodes, findCoded, findLand, findMaritime };
}

/** A boundary that has a code. */
export interface Coded {
  readonly key: string;
  readonly id: string;
}

/** The text of an id without its form: `r62422`, `Q64`, `DE-BE`; of a code with its scheme in lower case. */
export function keyOf(id: BoundaryId): string {
  return id.kind === 'iso' ? id.code : id.id;
}

/** Names a boundary id with its form, as the cached documents are named. */
export const nameOf = (id: BoundaryId): string => `${id.kind}:${keyOf(id)}`;

/**
 * Editions: boundaries as a file of a date has them. An edition is built by the ordinary import, in tables that only its
 * transaction sees, so that nothing of today takes part or changes. What is new of it is then copied into the tables of
 * editions (sql/migrations/000300_editions.sql), where equal arcs, shapes and states are stored once.
 */
import { createHash } from 'node:crypto';
import { PRESENT } from '../common/arrangements.ts';
import { defined, only } from '../common/elements.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import type { Engine } from '../geometry/engine.ts';
import { SHADOWED } from './shadowed.ts';
import { type Parts, storeIn, type Whole } from './store/boundaries.ts';
import type { StoreInput } from './store/source_rows.ts';
import type { StoreSummary } from './store/summary.ts';
import { TOPOLOGY_LOCK, withImportTimeout } from './store/topology.ts';
import type { SourceBoundary } from './types.ts';

/** The first id of boundaries that only editions have, and how many such ids there are. */
const FIRST_ID = 9_100_000_000_000n;
const IDS = 2n ** 52n;

/** What storing an edition added. */
export interface EditionSummary extends StoreSummary {
  /** The date that it is valid from: 2015-01-01. */
  readonly validFrom: string;
  /** Boundaries in the edition: those of this file, and of files stored before with the same source and date. */
  readonly inEdition: number;
  /** Arcs, shapes and states of boundaries that no other edition has. */
  readonly newArcs: number;
  readonly newShapes: number;
  readonly newStates: number;
}

/**
 * Stores a file as the edition of its source that is valid from a date, beside what is stored of today, which does not
 * change. A further file of the same source and date adds to the edition, and replaces boundaries of the same ids; its
 * arrangement is that of all of them. The order in which editions are stored does not matter. All is one transaction.
 * @param validFrom `2015-01-01`
 */
export function storeEdition(
  { db, engine }: { readonly db: Database; readonly engine: Engine },
  about: Whole,
  parts: Parts,
  validFrom: string,
  progress: (message: string) => void = () => {},
): Promise<EditionSummary> {
  const source = about.source.id;
  return db.withLock(TOPOLOGY_LOCK, () =>
    db.transaction(async (transaction) => {
      const tx = withImportTimeout(transaction);
      const { making } = only(await tx.query(loadQuery('edition_shadow'), [SHADOWED]));
      await tx.query(loadQuery('edition_hide'));
      await tx.exec(making);
      await loadEdition(tx, source, validFrom);
      const summary = await storeIn({ tx: transaction, engine }, about, identified(tx, parts), progress);
      progress('copying what is new of the edition');
      return { ...summary, ...(await saveEdition(tx, source, validFrom, about.file)) };
    }),
  );
}

/** Copies what is stored of the edition into the tables of this transaction. */
async function loadEdition(tx: Queryable, source: string, validFrom: string): Promise<void> {
  const which = [source, validFrom] as const;
  await tx.query(loadQuery('edition_load_source'), [source]);
  await tx.query(loadQuery('edition_load_arcs'), which);
  await tx.query(loadQuery('edition_load_conflicts'));
  const ids = (await tx.query(loadQuery('edition_load_boundaries'), which)).map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.query(loadQuery('edition_load_shapes'), which);
  await tx.query(loadQuery('edition_load_names'), which);
  await tx.query(loadQuery('edition_load_parents'), which);
  await tx.query(loadQuery('store_set_ring_hashes'), [ids, PRESENT]);
}

/** Copies the tables of this transaction into those of editions, and works out when each state was in force. */
async function saveEdition(tx: Queryable, source: string, validFrom: string, file: string) {
  const { added: newArcs } = only(await tx.query(loadQuery('edition_put_arcs')));
  await tx.query(loadQuery('edition_draft_arcs'));
  await tx.query(loadQuery('edition_put_conflicts'));
  await tx.query(loadQuery('edition_draft_boundaries'));
  const { added: newShapes } = only(await tx.query(loadQuery('edition_put_shapes')));
  const { added: newStates } = only(await tx.query(loadQuery('edition_put_states')));
  await tx.query(loadQuery('edition_put_names'));
  await tx.query(loadQuery('edition_put_parents'));
  await tx.query(loadQuery('edition_put_source'), [source]);
  const { id } = only(await tx.query(loadQuery('edition_put'), [source, validFrom, file]));
  await tx.query(loadQuery('edition_clear'), [id]);
  const members = await tx.query(loadQuery('edition_put_members'), [id]);
  await tx.query(loadQuery('edition_put_layers'), [id]);
  await tx.query(loadQuery('edition_again'), [id]);
  await tx.query(loadQuery('edition_put_reaches'), [id]);
  await settleIntervals(tx, source);
  return { validFrom, inEdition: members.length, newArcs, newShapes, newStates };
}

/** Works out again when each state of a source was in force, after its editions changed. */
export async function settleIntervals(tx: Queryable, source: string): Promise<void> {
  await tx.query(loadQuery('edition_close_intervals'), [source]);
  await tx.query(loadQuery('edition_open_intervals'), [source]);
}

/** The parts of a source, in which every boundary has its id of all editions. Land is known only of today, so no coast. */
async function* identified(tx: Queryable, parts: Parts): AsyncGenerator<StoreInput> {
  for await (const input of parts) yield { ...input, coast: [], boundaries: await withIds(tx, input) };
}

/**
 * The boundaries with ids that do not depend on the order of imports: that of today for the same source, level and code,
 * else that of an edition, else one made of them. Within a source a code may stand for one area of each level.
 */
async function withIds(tx: Queryable, { source, boundaries }: StoreInput): Promise<SourceBoundary[]> {
  const unnamed = boundaries.filter(({ id }) => id === null);
  const codes = unnamed.map(({ sourceId }) => sourceId);
  const types = unnamed.map(({ type }) => type);
  const levels = unnamed.map(({ adminLevel }) => adminLevel);
  const rows = await tx.query<{ number: number; id: string }>(loadQuery('edition_ids'), [
    source.id,
    codes,
    types,
    levels,
  ]);
  const known = new Map(rows.map(({ number, id }) => [defined(unnamed[number - 1]), id]));
  const named = boundaries.map((one) => {
    if (one.id !== null) return one;
    const sourceId = `${one.adminLevel ?? ''}/${one.sourceId}`;
    return { ...one, sourceId, id: known.get(one) ?? idOf(source.id, one.type, sourceId) };
  });
  const ids = named.map(({ id }) => id);
  const sourceIds = named.map(({ sourceId }) => sourceId);
  const [taken] = await tx.query(loadQuery('edition_taken'), [source.id, ids, sourceIds]);
  if (taken)
    throw new Error(`${taken.id} is the id of another boundary of a different source: store them as one source`);
  return named;
}

/** An id made of what identifies a boundary in all editions of its source. */
function idOf(source: string, type: string, sourceId: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([source, type, sourceId]))
    .digest();
  return `r${FIRST_ID + (hash.readBigUInt64BE(0) % IDS)}`;
}

/**
 * Stores versions of area sets. A version is built by the ordinary import, in tables that only its transaction sees, as an
 * edition is (editions.ts): official boundaries take no part in it, and it none in theirs. It is then copied into the
 * tables of sets (sql/migrations/000370_area_sets.sql).
 */
import { only } from '../common/elements.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import type { Engine } from '../geometry/engine.ts';
import { SHADOWED } from './shadowed.ts';
import { storeIn } from './store/boundaries.ts';
import type { StoreSummary } from './store/model.ts';
import { withImportTimeout } from './store/topology.ts';
import type { SourceBoundary } from './types.ts';

/** What was built, before it is stored under a number. */
export interface Drafted {
  readonly areas: number;
  readonly vertices: number;
  readonly broken: StoreSummary['broken'];
}

/**
 * Builds areas and stores them as a version. All is one transaction.
 * @param areas with their ids, `set:NAME/CODE`
 * @param put adds the version in the transaction, and returns its number
 */
export function storeAreas(
  { db, engine }: { readonly db: Database; readonly engine: Engine },
  {
    name,
    attribution,
    areas,
  }: { readonly name: string; readonly attribution: string; readonly areas: SourceBoundary[] },
  put: (tx: Queryable, drafted: Drafted) => Promise<number>,
): Promise<Drafted> {
  return db.transaction(async (transaction) => {
    const tx = withImportTimeout(transaction);
    const { making } = only(await tx.query(loadQuery('edition_shadow'), [SHADOWED]));
    await tx.query(loadQuery('edition_hide'));
    await tx.exec(making);
    const source = { id: `set:${name}`, name, url: null, license: '', attribution, resolution: null, seed: false };
    const input = { source, file: 'area set', boundaries: areas, coast: [] };
    const { broken } = await storeIn({ tx: transaction, engine }, input, [input]);
    const { areas: count, vertices } = only(await tx.query(loadQuery('sets_drafted')));
    const drafted = { areas: count, vertices, broken };
    const version = [await put(tx, drafted)] as const;
    await tx.query(loadQuery('sets_copy_arcs'), version);
    await tx.query(loadQuery('sets_copy_conflicts'), version);
    await tx.query(loadQuery('sets_copy_boundaries'), version);
    await tx.query(loadQuery('sets_copy_shapes'), version);
    await tx.query(loadQuery('sets_copy_names'), version);
    return drafted;
  });
}

import { loadQuery } from '../../db/query.ts';
import { foldName } from '../../domain/names/fold.ts';
import { type MatchedBy, MUTUAL_SHARE, matchSeeds } from '../replace.ts';
import { presumed } from './rows.ts';
import { type Candidate, NOT_ADMINISTRATIVE, type PlannedBoundary, type Run } from './source_rows.ts';
import { withImportTimeout } from './topology.ts';

/**
 * Finds the seed boundaries whose place boundaries that are about to be built certainly take: those that findReplaced()
 * would find once they are stored. They are left out of the arrangement before it is built, because two borders of one
 * place nearly coincide, and every level of detail along them would be computed with both, and again without one.
 * @returns boundary id by seed id
 */
export async function findSuperseded(
  run: Run,
  { chains, boundaries }: { readonly chains: readonly Int32Array[]; readonly boundaries: readonly PlannedBoundary[] },
): Promise<ReadonlyMap<string, string>> {
  const superseded = new Map<string, string>();
  const { source, replace = true } = run.input;
  if (source.seed) return superseded;
  const planned = new Map(boundaries.flatMap((one) => (one.trouble ? [] : [[one.candidate.id, one]])));
  const db = withImportTimeout(run.db);
  const matches = (
    await matchSeeds(
      db,
      [...planned.values()].flatMap(({ candidate }) => matchedBy(candidate)),
    )
  ).filter(({ seed, byName }) => (replace || !byName) && !planned.has(seed));
  const compared = matches.filter(({ isSure }) => !isSure).map(({ seed }) => seed);
  const rows = compared.length === 0 ? [] : await db.query(loadQuery('replace_polygons'), [[...new Set(compared)]]);
  const polygons = new Map(rows.map(({ id, wkb }) => [id, wkb]));
  for (const { id, seed, isSure } of matches) {
    const one = planned.get(id);
    if (one === undefined || superseded.has(seed)) continue;
    if (!isSure) {
      const wkb = polygons.get(seed);
      if (!wkb) continue;
      const own = one.chains.flatMap((chain) => chains[chain] ?? []);
      const { adminLevel } = one.candidate;
      const task = { chains: own, adminLevel: adminLevel ?? NOT_ADMINISTRATIVE, wkb };
      if ((await run.engine.pool.runPatiently('mutualShare', task)) < MUTUAL_SHARE) continue;
    }
    superseded.set(seed, id);
  }
  return superseded;
}

/** What a boundary is matched by before it is stored; its country and kind only where its source states the country. */
function matchedBy({ id, input, type }: Candidate): MatchedBy[] {
  if (input === null || type !== 'administrative') return [];
  const { wikidata, iso, codes, adminLevel, name } = input;
  const { kind, country } = presumed(id, input, undefined);
  return [{ id, wikidata, iso, codes, country, admin_level: adminLevel, kind, folded: foldName(name) }];
}

import { polygonsFromWkb } from '../../../workers/wkb.ts';
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { inherit } from '../inherit.ts';
import type { SourceBoundary } from '../types.ts';
import { deriveHeirs, deriveHierarchy } from '../unshaped/unshaped.ts';
import { build } from './arrangement.ts';
import type { Candidate, RemovedBoundary, Run, Storage } from './source_rows.ts';
import { findSuccessors, recordDeletions } from './tombstones.ts';
import { remove, write } from './write.ts';

/**
 * Removes boundaries that OpenStreetMap no longer has, and derives the hierarchy of what was inside them again. The seed
 * boundaries whose place they had taken come back, unless a successor takes it.
 */
export async function removeBoundaries(run: Run, tx: Queryable, deleted: readonly RemovedBoundary[]): Promise<void> {
  const ids = deleted.map(({ id }) => id);
  const rows = await tx.query(loadQuery('store_ways_of_boundaries'), [ids]);
  const stored = new Set(rows.map(({ id }) => id));
  const there = deleted.filter(({ id }) => stored.has(id));
  if (there.length > 0) {
    const within = await tx.query(loadQuery('hierarchy_descendants'), [[...stored]]);
    const heirs = await findSuccessors(tx, run.engine, [...stored]);
    await tx.query(loadQuery('replace_pass_on'), [[...heirs.keys()], [...heirs.values()]]);
    const kept = await tx.query<Kept>(loadQuery('replace_kept'), [[...stored]]);
    await remove(run, tx, [...stored], () => recordDeletions(tx, there, heirs));
    const left = within.filter(({ id }) => !stored.has(id));
    await deriveHierarchy(tx, run.engine, left, run.later, run.progress);
    await deriveHeirs(tx, run.engine, await inherit(tx, [...heirs.values()]), run.later);
    await restoreSeeds(run, tx, kept);
    run.summary.deleted += there.length;
  }
  const relations = ids.filter((id) => id.startsWith('r')).map((id) => Number(id.slice(1)));
  await tx.query(loadQuery('store_drop_raw'), [relations, rows.flatMap(({ ways }) => ways)]);
}

/** A seed boundary as boundary_replaced keeps it, with its source. */
interface Kept {
  readonly id: string;
  /** Its row of table boundary, as JSON. */
  readonly facts: Omit<StoredFacts, 'meta_hash'> & { readonly meta_hash: `\\x${string}` };
  /** A MultiPolygon in degrees. */
  readonly wkb: Uint8Array;
  readonly source: string;
  readonly source_name: string;
  readonly source_url: string | null;
  readonly license: string;
  readonly attribution: string;
  readonly resolution: string | null;
}

interface StoredFacts
  extends Pick<
    SourceBoundary,
    'type' | 'name' | 'names' | 'codes' | 'iso' | 'wikidata' | 'population' | 'tags' | 'place' | 'subareas'
  > {
  readonly source_id: string;
  readonly source_version: string;
  readonly code_ids?: readonly string[] | null;
  readonly other_names: SourceBoundary['otherNames'];
  readonly admin_level: number | null;
  readonly kind_given: SourceBoundary['kind'];
  readonly country_code: string | null;
  readonly country_given: string | null;
  readonly meta_hash: string;
}

/** Stores seed boundaries again whose place is free. */
async function restoreSeeds(run: Run, tx: Queryable, kept: readonly Kept[]): Promise<void> {
  const inside: Storage = { inOrder: true, query: tx.query, exec: tx.exec, transaction: (work) => work(tx) };
  const none = { extents: () => [], written: Promise.resolve() };
  for (const id of new Set(kept.map(({ source }) => source))) {
    const seeds = kept.filter(({ source }) => source === id);
    const { source_name: name, source_url: url, license, attribution, resolution } = defined(seeds[0]);
    const source = { id, name, url, license, attribution, resolution, seed: true };
    const again: Run = { ...run, db: inside, input: { source, file: run.input.file, boundaries: [] } };
    await write(again, tx, await build(again, seeds.map(candidateOf), new Map(), new Map(), none));
    run.summary.restored += seeds.length;
  }
  await tx.query(loadQuery('replace_drop'), [kept.map(({ id }) => id)]);
}

function candidateOf({ id, facts, wkb }: Kept): Candidate {
  const { type, name, names, codes, iso, wikidata, population, tags, place, subareas } = facts;
  const { coords, ringEnd } = polygonsFromWkb(wkb, 1e7);
  const rings = Array.from(ringEnd, (end, i) => coords.slice(2 * (ringEnd[i - 1] ?? 0), 2 * end));
  const input: SourceBoundary = {
    ...{ id, type, name, names, codes, iso, wikidata, population, tags, place, subareas },
    sourceId: facts.source_id,
    version: facts.source_version,
    otherNames: facts.other_names,
    codeIds: facts.code_ids ?? [],
    adminLevel: facts.admin_level,
    kind: facts.kind_given,
    countryCode: facts.country_code,
    country: facts.country_given,
    border: { rings },
  };
  return { id, input, metaHash: facts.meta_hash.slice(2), stored: null, type, adminLevel: facts.admin_level };
}

import type { Boundary } from '../boundaries/boundary.ts';
import type { Snapshot } from '../boundaries/reads.ts';
import { foldName } from '../names/fold.ts';
import type { Lookups } from '../search/lookups.ts';
import { withoutDuplicates } from '../search/ranking.ts';
import type { Candidate } from './match_rows.ts';

/** Boundaries that are cached. */
const MOST_CACHED = 50_000;

/** Boundaries that rows may mean, read at one revision of the data, each once. */
export class StoredPlaces {
  private readonly lookups: Lookups;
  private readonly reading: Snapshot;
  private readonly boundaries = new Map<string, Boundary>();
  private preferred: ReadonlyMap<string, number> | null = null;

  constructor(lookups: Lookups, reading: Snapshot) {
    this.lookups = lookups;
    this.reading = reading;
  }

  /** The local names of boundaries, and those in some languages. */
  async namesOf(
    ids: readonly string[],
    languages: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly local: string; readonly names: Readonly<Record<string, string>> }>> {
    const read = await this.read(ids);
    const known = ids.flatMap((id) => read.get(id) ?? []);
    const shown = await this.reading.show(known, { prefer: [], names: languages });
    return new Map(shown.map(({ id, local_name: local, names = {} }) => [id, { local, names }]));
  }

  /** Each boundary once, by its best match, and each place once (withoutDuplicates). */
  async distinct(found: readonly Candidate[]): Promise<Candidate[]> {
    if (found.length < 2) return [...found];
    this.preferred ??= await this.reading.sourceOrder();
    const best = new Map<string, Candidate>();
    for (const one of found) {
      const known = best.get(one.boundary.id);
      if (!known || one.step < known.step) best.set(one.boundary.id, one);
    }
    const kept = withoutDuplicates(
      [...best.values()].map(({ boundary }) => boundary),
      foldName,
      this.preferred,
    );
    const ids = new Set(kept.map(({ id }) => id));
    return [...best.values()].filter(({ boundary }) => ids.has(boundary.id));
  }

  /** Boundaries by canonical id; unknown ids are left out. */
  async read(ids: readonly string[]): Promise<ReadonlyMap<string, Boundary>> {
    if (this.boundaries.size > MOST_CACHED) this.boundaries.clear();
    const missing = [...new Set(ids)].filter((id) => !this.boundaries.has(id));
    if (missing.length > 0) {
      for (const one of await this.lookups.boundaries(missing)) this.boundaries.set(one.id, one);
    }
    return this.boundaries;
  }
}

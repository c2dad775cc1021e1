import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { keyOf } from '../boundaries/finders.ts';
import { parseBoundaryId } from '../boundaries/ids.ts';

/** What of a boundary may differ between two of its versions. */
export type VersionFact = 'name' | 'names' | 'admin_level' | 'codes' | 'population' | 'parents' | 'shape';

/** A version of a boundary. Dates are `2015-01-01`. */
export interface Version {
  readonly valid_from: string;
  /** The date of the next change, or of its end; null: none is known. */
  readonly valid_to: string | null;
  /** RFC 3339 UTC: when the service learned it. */
  readonly recorded_at: string;
  readonly name: string;
  readonly admin_level: number | null;
  readonly codes: string[];
  readonly area_km2: number | null;
  readonly population: number | null;
  readonly source: string;
  /** What differs from the version before; empty for the first. */
  readonly changed: VersionFact[];
}

/**
 * The canonical id of a boundary that only editions have, by any form of its id; the text itself if none has it.
 * @throws invalid_id
 */
export async function endedId(db: Queryable, text: string, signal?: AbortSignal): Promise<string> {
  const id = parseBoundaryId(text);
  if (id.kind === 'osm') return id.id;
  const [found] = await db.query(loadQuery('history_find'), [id.kind, keyOf(id)], { signal });
  return found?.id ?? text.trim();
}

/** The versions of a boundary by canonical id, the earliest first; none if it was never stored. */
export async function versionsOf(db: Queryable, id: string, signal?: AbortSignal): Promise<Version[]> {
  const rows = await db.query(loadQuery('history_versions'), [id], { signal });
  const versions: (Version & { readonly is_edition: boolean; readonly facts: Record<VersionFact, string> })[] = [];
  for (const row of rows) {
    const facts: Record<VersionFact, string> = {
      name: row.name,
      names: JSON.stringify(row.names),
      admin_level: String(row.admin_level),
      codes: String(row.code_ids),
      population: String(row.population),
      parents: String(row.parents),
      shape: String(row.geometry_hash),
    };
    const before = versions.at(-1);
    const changed = before
      ? (Object.keys(facts) as VersionFact[]).filter((fact) => facts[fact] !== before.facts[fact])
      : [];
    // What the file says besides these may differ: the version goes on.
    const isSame =
      before !== undefined &&
      changed.length === 0 &&
      before.valid_to === row.valid_from &&
      before.is_edition === row.is_edition;
    if (isSame) versions.pop();
    versions.push({
      valid_from: isSame ? before.valid_from : row.valid_from,
      valid_to: row.valid_to,
      recorded_at: isSame ? before.recorded_at : new Date(row.recorded_at ?? 0).toISOString(),
      name: row.name,
      admin_level: row.admin_level,
      codes: [...(row.code_ids ?? [])],
      area_km2: row.area_km2,
      population: row.population,
      source: row.source ?? '',
      changed: isSame ? before.changed : changed,
      is_edition: row.is_edition,
      facts,
    });
  }
  return versions.map(({ facts: _facts, is_edition: _isEdition, ...one }) => one);
}

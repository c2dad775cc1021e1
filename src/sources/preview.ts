import { basename } from 'node:path';
import { buildArrangement, NOTHING_STORED } from '../../workers/build.ts';
import type { ReadOptions } from './coverage/options.ts';
import { type Overlap, type Repaired, readCoverage } from './coverage/read.ts';
import { postcodeFile } from './import.ts';
import type { SourceBoundary } from './types.ts';

/** A boundary of a file as it would be stored, without what depends on stored boundaries: id, parents, derived kind. */
export interface Previewed {
  /** Its id within the source. */
  readonly source_id: string;
  readonly name: string;
  readonly names: Readonly<Record<string, string>>;
  readonly type: string;
  readonly admin_level: number | null;
  readonly kind: string | null;
  readonly country: string | null;
  readonly iso: string | null;
  readonly wikidata: string | null;
  readonly codes: readonly string[];
  readonly population: number | null;
  readonly area_km2: number | null;
  readonly centroid: { readonly lat: number; readonly lon: number } | null;
  /** Why it would not have a polygon; null if it would. */
  readonly broken: string | null;
}

export interface Preview {
  readonly file: string;
  /** How many boundaries would be stored. */
  readonly read: number;
  readonly first: readonly Previewed[];
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
  readonly notices: readonly string[];
  readonly repaired: readonly Repaired[];
  readonly overlaps: readonly Overlap[];
}

/** How many boundaries a preview shows. */
export const FIRST = 5;

/**
 * Reads a coverage and returns what an import would store. It stores nothing and needs no database.
 * @param most the most areas that are read, where a look suffices; default: all
 * @throws Error as readCoverage does
 */
export async function previewCoverage(path: string, options: ReadOptions, most?: number): Promise<Preview> {
  const file = basename(path);
  const given = { ...postcodeFile(file), ...options };
  const read = await readCoverage(path, given, undefined, undefined, most);
  const { boundaries, skipped, notices, repaired, overlaps } = read;
  const first = firstOf(boundaries, options.levels?.length ?? 1).map(previewed);
  return { file, read: boundaries.length, first, skipped, notices, repaired, overlaps };
}

/** The first boundaries: of several levels one of each, and more of the coarsest. */
function firstOf(boundaries: readonly SourceBoundary[], levels: number): readonly SourceBoundary[] {
  if (levels === 1) return boundaries.slice(0, FIRST);
  const byLevel = new Map(boundaries.toReversed().map((one) => [one.adminLevel, one]));
  return boundaries.filter((one) => byLevel.get(one.adminLevel) === one);
}

function previewed(boundary: SourceBoundary): Previewed {
  const chains = 'rings' in boundary.border ? boundary.border.rings : [];
  const { boundaries } = buildArrangement({
    ...NOTHING_STORED,

    chains,
    storedFrom: chains.length,
    boundaries: [{ chains: Uint32Array.from(chains.keys()), adminLevel: boundary.adminLevel ?? 13 }],
  });
  const [built] = boundaries;
  const shape = built && 'areaKm2' in built ? built : null;
  return {
    source_id: boundary.sourceId,
    name: boundary.name,
    names: boundary.names,
    type: boundary.type,
    admin_level: boundary.adminLevel,
    kind: boundary.kind,
    country: boundary.country,
    iso: boundary.iso,
    wikidata: boundary.wikidata,
    codes: boundary.codes,
    population: boundary.population,
    area_km2: shape?.areaKm2 ?? null,
    centroid: shape && { lat: shape.center[1] / 1e7, lon: shape.center[0] / 1e7 },
    broken: built && 'trouble' in built ? built.trouble : null,
  };
}

import { readFileSync } from 'node:fs';
import type { Coords } from '../../../workers/contract.ts';
import { Unusable } from '../coverage/geometry.ts';
import { readTopology, type TopologyGeometry } from '../coverage/topology.ts';
import { packageFile, readTable } from '../reference.ts';
import type { SourceBoundary } from '../types.ts';

/** A source of seed data, for the source column, the attribution in responses and the README. */
export interface SeedSource {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly license: string;
  readonly attribution: string;
  readonly resolution: string;
}

/** The boundaries of one source of the seed data. */
export interface SeedCoverage {
  readonly source: SeedSource;
  readonly boundaries: SourceBoundary[];
  /** How many shapes were changed so that neighbors match. */
  readonly repairs: number;
  /** Areas of the source that were left out, and why. */
  readonly skipped: { readonly id: string; readonly reason: string }[];
}

/** One row of data/subdivisions.json. */
export interface SubdivisionRow {
  readonly iso: string;
  readonly admin_level: number;
  readonly relation: number | null;
  readonly names: Readonly<Record<string, string>>;
}

export interface SubdivisionTable {
  /** By FIPS 5-2 code. */
  readonly us_states: Readonly<Record<string, SubdivisionRow>>;
  /** ISO 3166-1 codes of the territories that us-atlas lists as states, by FIPS 5-2 code. */
  readonly us_territories: Readonly<Record<string, string>>;
  /** By INE code. */
  readonly es_communities: Readonly<Record<string, SubdivisionRow>>;
  readonly es_provinces: Readonly<Record<string, SubdivisionRow>>;
}

/** The table of subdivisions, with their relations in OpenStreetMap. @throws Error when it cannot be read */
export function subdivisionTable(): SubdivisionTable {
  return readTable<SubdivisionTable>('subdivisions.json');
}

/** A boundary with the given fields; all others are absent. */
export function boundary(
  given: Pick<SourceBoundary, 'sourceId' | 'version' | 'name' | 'adminLevel'> & {
    readonly rings: readonly Coords[];
  } & Partial<Omit<SourceBoundary, 'border' | 'id'>> & { readonly relation?: number | null },
): SourceBoundary {
  const { rings, relation, ...rest } = given;
  return {
    id: relation === null || relation === undefined ? null : `r${relation}`,
    type: 'administrative',
    names: {},
    otherNames: [],
    codes: [],
    kind: null,
    countryCode: null,
    country: null,
    iso: null,
    wikidata: null,
    population: null,
    tags: {},
    place: null,
    subareas: [],
    border: { rings },
    ...rest,
  };
}

/** An area of an atlas: its code, its name and its rings (even-odd), empty if its shape is not an area. */
export interface AtlasArea {
  readonly code: string;
  readonly name: string;
  readonly rings: readonly Coords[];
}

/** Reads objects of a TopoJSON atlas from an installed package. @returns the areas of each object, in file order */
export function readAtlas(file: string, objects: readonly string[]): AtlasArea[][] {
  const topology = readTopology(JSON.parse(readFileSync(packageFile(file), 'utf8')) as Record<string, unknown>);
  const rings = (geometry: TopologyGeometry) => {
    try {
      return topology.ringsOf(geometry);
    } catch (error) {
      if (error instanceof Unusable) return [];
      throw error;
    }
  };
  return objects.map((object) =>
    topology.geometriesOf(object).map((geometry) => ({
      code: String(geometry.id),
      name: String((geometry.properties as { name?: unknown } | undefined)?.name ?? ''),
      rings: rings(geometry),
    })),
  );
}

/** Groups items by a key, in order of first appearance; items with a null key are left out. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';

/** Source of a population figure. */
export interface PopulationSource {
  readonly name: string;
  readonly year: number;
}

interface Table {
  readonly source: string;
  readonly year: number;
  readonly people: Readonly<Record<string, number>>;
}

let people: ReadonlyMap<string, { readonly population: number; readonly source: PopulationSource }> | undefined;

/**
 * Returns the population of a country or first-level division, for boundaries whose source has none
 * (data/populations.json, made by scripts/make_populations.ts). The table has countries, territories and the states of
 * the United States; null for anything else.
 * @param iso ISO 3166-1 alpha-2 or ISO 3166-2
 */
export function populationOf(
  iso: string | null,
): { readonly population: number; readonly source: PopulationSource } | null {
  return iso === null ? null : (tabled().get(iso) ?? null);
}

/** The populations of the table by ISO code. */
export function tabledPopulations(): Readonly<Record<string, number>> {
  return Object.fromEntries([...tabled()].map(([iso, { population }]) => [iso, population]));
}

function tabled(): NonNullable<typeof people> {
  people ??= new Map(
    (JSON.parse(readFileSync(join(packageRoot(), 'data', 'populations.json'), 'utf8')) as { tables: Table[] }).tables
      .map(({ source, year, people }) => ({ source: { name: source, year }, people }))
      .flatMap(({ source, people }) =>
        Object.entries(people).map(([code, population]) => [code, { population, source }] as const),
      ),
  );
  return people;
}

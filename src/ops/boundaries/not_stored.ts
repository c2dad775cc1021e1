import { z } from 'zod';
import type { Context } from '../../core/op.ts';
import { citiesNamed, namesLargeCity } from '../../domain/names/city_names.ts';
import { foldName } from '../../domain/names/fold.ts';
import { countriesWithDivision } from '../../domain/names/place_names.ts';
import { filesOf, readCatalog } from '../../sources/catalog.ts';
import { countryOfList, isCountryCode } from '../../sources/countries.ts';

/** The most countries that an answer without results names. */
const MOST_COUNTRIES = 5;

/** The `not_stored` member of an answer without results; absent otherwise. */
export const notStored = z
  .array(
    z.object({
      country: z.string().describe('ISO 3166-1 alpha-2.'),
      recipes: z.array(z.string()).describe('Files of the catalog of sources that have its areas.'),
      command: z.string().optional().describe('To operators: the command that imports the first of them.'),
    }),
  )
  .optional()
  .describe('Nothing was found, and of these countries, which the query names, no subdivisions are stored.');

function countriesNamed(q: string): readonly string[] {
  const behind = countryOfList(q);
  if (behind !== null) return [behind];
  const folded = foldName(q);
  const divided = countriesWithDivision(folded);
  if (divided.length > 0) return divided;
  return namesLargeCity(folded) ? citiesNamed(folded).map(({ country }) => country) : [];
}

/**
 * The countries that a query without results names and of which no subdivisions are stored.
 * @param codes of the filter by country; without it the country at the end of the query counts ("Bern, Switzerland"), or
 *   those that have a first-level division ("Bretagne") or large city of the name
 */
export async function notStoredOf(
  { services, caller }: Context,
  q: string,
  codes: readonly string[] | undefined,
): Promise<NonNullable<z.output<typeof notStored>>> {
  const named = codes ?? countriesNamed(q);
  const countries = [...new Set(named)].filter(isCountryCode).slice(0, MOST_COUNTRIES);
  if (countries.length === 0) return [];
  const stored = await services.completeness.recent();
  const hasParts = new Set(
    stored.filter(({ levels }) => levels.some((one) => (one.admin_level ?? 0) > 2)).map(({ country }) => country),
  );
  const catalog = readCatalog();
  return countries
    .filter((country) => !hasParts.has(country))
    .map((country) => {
      const recipes = filesOf(country, catalog);
      const [first] = recipes;
      const command = caller.operator && first !== undefined ? { command: `boundary import @${first}` } : {};
      return { country, recipes, ...command };
    });
}

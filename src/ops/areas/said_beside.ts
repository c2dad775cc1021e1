import { codedBy } from '../../domain/areas/other_readings.ts';
import { joined, said } from '../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { namesInUse } from '../../domain/names/exonyms.ts';
import { foldName } from '../../domain/names/fold.ts';
import { iso3Of } from '../../sources/countries.ts';
import { type Examined, isReadAs, kindOfAll } from './examined.ts';
import { isTown, placed } from './found.ts';

// What is said of the meaning of a name, where nothing stored could be meant as well: each adds a choice, or nothing.

/** What divides two places of a list. */
const COMMA = ', ';

/** That other places of a name are not stored. */
export function sayNotStored({ run, i, found }: Examined): null {
  run.choices.push(said`${run.quoteName(i)} is read as ${placed(found)}; other places of that name are not stored`);
  return null;
}

/** Says that a country in front of a comma and a division of another is not read as a town in it: "Norway, Michigan and Ohio". */
export function sayTown({ run, i, scope, isBare, found, others }: Examined): null {
  const next = kindOfAll(others);
  if (!isBare || !next || scope?.kind !== 'list' || !scope.others.includes(i + 1)) return null;
  if (others.some(({ boundary }) => boundary.country === found.boundary.country)) return null;
  if (found.boundary.kind !== 'country' || next.boundary.kind === 'country') return null;
  const [own, other] = [run.words(i), run.words(i + 1)];
  if (own === null || other === null || other.from - own.to > COMMA.length) return null;
  run.choices.push(
    said`${run.quoteName(i)} is read as the country; for a place of that name, write "${own.text} in ${other.text}"`,
  );
  return null;
}

/** Letters of a name that is not an abbreviation, at least. */
const WRITTEN_OUT = 5;

/** Says what is read where a country or a town has another name: "Great Britain" is the United Kingdom, and "Ibiza" a town. */
export function sayOtherName({ run, i, name, isBare, found, meaning }: Examined): null {
  const folded = foldName(name);
  const isShort = folded.replaceAll(' ', '').length < WRITTEN_OUT && !isStrange(name, found);
  if (!isBare || isShort || meaning.guessed.length > 0) return null;
  const isCountry = found.boundary.kind === 'country';
  if (!isCountry && !isTown(found) && !isStrange(name, found)) return null;
  if (namesInUse(found.boundary).includes(folded) || (isCountry && isReadAs(name, found))) return null;
  run.choices.push(said`${run.quoteName(i)} is read as ${placed(found)}`);
  return null;
}

/** Whether an abbreviation is neither a code of a country nor of letters of its name in their order: "HOL", Sint Maarten. */
function isStrange(name: string, { boundary }: ResolvedBoundary): boolean {
  if (!/^\p{Lu}{3}$/u.test(name) || iso3Of(boundary.country ?? '') === name) return false;
  return !namesInUse(boundary).some((own) => hasInOrder(own, foldName(name)));
}

/** Whether a text has some letters in their order, with others between. */
function hasInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) at = text.indexOf(letter, at) + 1 || Number.POSITIVE_INFINITY;
  return at <= text.length;
}

/** Says what else the code of a country or a division is a code of: "LA" is Laos, and Louisiana. */
export async function sayOtherCodes({ run, name, isBare, others: listed, found }: Examined): Promise<null> {
  if (!isBare || listed.length > 0 || !/^[A-Z]{2}$/u.test(name)) return null;
  const { country, divisions } = await codedBy(run.services, name, run.preferences);
  const others = [country, ...divisions].flatMap((one) => (one === null || one.id === found.id ? [] : [one.name]));
  if (others.length > 0) run.choices.push(said`${name}: read as ${found.name}; also codes of ${joined(others)}`);
  return null;
}

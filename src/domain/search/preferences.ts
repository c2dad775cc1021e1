import type { Boundary } from '../boundaries/boundary.ts';
import { halvesOf, isExonym, isOwnName, KNOWN_PLACE } from '../names/exonyms.ts';
import { foldName } from '../names/fold.ts';
import { type Candidate, PREFIX_STEP } from './candidates.ts';
import type { Search, SearchedBoundaries } from './hit.ts';

/** Returns the ids of candidates whose name in the caller's first language is what was typed, or starts with it. */
export async function inLanguageOf(
  boundaries: SearchedBoundaries,
  read: readonly Boundary[],
  candidates: readonly Candidate[],
  { lang }: Search,
  folded: string,
): Promise<ReadonlySet<string>> {
  const inLanguage = new Set<string>();
  // Only the first language: a person who reads German first may not know the name in their second language.
  if (!lang || lang.length === 0 || read.length < 2) return inLanguage;
  const naming = { prefer: lang.slice(0, 1), names: lang.slice(0, 1) };
  const shown = await boundaries.show(read, naming);
  const names = new Map(shown.map(({ id, name, names }) => [id, Object.keys(names ?? {}).length > 0 ? name : null]));
  for (const { id, step, interpretation } of candidates) {
    const name = names.get(id);
    const typed = interpretation?.name ?? folded;
    if (!name) continue;
    const known = foldName(name);
    if (known === typed || (step >= PREFIX_STEP && known.startsWith(typed))) inLanguage.add(id);
  }
  return inLanguage;
}

/**
 * Returns the ids of the countries whose name was typed in a language that is not theirs, if another place has the
 * typed text as its own name: "Granada" is a province of Spain and, in Spanish, Grenada.
 */
export function foreignNames(
  read: ReadonlyMap<string, Boundary>,
  candidates: readonly Candidate[],
  folded: string,
): ReadonlySet<string> {
  const foreign = new Set<string>();
  const whole = candidates.filter(
    ({ step, interpretation }) => step < 1 && (interpretation?.name ?? folded) === folded,
  );
  const local = (id: string): string => read.get(id)?.name ?? '';
  const countries = whole.filter(({ id, kind }) => kind === 'country' && !isOwnName(folded, local(id)));
  const isKnown = ({ id, weight }: Candidate): boolean => weight >= KNOWN_PLACE && isOwnName(folded, local(id));
  const others = whole.filter((one) => isKnown(one) || halvesOf(local(one.id)).includes(folded));
  for (const { id } of divisionsElsewhere(read, whole, others, folded)) foreign.add(id);
  if (countries.length === 0 || !others.some(isKnown)) return foreign;
  for (const { id } of countries) if (isExonym(folded, read.get(id)?.country ?? '', local(id))) foreign.add(id);
  return foreign;
}

/** Whether a folded text is a local name or one half of it: "Vitoria" of "Vitoria-Gasteiz". */
const isHalf = (folded: string, local: string): boolean => isOwnName(folded, local) || halvesOf(local).includes(folded);

/**
 * The first-level divisions of which a text is the name in another language alone, if places of another country have it as one
 * half of their own: "Vitoria" is the Portuguese name of Victoria in Australia.
 */
function divisionsElsewhere(
  read: ReadonlyMap<string, Boundary>,
  whole: readonly Candidate[],
  others: readonly Candidate[],
  folded: string,
): Candidate[] {
  return whole.filter(({ id, kind, name_type }) => {
    const one = read.get(id);
    if (one === undefined || one.admin_level !== 4 || kind === 'country' || name_type === 'code') return false;
    return !isHalf(folded, one.name) && others.some((other) => read.get(other.id)?.country !== one.country);
  });
}

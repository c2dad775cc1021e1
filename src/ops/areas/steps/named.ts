import { firstOf, said, type Value } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { countryNameIn } from '../../../domain/names/exonyms.ts';
import { foldName } from '../../../domain/names/fold.ts';
import { setOf } from '../execution/region.ts';
import { candidatesOf } from './states.ts';
import type { Execute } from './step.ts';

/**
 * Those of some boundaries whose local name fits a text, ignoring case and accents. With a language, countries have their
 * names in it: "Deutschland" ends on "land", and "Republic of Ireland" starts with I in English.
 */
export const named: Execute<'named'> = ({ run, i }, { of, how, text, language }) => {
  const folded = foldName(text);
  if (folded === '') throw run.fail(i, said`${run.quote(i)} has no letters to compare names with.`);
  const fits = {
    starts: (name: string) => name.startsWith(folded),
    ends: (name: string) => name.endsWith(folded),
    contains: (name: string) => name.includes(folded),
    is: (name: string) => name === folded,
  }[how];
  const ofLanguage: Value[] = [];
  const ofOthers: Value[] = [];
  const isFor = (one: ResolvedBoundary): boolean => {
    const { kind, country } = one.boundary;
    const isLocal = fits(run.nameOf(one));
    const own = language && kind === 'country' && country !== null ? countryNameIn(country, language) : null;
    if (own === null) return isLocal;
    const is = fits(foldName(own)) || (isLocal && (how === 'contains' || how === 'is'));
    if (is !== isLocal) (is ? ofLanguage : ofOthers).push(said`${own} (${one.name})`);
    return is;
  };
  const chosen = candidatesOf(run, of, i).filter(isFor);
  if (ofLanguage.length > 0)
    run.choices.push(said`by its name in the language of the description: ${firstOf(ofLanguage, LISTED)}`);
  if (ofOthers.length > 0)
    run.choices.push(said`left out by its name in the language of the description: ${firstOf(ofOthers, LISTED)}`);
  return setOf(chosen);
};

/** Names that a choice lists. */
const LISTED = 12;

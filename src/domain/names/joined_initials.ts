import { isBrand } from './common_words.ts';
import { codesWithNames } from './place_names.ts';

/** Two capitals that a sign joins: "J&K". */
const JOINED = /^\s*(\p{Lu})\s?&\s?(\p{Lu})\s*$/u;
/** A name of two words in English. */
const PAIR = /^(\p{Lu})[\p{L}'’-]+ (?:and|&) (\p{Lu})[\p{L}'’-]+(?: Islands)?$/u;

let codes: ReadonlyMap<string, ReadonlySet<string>> | undefined;

function load(): ReadonlyMap<string, ReadonlySet<string>> {
  if (codes) return codes;
  const found = new Map<string, Set<string>>();
  for (const [code, names] of codesWithNames())
    for (const name of names) {
      const [, one, other] = PAIR.exec(name) ?? [];
      if (one === undefined || other === undefined) continue;
      const initials = `${one}&${other}`;
      found.set(initials, (found.get(initials) ?? new Set()).add(code));
    }
  codes = found;
  return found;
}

/**
 * Returns the ISO 3166 codes of the countries and divisions of two names whose initials a text is: IN-JK for "J&K", TT for
 * "T&T". Empty for other texts and for brands.
 */
export function codesOfJoinedInitials(text: string): readonly string[] {
  const [, one, other] = JOINED.exec(text) ?? [];
  if (one === undefined || other === undefined || isBrand(`${one}${other}`.toLowerCase())) return [];
  return [...(load().get(`${one}&${other}`) ?? [])];
}

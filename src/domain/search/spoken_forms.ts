import { foldName } from '../names/fold.ts';
import type { Rewrite } from './noise.ts';

// Other ways to write a name with the word for its kind, or its two names.

/** Words for the communities of Spain, short ones and in other languages, folded. */
const COMMUNITY: readonly string[] = (
  'ccaa,cc aa,c a,com aut,comunidad aut,autonomia,autonomous community,communaute autonome,autonome gemeinschaft,' +
  'comunita autonoma,comunidade autonoma,comunitat autonoma,comunidad autonoma,autonome gemeenschap,wspolnota autonomiczna,autonomne spolocenstvo,autonom kozosseg,ozerk toplulugu,автономное сообщество'
).split(',');
const LINK = /^(?:de|d|di|von|of) /u;

/** The name beside such a word, behind or in front of it; undefined for other texts. */
function communityIn(folded: string): string | undefined {
  for (const word of COMMUNITY) {
    if (folded.startsWith(`${word} `)) return folded.slice(word.length + 1).replace(LINK, '');
    if (folded.endsWith(` ${word}`)) return folded.slice(0, -word.length - 1);
  }
  return undefined;
}

/** "t.m. Getafe" */
const TERM = /^t\s?m (?:de )?(?<name>\p{L}.+)$/u;
/** The number of a province in front of its name and the word for it: "04 Almería provincia". */
const NUMBERED = /^\d{2} (?<name>\p{L}.+)$/u;
/** Two names of one place: "Elche o Elx". */
const BOTH = /^(?<one>\p{L}[^/]*) (?:o|or|ou|oder) (?<other>\p{L}[^/]*)$/u;
/** A word for a map at the end of a name: "Bayernkarte", "Sverigekarta". */
const COMPOUND = /^(?<name>\p{L}{4,}?)s?(?:land)?(?:karte|karta|kartet|kart|kort|kaart|terkep)$/u;

/** What such a query means, as other queries. Empty for queries of other forms. Linear in its length, which callers limit. */
export function spokenForms(q: string): Rewrite[] {
  const folded = foldName(q);
  const community = communityIn(folded);
  if (community !== undefined) return [{ q: `comunidad autónoma de ${community}`, ignored: null, exactly: true }];
  const term = TERM.exec(folded)?.groups?.name;
  if (term !== undefined) return [{ q: `término municipal de ${term}`, ignored: null, exactly: true }];
  const numbered = NUMBERED.exec(folded)?.groups?.name;
  if (numbered !== undefined) return [{ q: numbered, ignored: folded.slice(0, 2), exactly: true }];
  const both = BOTH.exec(folded)?.groups;
  if (both?.one !== undefined && both.other !== undefined)
    return [{ q: `${both.one}/${both.other}`, ignored: null, exactly: true }];
  const compound = COMPOUND.exec(folded)?.groups?.name;
  return compound === undefined ? [] : [{ q: compound, ignored: folded.slice(compound.length), exactly: true }];
}

import { foldName } from '../names/fold.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';
import type { Rewrite } from './noise.ts';

/** Questions where in a place another one is: "where in Japan is Miyazaki". */
const WHERE_IN: readonly RegExp[] = [
  /^(?:whereabouts|where|(?:in )?(?:what|which) part) (?:in|of) (?:the )?(?<place>.+?) (?:is|are|lies) (?<name>.+?)(?: in| located| situated)?$/u,
  /^(?:wo|an welcher stelle) (?:in|im|auf) (?:(?:der|den|dem) )?(?<place>.+?) (?:liegt|liegen|ist|sind|befindet sich) (?<name>.+)$/u,
  /^(?:ou|dans quelle partie) (?:en|au|aux|dans|de|du|des|d|a) (?:(?:la|le|les|l) )?(?<place>.+?) (?:est|sont|se trouve|se trouvent|se situe) (?<name>.+)$/u,
  /^(?:donde|en que parte|en que lugar) (?:en|de|del) (?:(?:el|la|los|las) )?(?<place>.+?) (?:esta|estan|queda|se encuentra) (?<name>.+)$/u,
  /^(?:dove|in quale parte) (?:in|nel|nella|di|del|della|dell) (?<place>.+?) (?:e|si trova|si trovano) (?<name>.+)$/u,
  /^(?:onde|em que parte) (?:em|no|na|do|da|de) (?<place>.+?) (?:fica|esta) (?<name>.+)$/u,
];

/** Questions which place of a kind another one is in: "what county is Novato in". */
const IN_WHICH: readonly RegExp[] = [
  /^(?:in )?(?:what|which) (?<kind>\p{L}+) (?:is|are|does) (?<name>.+?)(?: in| lie in| belong to| located(?: in)?| part of)?$/u,
  /^(?<name>.+?) (?:(?:is|are) )?(?:located )?(?:in )?(?:what|which) (?<kind>county|parish)(?: is it in)?$/u,
  /^(?:do you know |tell me |find |find out )?(?:in )?(?:what|which) (?<kind>county|parish) (?:is |has )?(?<name>.+?)(?: is)?(?: in)?$/u,
  /^(?:what is |what s |whats |find |name of |the )*(?<kind>county|parish) (?:for|of|where|that contains|containing|that has) (?<name>.+?)(?: is)?(?: located)?(?: in)?$/u,
  /^in welche[mrs] (?<kind>\p{L}+) (?:liegt|ist|befindet sich) (?<name>.+)$/u,
  /^dans quelle? (?<kind>\p{L}+) (?:est|se trouve|se situe) (?<name>.+)$/u,
  /^welche[rs]? (?<kind>county|landkreis|kreis) (?:ist|hat) (?<name>.+)$/u,
  /^(?:en|a) que (?<kind>\p{L}+) (?:esta|queda|se encuentra|pertenece) (?<name>.+)$/u,
  /^in quale (?<kind>\p{L}+) (?:e|si trova) (?<name>.+)$/u,
];

/**
 * What a question about a name asks for, as other queries: the name in the place ("where in Japan is Miyazaki"), and of a question for
 * the county of a town that one ("what county is Novato in"). Empty for other queries.
 */
export function askedIn(q: string): Rewrite[] {
  const folded = foldName(q);
  for (const form of WHERE_IN) {
    const { name, place } = form.exec(folded)?.groups ?? {};
    if (name !== undefined && place !== undefined)
      return [{ q: `${name}, ${place}`, ignored: wordsBeside(folded, name, place), exactly: true }];
  }
  for (const form of IN_WHICH) {
    const { name, kind } = form.exec(folded)?.groups ?? {};
    if (name === undefined || kind === undefined || kindsOfTypeWords(kind).length === 0) continue;
    const ignored = wordsBeside(folded, name);
    const alone: Rewrite = { q: name, ignored, exactly: true };
    return kind === 'county' ? [{ ...alone, q: `city of ${name}` }, alone] : [alone];
  }
  return [];
}

/** The words of a folded question without some parts of it. */
const wordsBeside = (folded: string, ...parts: readonly string[]): string =>
  parts
    .reduce((rest, part) => rest.replace(part, ' '), folded)
    .split(' ')
    .filter(Boolean)
    .join(' ');

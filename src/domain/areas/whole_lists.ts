import { foldName } from '../names/fold.ts';
import type { Expression } from './algebra.ts';
import { nameAt } from './name_at.ts';
import type { Parser } from './parser.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';

// Rules for descriptions that are one list, in forms that no item of a longer one has.

/** Words for levels in all languages. */
const LEVELS: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap(({ levels }) =>
    [...levels.values()].flatMap(({ one, many }) => [...one, ...many].map((phrase) => phrase.join(' '))),
  ),
);

/** Letters from which a name with nothing beside it may be in lower case. */
const SHORTEST = 4;

/** Names without anything between them that are a list: two may be a place in another. */
const LEAST = 3;

/**
 * Names of one kind with nothing between them: "spain portugal france", "ES-C ES-LU". Null unless all words are names, and
 * each is of the kind of the next, and not in it.
 */
export function parseBareNames(p: Parser): Expression | null {
  return p.attempt((): Expression | null => {
    /** Whether something divides each name from the one before it. */
    const divided: boolean[] = [];
    const places: Extract<Expression, { op: 'place' }>[] = [];
    while (p.at < p.tokens.length) {
      // "spain portugal and france"
      divided.push(places.length > 0 && p.take(p.v.and));
      const from = p.at;
      const end = nameAt(p, from);
      if (end === null) return null;
      p.at = end + 1;
      const { text } = p.words(from);
      // "Spain vs Portugal" does not list the United States by an abbreviation.
      if (text.length < SHORTEST && text !== text.toUpperCase()) return null;
      places.push({ op: 'place', name: text, words: p.words(from) });
    }
    const names = places.map(({ name }) => foldName(name ?? ''));
    const areCodes = places.every(({ name }) => /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(name ?? ''));
    if (places.length < 2 || divided.slice(1).every((one) => one)) return null;
    const arePeers = names.every((name, i) => {
      const next = divided[i + 1] === true ? undefined : names[i + 1];
      const relation = next === undefined ? 'peers' : p.lexicon.relation(name, next);
      return relation === 'peers' || (relation === 'both' && names.length > LEAST);
    });
    if (!areCodes && (places.length < LEAST || !arePeers)) return null;
    return { op: 'union', of: places, words: p.words(0) };
  });
}

/**
 * A place, and behind a colon places in it: "Oregon: Harney County, Malheur County", "NM: Bernalillo, Sandoval". Null if
 * the description is something else.
 */
export function parseContained(p: Parser): Expression | null {
  return p.attempt((): Expression | null => {
    const from = p.at;
    p.take(p.v.articles);
    const end = nameAt(p, p.at);
    // "Länder" is a heading, and a county without its dots.
    if (end === null || p.tokens[end + 1]?.folded !== ':' || LEVELS.has(p.tokenAt(end).folded)) return null;
    const within = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(end).to);
    p.at = end + 2;
    p.isListing = true;
    const list = p.region(p);
    p.isListing = false;
    const named = (one: Expression): Expression | null => {
      if (one.op === 'place' && one.name !== undefined && one.within === undefined) return { ...one, within };
      return null;
    };
    // "Ohio: Lake and Geauga counties"
    const listed = list.op === 'children' && list.of.op === 'union' ? list.of : list;
    const of = (listed.op === 'union' ? listed.of : [listed]).map(named);
    if (of.some((one) => one === null)) return null;
    const places: Expression = { op: 'union', of: of as Expression[], words: p.words(from) };
    return listed === list ? places : ({ ...list, of: places } as Expression);
  });
}

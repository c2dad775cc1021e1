import { foldName } from '../names/fold.ts';
import { type AreaGroup, groupOf } from '../names/groups.ts';
import { otherNamesOf } from '../names/place_names.ts';
import type { Expression } from './algebra.ts';
import { sayLeftOut } from './labels.ts';
import { groupAt, nameAt, skipArticle } from './name_at.ts';
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
    let isDashed = true;
    const places: Extract<Expression, { op: 'place' }>[] = [];
    while (p.at < p.tokens.length) {
      // "spain portugal and france", "Ohio - Indiana - Michigan"
      divided.push(places.length > 0 && p.take(p.v.and));
      isDashed &&= places.length === 0 || p.sign('-', '–', '—');
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
      return relation === 'peers' || (relation === 'both' && (isDashed || names.length > LEAST));
    });
    if (!areCodes && (places.length < LEAST || !arePeers)) return null;
    return { op: 'union', of: places, words: p.words(0) };
  });
}

/**
 * The members of a group, with its name in front or behind: "Canada, US and Mexico: the USMCA countries", "les pays
 * scandinaves : Danemark, Norvège, Suède". Null unless they are all the members of the group.
 */
export function parseGroupListed(p: Parser): Expression | null {
  return p.attempt((): Expression | null => {
    const before = takeGroup(p);
    const label = before === null ? '' : p.words(0).text;
    if (before !== null && !p.sign(':', '-', '–', '—')) return null;
    const from = p.at;
    const items = takeNames(p);
    if (items.length === 0) return null;
    const names = items.map((one) => foldName(one.words?.text ?? ''));
    const listed: Expression = { op: 'union', of: items, words: p.words(from) };
    if (before === null && !p.sign(':', '-', '–', '—', '(')) return null;
    const group = before ?? takeGroup(p);
    if (before === null) p.sign(')');
    if (group === null || p.at < p.tokens.length) return null;
    if (areMembers(names, group)) return { op: 'counted', of: listed, count: items.length, words: p.words(0) };
    // "Midwest: OH, IN, IL" has some of them.
    if (before === null || items.length < 2 || !names.every((name) => isMember(name, group))) return null;
    p.choices.push(sayLeftOut([label]));
    return { ...listed, words: p.words(0) };
  });
}

/** Whether names are those of all members of a group, and no others. */
function areMembers(names: readonly string[], { members }: AreaGroup): boolean {
  const isNamed = (code: string): boolean =>
    otherNamesOf(code).some((other) => names.includes(foldName(other))) || names.includes(code.toLowerCase());
  return names.length === members.length && members.every(isNamed);
}

/** Whether a name or a code is that of a member of a group. */
function isMember(name: string, { members }: AreaGroup): boolean {
  return members.some((code) =>
    [...otherNamesOf(code), code, code.slice(code.indexOf('-') + 1)].some((other) => foldName(other) === name),
  );
}

/** Takes the name of a group behind "all", an article or a number. Null if there is none. */
function takeGroup(p: Parser): AreaGroup | null {
  p.take(p.v.all) || p.take(p.v.articles);
  const end = groupAt(p, p.at);
  if (end === null) return null;
  const from = p.at;
  p.at = end + 1;
  return groupOf(p.words(from).text);
}

/** Takes bare names with articles in front of them and signs or "and" between them. */
function takeNames(p: Parser): Expression[] {
  const items: Expression[] = [];
  do {
    const end = nameAt(p, skipArticle(p));
    if (end === null) break;
    const from = p.at;
    p.at = end + 1;
    items.push({ op: 'place', name: p.words(from).text, words: p.words(from) });
  } while (p.separator());
  return items;
}

/** Takes the word for a side in front of a place, whose name is without it: "Northern (Virginia)". Null if none is here. */
function takeSide(p: Parser): string | null {
  for (const phrases of [...p.v.sided.values(), ...p.v.sides.values()]) {
    const from = p.at;
    if (p.take(phrases)) return p.words(from).text;
  }
  return null;
}

/**
 * A place, and behind a colon places in it: "Oregon: Harney County, Malheur County", "NM: Bernalillo, Sandoval". Null if
 * the description is something else.
 */
export function parseContained(p: Parser): Expression | null {
  return p.attempt((): Expression | null => {
    const from = p.at;
    p.take(p.v.articles);
    const side = nameAt(p, p.at) === null ? takeSide(p) : null;
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
    if (side !== null && of.length < 2) return null;
    if (side !== null) p.choices.push(sayLeftOut([side]));
    const places: Expression = { op: 'union', of: of as Expression[], words: p.words(from) };
    return listed === list ? places : ({ ...list, of: places } as Expression);
  });
}

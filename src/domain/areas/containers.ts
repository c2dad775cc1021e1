import { defined } from '../../common/elements.ts';
import { takeAdding } from './adding.ts';
import { parseAdjectivePlace } from './adjective_places.ts';
import type { Expression, LevelWord } from './algebra.ts';
import { withContainerBehind } from './apposition.ts';
import { parseClip, parseContainingOne, parseSide, startsPhrase } from './arguments.ts';
import { parseNeighbors } from './bordered.ts';
import { clip } from './description_error.ts';
import { isDistance } from './distances.ts';
import { parseMisspelled } from './listed.ts';
import { genitiveAt } from './name_at.ts';
import type { Parser } from './parser.ts';
import { parsePlace } from './places.ts';
import { isOnBorder } from './qualifiers.ts';
import { parseUnknownPlace } from './unknown_place.ts';
import { said } from './wording/said.ts';

// Rules for what contains the boundaries of a level.

/**
 * "of Texas and Oklahoma", "in the south of Spain", "Andalusiens".
 * @param asked the level of what they contain: a place of it contains none
 */
export function parseContainers(p: Parser, asked: LevelWord | null = null): Expression | null {
  return p.attempt(() => {
    const from = p.at;
    // "im Umkreis von" and "within three miles" give a distance, not a container.
    if (isDistance(p) || isOnBorder(p)) return null;
    if (!p.take(p.v.of)) {
      if (p.v.language !== 'de') return null;
      // The genitive of a name.
      if (genitiveAt(p, p.at) === null) return null;
    } else p.take(p.v.articles);
    p.take(p.v.whole);
    const next = p.tokens[p.at];
    if (next === undefined || (next.sort !== 'word' && next.folded !== '(')) return null;
    const items = [parseContainer(p)];
    for (;;) {
      const start = p.at;
      const contained = withContainerBehind(p, items);
      if (contained !== null) {
        items.splice(0, items.length, ...contained);
        break;
      }
      // "the largest counties of Idaho, plus Lee County in Iowa"
      if (takeAdding(p, 0) === 'always') {
        p.at = start;
        break;
      }
      if (!p.separator()) break;
      // "les cantons de Wiltz et de Clervaux"
      if (p.v.language !== 'en' && p.v.language !== 'de') p.take(p.v.of);
      const next =
        p.find(p.v.without) !== null || p.tokens[p.at]?.folded === '(' || startsPhrase(p) || startsWhole(p)
          ? null
          : (p.attempt(() => parsePlace(p)) ?? p.attempt(() => parseMisspelled(p)));
      const isOther = next?.op === 'place' && next.level !== undefined && next.level === asked;
      if (next === null || isOther || next.op === 'neighbors' || p.find(p.v.its) !== null) {
        p.at = start;
        break;
      }
      items.push(next);
    }
    if (items.length > 1) {
      p.choices.push(said`"${clip(p.words(from).text)}" is read as one list; "and" does not begin another area there`);
      return { op: 'union', of: items, words: p.words(from) };
    }
    return defined(items[0]);
  });
}

function startsWhole(p: Parser): boolean {
  return p.find(p.v.whole.filter((phrase) => phrase.length > 1)) !== null;
}

function parseContainer(p: Parser): Expression {
  const inner = p.inBrackets();
  if (inner !== null) return inner;
  for (const rule of [
    () => parseClip(p),
    () => parseContainingOne(p),
    () => parseSide(p),
    () => parseNeighbors(p),
    () => parseAdjectivePlace(p),
    () => parsePlace(p),
  ]) {
    const found = p.attempt(rule);
    if (found) return found;
  }
  return parseUnknownPlace(p);
}

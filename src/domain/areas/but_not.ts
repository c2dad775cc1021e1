import { foldName } from '../names/fold.ts';
import type { Expression } from './algebra.ts';
import { isBordering } from './bordered.ts';
import { clip } from './description_error.ts';
import { genitiveAt, nameAt } from './name_at.ts';
import type { Parser } from './parser.ts';
import { said } from './wording/said.ts';

// Rules for corrections, and for "but not" behind a border.

/** Passes over a hesitation in front of what is left out: "Iowa and Ohio. Sorry, without Ohio". Whether there was one. */
export function takeHesitation(p: Parser): boolean {
  const is = p.attempt(() => {
    while (p.sign('.', '-', '–', '—', '…'));
    let isAny = false;
    for (; p.take(p.v.hesitations); isAny = true) p.sign(',', '.', '-', '–', '—', '…', ':');
    return isAny && (p.find(p.v.without) ?? p.find(p.v.not)) !== null ? true : null;
  });
  return is ?? false;
}

/** Whether a hesitation and what is left out follow. */
export function isCorrection(p: Parser): boolean {
  const start = p.at;
  const is = takeHesitation(p);
  p.at = start;
  return is;
}

/** Prepositions of what borders a place, written again in front of another one: "but not of Soria", "mais pas du Niger". */
const AGAIN: ReadonlySet<string> = new Set(
  'of to with de del du des d von vom zu zum zur an con à a au aux'.split(' ').map(foldName),
);

/**
 * Checks what "but not" leaves out of a set that borders a place: "that border Kansas but not Nebraska", "neighbors of Soria but
 * not of Burgos" may mean what borders the other one. Behind a comma alone, that place is meant, and a choice says so.
 * @throws DescriptionError without one
 */
export function checkBordering(p: Parser, of: Expression, minus: Expression, start: number): void {
  const places = minus.op === 'union' ? minus.of : [minus];
  const [first] = places;
  if (!places.every((one) => one.op === 'place') || first === undefined) return;
  const end = p.at;
  p.at = start;
  const isAgain = repeatsPreposition(p, first, start);
  const is = isBordering(p, of, isAgain);
  p.at = end;
  if (!is) return;
  // German has that comma in any case.
  if (p.v.language === 'de' || isAgain || p.tokenAt(start).folded !== ',')
    p.fail(
      'can be read in two ways: write "without" for the place itself, or "that do not border" for what borders it',
      start,
      end - 1,
    );
  p.choices.push(
    said`"${clip(p.words(start + 1, end - 1).text)}" is read as without the place itself, not as without what borders it`,
  );
}

/** Whether a preposition is in front of a place that is left out, or its case says so: "aber nicht Frankreichs". */
function repeatsPreposition(p: Parser, { words }: Expression, start: number): boolean {
  if (words === undefined) return false;
  const at = p.tokens.findIndex(({ from }) => from >= words.from);
  const before = p.tokens.slice(start, Math.max(at, start) + 1);
  const isGenitive = p.v.language === 'de' && nameAt(p, at) === null && genitiveAt(p, at) !== null;
  return isGenitive || before.some(({ folded }) => AGAIN.has(folded));
}

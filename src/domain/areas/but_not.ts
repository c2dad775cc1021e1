import type { Expression } from './algebra.ts';
import { isBordering } from './bordered.ts';
import { clip } from './description_error.ts';
import type { Parser } from './parser.ts';
import { isBare } from './shared_words.ts';
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

/**
 * Checks what "but not" leaves out of a set that borders a place: "that border Kansas but not Nebraska" may mean what
 * borders Nebraska. Behind a comma, Nebraska is meant, and a choice says so.
 * @throws DescriptionError without one
 */
export function checkBordering(p: Parser, of: Expression, minus: Expression, start: number): void {
  const end = p.at;
  p.at = start;
  const is = isBordering(p, of);
  p.at = end;
  const places = minus.op === 'union' ? minus.of : [minus];
  if (!is || !places.every(isBare)) return;
  // German has that comma in any case.
  if (p.v.language === 'de' || p.tokenAt(start).folded !== ',')
    p.fail(
      'can be read in two ways: write "without" for the place itself, or "that do not border" for what borders it',
      start,
      end - 1,
    );
  p.choices.push(
    said`"${clip(p.words(start + 1, end - 1).text)}" is read as without the place itself, not as without what borders it`,
  );
}

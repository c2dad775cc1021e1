import { LEVEL_PHRASES, LINKS } from './vocabulary/small.ts';
import { MOST_TAKEN_BACK, phraseAt, phrasesOf, type Word, wordsOf } from './words_of.ts';

const NOT = phrasesOf(
  'not, and not, but not, no, y no, pero no, nicht, und nicht, aber nicht, pas, non, et pas, et non, mais pas',
);

/**
 * A description without what it says a place is not, at the same offsets: "Burgos (the city, not the province)", "Sevilla
 * city, not the province". A word for another level is in front of it, so that it says nothing more.
 */
export function withoutLevelTails(text: string): string {
  if (text.length > MOST_TAKEN_BACK) return text;
  const words = wordsOf(text);
  let kept = text;
  for (const [at, { from }] of words.entries()) {
    const count = phraseAt(words, at, NOT);
    const before = words[at - 1];
    if (count === 0 || !before || !/[,;]/u.test(text.slice(before.to, from))) continue;
    const close = text.indexOf(')', from);
    const end = close < 0 ? text.length : close;
    const open = close < 0 ? 0 : text.lastIndexOf('(', from);
    if (open < 0) continue;
    const within = (low: number, high: number): Word[] => words.filter((one) => one.from >= low && one.to <= high);
    const [what, ...more] = within(words[at + count]?.from ?? text.length, end).filter(
      ({ folded }) => !LINKS.has(folded),
    );
    // "(the state, not the county in California)" says where the other one is.
    if (!what || !LEVEL_PHRASES.has(what.folded) || (more.length > 0 && close < 0)) continue;
    const levels = within(open, from).filter(({ folded }) => LEVEL_PHRASES.has(folded));
    const [level] = levels;
    if (level === undefined || levels.length > 1 || level.folded === what.folded) continue;
    kept = kept.slice(0, before.to) + ' '.repeat(end - before.to) + kept.slice(end);
  }
  return kept;
}

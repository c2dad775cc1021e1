import type { TextRange, Texts } from './texts.ts';

const BLANK = 0x20;
const [A, Z] = [0x61, 0x7a];

/**
 * Returns the spellings of a word of a-z that oneEditAway() (typos.ts) returns and with which some text begins. It
 * goes through the sorted texts letter by letter, so that it makes only these few of hundreds of spellings.
 * @param texts sorted
 */
export function spellingsIn(texts: Texts, word: string): string[] {
  const found = new Set<string>();
  /** Adds the start of the texts of a range with the rest of a spelling behind it, if there are such texts. */
  const add = (start: string, range: TextRange, rest: string): void => {
    let begun = range;
    for (let at = 0; at < rest.length && begun[0] < begun[1]; at++)
      begun = texts.narrowed(begun, start.length + at, rest.charCodeAt(at));
    if (begun[0] < begun[1]) found.add(start + rest);
  };
  let range: TextRange = [0, texts.count];
  for (let i = 0; i <= word.length && range[0] < range[1]; i++) {
    const [before, after, behind] = [word.slice(0, i), word.slice(i), word.slice(i + 1)];
    add(before, range, behind);
    if (behind !== '') add(before, range, behind.charAt(0) + after.charAt(0) + behind.slice(1));
    for (const [byte, others] of texts.bytesBehind(range, i)) {
      // A blank is only tried between letters.
      const isTried = byte === BLANK ? i > 0 && i < word.length - 1 : byte >= A && byte <= Z;
      if (!isTried) continue;
      const start = before + String.fromCharCode(byte);
      add(start, others, after);
      add(start, others, behind);
    }
    range = texts.narrowed(range, i, word.charCodeAt(i));
  }
  found.delete(word);
  return [...found];
}

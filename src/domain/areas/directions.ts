import { foldName } from '../names/fold.ts';
import type { Token } from './tokens.ts';

// Two names that share a word, written once: "North and South Carolina", "Carolina del Norte y del Sur", "Nord- und Süddakota".

const fold = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(foldName));
/** Words that stand before a shared name. */
const BEFORE = fold('north south east west northern southern eastern western upper lower inner outer greater lesser');
/** Words that stand behind one. */
const BEHIND = fold('norte sur este oeste oriental occidental nord sud est ouest');
/** First parts of one German word. */
const GLUED = fold('nord süd ost west ober unter nieder');
const AND = fold('and y e et und');
/** Words between a shared name and what stands behind it. */
const OF = fold('de del du');
/** Words that a shared name can have. */
const MOST_WORDS = 4;

/** Two names that share a word, as they would be written alone, and the index of their last token. */
interface Elided {
  readonly names: readonly [string, string];
  readonly end: number;
}

/** The pairs of names that may begin at a token, those with the longest shared name first; at most eight. */
export function elidedAt(tokens: readonly Token[], at: number): Elided[] {
  const word = (i: number): string => (tokens[i]?.sort === 'word' ? (tokens[i]?.folded ?? '') : '');
  const first = word(at);
  const found: Elided[] = [];
  if (BEFORE.has(first) && AND.has(word(at + 1)) && BEFORE.has(word(at + 2))) {
    for (let count = MOST_WORDS; count > 0; count--) {
      const rest = Array.from({ length: count }, (_, k) => word(at + 3 + k));
      if (rest.includes('')) continue;
      const shared = rest.join(' ');
      found.push({ names: [`${first} ${shared}`, `${word(at + 2)} ${shared}`], end: at + 2 + count });
    }
  }
  // "Nord- und Süddakota": the hyphen may be a token.
  const glued = first.replace(/-$/, '');
  const and = at + (tokens[at + 1]?.text === '-' ? 2 : 1);
  const joined = word(and + 1).replace('-', '');
  const part = [...GLUED].find((one) => joined.startsWith(one) && joined.length > one.length);
  if (GLUED.has(glued) && AND.has(word(and)) && part !== undefined)
    found.push({ names: [`${glued}${joined.slice(part.length)}`, joined], end: and + 1 });
  for (let count = MOST_WORDS; count > 0; count--) {
    const shared = Array.from({ length: count }, (_, k) => word(at + k));
    const linked = OF.has(word(at + count));
    const side = at + count + (linked ? 1 : 0);
    const other = side + 2 + (OF.has(word(side + 2)) ? 1 : 0);
    if (shared.includes('') || !BEHIND.has(word(side)) || !AND.has(word(side + 1)) || !BEHIND.has(word(other)))
      continue;
    // "Norte" has "del", "Este" too: the link of each word is as written, or else that of the first.
    const link = (i: number): string => (OF.has(word(i - 1)) ? `${word(i - 1)} ` : linked ? `${word(side - 1)} ` : '');
    const name = shared.join(' ');
    found.push({ names: [`${name} ${link(side)}${word(side)}`, `${name} ${link(other)}${word(other)}`], end: other });
  }
  return found.slice(0, 8);
}

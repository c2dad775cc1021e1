import { foldName } from '../names/fold.ts';
import { groupOf } from '../names/groups.ts';
import { type Lexicon, MOST_WORDS } from './spans.ts';
import type { Token } from './tokens.ts';

// German names behind an article of another case: "der Vereinigten Staaten", "in den Niederlanden".

/** Articles, and prepositions that contain one, folded. */
const ARTICLES: ReadonlySet<string> = new Set('der die das den dem des im am zum zur vom beim'.split(' '));
const DECLINED = /^(\p{L}{3,})(?:en|er|es|em)$/u;
/** Endings that an adjective has in a name without an article. */
const ENDINGS = ['e', 'es', 'er'];

/** A text in its words: the names that it may be with the endings of the nominative, of at most its length. */
function nominativesOf(words: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  // "Niederlanden", "Königreichs"
  const lasts = [
    last,
    ...(/[^s]s$|en$/u.test(last) ? [last.slice(0, -1)] : []),
    ...(/es$/u.test(last) ? [last.slice(0, -2)] : []),
  ];
  const found: string[] = [];
  for (let count = 0; count < words.length; count++) {
    const stems = words.slice(0, count).map((word) => DECLINED.exec(word)?.[1]);
    if (stems.includes(undefined)) break;
    const rest = words.slice(count, -1);
    for (const end of lasts) {
      const endings = count === 0 ? [''] : ENDINGS;
      for (const ending of endings) found.push([...stems.map((stem) => `${stem}${ending}`), ...rest, end].join(' '));
    }
  }
  // A single word with a genitive s is read by the grammar; "des Baskenlandes" has two letters more.
  return words.length === 1 ? found.filter((one) => [`${one}n`, `${one}es`].includes(last)) : found;
}

/** Where a name may be declined: the tokens behind an article, of the longest span first. */
function* spansOf(tokens: readonly Token[]): Generator<readonly [first: number, last: number]> {
  for (const [i, { folded }] of tokens.entries()) {
    if (!ARTICLES.has(folded)) continue;
    let last = i;
    while (last < i + MOST_WORDS && tokens[last + 1]?.sort === 'word') last++;
    for (; last > i; last--) yield [i + 1, last];
  }
}

/** The names, folded, that declined words of a description may be, for looking up in a lexicon. */
export function possibleNominatives(tokens: readonly Token[]): string[] {
  return [...spansOf(tokens)].flatMap(([first, last]) =>
    nominativesOf(tokens.slice(first, last + 1).map(({ folded }) => folded)),
  );
}

/**
 * A description with the names of places and groups that are declined in the nominative, at the same offsets: "der
 * Vereinigten Staaten" is "der Vereinigte Staaten". Names that are known as they are written stay.
 */
export function withNominatives(text: string, tokens: readonly Token[], { has }: Pick<Lexicon, 'has'>): string {
  const isKnown = (name: string): boolean => has(foldName(name)) || groupOf(name) !== null;
  let written = text;
  let done = 0;
  for (const [first, last] of spansOf(tokens)) {
    const span = tokens.slice(first, last + 1);
    const [from, to] = [span[0]?.from ?? 0, span.at(-1)?.to ?? 0];
    if (from < done || !span.every(({ glue }) => glue === '')) continue;
    // "Außengebiete der Vereinigten Staaten" is the name of a group.
    const isWhole = [0, 1, 2, 3].some((back) => isKnown(text.slice(tokens[first - back]?.from ?? from, to)));
    const name = isWhole ? null : nominativesOf(span.map((one) => one.text)).find(isKnown);
    if (name === undefined) continue;
    if (name !== null) written = written.slice(0, from) + name.padEnd(to - from) + written.slice(to);
    done = to;
  }
  return written;
}

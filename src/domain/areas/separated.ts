import { foldName } from '../names/fold.ts';
import { MOST_TAKEN_BACK, phraseAt, phrasesOf, wordsOf as readWords } from './words_of.ts';

// Exclusions whose verb is in two parts, with what is left out between them: "leave Wyoming out", "lass Hessen weg".

interface Verb {
  /** Folded words in front of it and in it that say nothing of the area. */
  readonly courtesies: ReadonlySet<string>;
  readonly first: ReadonlySet<string>;
  /** Its second part, at the end of a clause, as folded words. */
  readonly second: readonly string[];
  /** A word for without, of at most the letters of each first part. */
  readonly without: string;
}
const verb = (courtesies: string, first: string, second: string, without: string): Verb => ({
  courtesies: new Set(courtesies.split(' ')),
  first: new Set(first.split(' ')),
  second: second.split(', '),
  without,
});
const VERBS: readonly Verb[] = [
  verb('but and please you can', 'leave take keep', 'out, out of it, out of that', 'less'),
  verb(
    'aber und bitte sie',
    'lass lasse lasst lassen nimm nehmt nehmen zieh ziehe ziehen',
    'weg, raus, heraus, aussen vor, ab',
    'ohne',
  ),
  verb('pero y por favor', 'deja deje dejad dejen dejando', 'fuera, aparte', 'sin'),
  verb('mais et', 'laisse laissez laissant mets mettez', 'de cote, dehors', 'sauf'),
];

/** Signs for "without" and for "include:", where a text has no place for the words. */
export const LESS = '∖';
export const LISTED = '∋';

/** Words at the end of a description that leave out what is in front of them: "Ohio, Lake County excluded". */
const LEFT_OUT = phrasesOf(
  'excluded, excepted, removed, left out, taken out, cut out, omitted, deducted, subtracted, aside, apart, not included, not counted',
  'excluido, excluida, excluidos, excluidas, exceptuado, exceptuada, exceptuados, exceptuadas, quitado, quitada, aparte, no incluido, no incluida',
  'ausgenommen, ausgeschlossen, weggelassen, abgezogen, nicht inbegriffen',
  'excepté, exceptée, exceptés, exceptées, exclu, exclue, exclus, exclues, mis à part, mise à part, non compris, non comprise',
);
const WITH: ReadonlySet<string> = new Set(['with', 'con', 'mit', 'avec']);

/** "Ohio with Lake County removed", at the same offsets, with a sign for "without" in front of what is left out. */
function joinBehind(text: string): string {
  if (text.length > MOST_TAKEN_BACK) return text;
  const all = readWords(text);
  const count = [3, 2, 1].find((one) => one < all.length && phraseAt(all, all.length - one, LEFT_OUT) === one) ?? 0;
  const behind = all.length - count;
  const [before, end] = [all[behind - 1], all[behind]];
  if (count === 0 || !before || !end || /[,;:.()]/u.test(text.slice(before.to, end.from))) return text;
  for (let at = behind - 1; at > 0; at--) {
    const [word, previous] = [all[at], all[at - 1]];
    if (!word || !previous) return text;
    const gap = text.slice(previous.to, word.from);
    if (/[;:.()]/u.test(gap)) return text;
    const place = text.slice(word.from, before.to);
    if (gap.includes(',')) return `${text.slice(0, previous.to)}${LESS.padEnd(gap.length)}${place}`.padEnd(text.length);
    if (WITH.has(previous.folded))
      return `${text.slice(0, previous.from)}${LESS.padEnd(word.from - previous.from)}${place}`.padEnd(text.length);
  }
  return text;
}

/** A line that adds or leaves out by its sign, as in a difference of files, or by a check mark or a cross. */
const SIGNED_LINES = [
  { added: /^[^\S\n]*\+[^\S\n]/mu, all: /^[^\S\n]*([+−–-])[^\S\n]/gmu },
  { added: /^[^\S\n]*[✓✔☑✅]\uFE0F?[^\S\n]/mu, all: /^[^\S\n]*([✓✔☑✅✗✘✖❌]\uFE0F?)[^\S\n]/gmu },
];

/** A heading of what belongs to the area, and one of what does not. */
const YES_NO = /^\s*(?:yes|sí|si|ja|oui|in)\s?:(?=\s)([^:]*?)[\s.;,]\s*(?:no|nein|non|out)\s?:(?=\s)(?=[^:]*$)/iu;

/** "Yes: Utah; no: Salt Lake County" at the same offsets, with signs in place of the headings. */
function joinHeadings(text: string): string {
  const [whole = '', added = ''] = YES_NO.exec(text) ?? [];
  if (!/\p{L}/u.test(added)) return text;
  const from = whole.indexOf(':') + 1;
  const end = from + added.length;
  return `${LISTED.padEnd(from)}${added}${`${LESS}:`.padEnd(whole.length - end)}${text.slice(whole.length)}`;
}

/**
 * Lines that begin with "+" and then lines that begin with "-", at the same offsets, with a sign for "without" in front of the
 * first of the latter. A list with "-" alone has bullets. So are lines with check marks and crosses, and headings "yes" and "no".
 * @returns the offset of a line that adds behind one that leaves out, where there is one: nothing says to what it adds
 */
export function joinSignedLines(text: string): string | number {
  if (text.length > MOST_TAKEN_BACK) return text;
  const signs = SIGNED_LINES.find(({ added }) => added.test(text));
  if (signs === undefined) return joinHeadings(text);
  let isOut = false;
  let isFirst = true;
  let misplaced: number | null = null;
  const joined = text.replace(signs.all, (line: string, sign: string, at: number) => {
    const begins = isFirst;
    isFirst = false;
    if (/^[+✓✔☑✅]/u.test(sign)) {
      if (isOut) misplaced ??= at;
      return line.replace(sign, (begins ? '' : ';').padEnd(sign.length));
    }
    const written = line.replace(sign, (isOut ? ';' : LESS).padEnd(sign.length));
    isOut = true;
    return written;
  });
  return misplaced ?? joined;
}

/** Words in the longest second part. */
const MOST_WORDS = 3;

/** A word of a clause: its folded form, and the offsets of its first character and after its last. */
interface Word {
  readonly folded: string;
  readonly from: number;
  readonly to: number;
}

/**
 * A description with the word for without in place of a verb in two parts, so that all offsets stay: "Idaho, but please
 * leave Wyoming out" is "Idaho, less Wyoming".
 */
export function joinExclusions(text: string): string {
  let joined = joinBehind(text);
  for (const { 0: clause, index } of text.matchAll(/[^,;:.!?()]+/gu)) {
    const words = Array.from(clause.matchAll(/[\p{L}\p{M}\p{N}]+/gu), ({ 0: word, index: at }): Word => {
      const from = index + at;
      return { folded: foldName(word), from, to: from + word.length };
    });
    for (const one of VERBS) joined = withoutVerb(joined, words, one);
  }
  return joined;
}

/** The text without the verb, if the clause ends with its second part. */
function withoutVerb(text: string, words: readonly Word[], { courtesies, first, second, without }: Verb): string {
  const ending = words.slice(-MOST_WORDS).map(({ folded }) => folded);
  const end = second.find((phrase) => ending.join(' ') === phrase || ending.join(' ').endsWith(` ${phrase}`));
  if (end === undefined) return text;
  const behind = words.length - end.split(' ').length;
  const at = words.findLastIndex(({ folded }, i) => i < behind && first.has(folded));
  const isCourtesy = (i: number): boolean => courtesies.has(words[i]?.folded ?? '');
  let [from, left] = [at, at + 1];
  while (from > 0 && isCourtesy(from - 1)) from--;
  while (left < behind && isCourtesy(left)) left++;
  const [start, name, last, rest] = [words[from], words[left], words[behind - 1], words.at(-1)];
  if (at < 0 || left >= behind || !start || !name || !last || !rest) return text;
  return (
    text.slice(0, start.from) +
    without.padEnd(name.from - start.from) +
    text.slice(name.from, last.to) +
    ' '.repeat(rest.to - last.to) +
    text.slice(rest.to)
  );
}

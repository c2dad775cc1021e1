import { foldName } from '../names/fold.ts';

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
  let joined = text;
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

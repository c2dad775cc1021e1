import type { Token } from '../tokens.ts';
import { VOCABULARIES } from './languages.ts';
import type { Phrase, Vocabulary } from './vocabulary.ts';

/** The phrases of one language, then those of the others, the longest first. */
const joined = (own: readonly Phrase[], phrasesOf: (v: Vocabulary) => readonly Phrase[]): readonly Phrase[] => {
  const known = new Map(own.map((phrase) => [phrase.join(' '), phrase]));
  for (const v of VOCABULARIES)
    for (const phrase of phrasesOf(v)) if (!known.has(phrase.join(' '))) known.set(phrase.join(' '), phrase);
  return [...known.values()].toSorted((a, b) => b.length - a.length);
};

/**
 * Each vocabulary with the words of the others for levels, neighbors, articles and "of": "los counties de Utah". They are
 * tried where no language understands all words.
 */
export const MIXED: readonly Vocabulary[] = VOCABULARIES.map((v) => ({
  ...v,
  articles: joined(v.articles, ({ articles }) => articles),
  of: joined(v.of, ({ of }) => of.filter((phrase) => phrase.length < 3)),
  neighbors: joined(v.neighbors, ({ neighbors }) => neighbors),
  levels: new Map(
    [...v.levels].map(([level, { one, many }]) => [
      level,
      {
        one: joined(one, ({ levels }) => levels.get(level)?.one ?? []),
        many: joined(many, ({ levels }) => levels.get(level)?.many ?? []),
      },
    ]),
  ),
}));

/** Tokens of a description in which words of several languages are looked for. */
const MOST_TOKENS = 60;

const wordsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (value instanceof Map) return [...value.values()].flatMap(wordsIn);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(wordsIn);
  return [];
};
const firstWords = (phrases: readonly Phrase[]): readonly string[] => phrases.flatMap(([first]) => first ?? []);

/** By vocabulary, all its words, and those that begin a word for a level or for neighbors. */
const WORDS = VOCABULARIES.map((v) => ({
  all: new Set(wordsIn({ ...v, language: null, thousands: null })),
  levels: new Set([...v.levels.values()].flatMap(({ one, many }) => firstWords([...one, ...many]))),
  neighbors: new Set(firstWords(v.neighbors)),
}));

/**
 * The vocabularies of MIXED in which a description may be read: a word for a level or for neighbors is not of the language,
 * and another word is. None of a long description, or of one in a single language.
 */
export function mixedFor(tokens: readonly Token[]): readonly Vocabulary[] {
  const words = tokens.flatMap(({ sort, folded }) => (sort === 'word' ? folded : []));
  if (tokens.length > MOST_TOKENS) return [];
  return MIXED.filter((_, i) => {
    const own = WORDS[i];
    const isForeign = (word: string): boolean =>
      own?.all.has(word) === false && WORDS.some(({ levels, neighbors }) => levels.has(word) || neighbors.has(word));
    return words.some(isForeign) && words.some((word) => own?.all.has(word));
  });
}

import { list } from './phrases.ts';
import type { Phrase } from './vocabulary.ts';

// Words that compare boundaries with a place or with a number, in the four languages.

/** How a measure is compared. */
export type Comparison = 'more' | 'less' | 'at_least' | 'at_most';
export type Measure = 'area' | 'population';

/** The words of one language that compare. */
export interface ComparisonWords {
  /** In front of the words that compare: "that are", "with". */
  readonly before: readonly Phrase[];
  /** In front of `sizes`, of a bound or of a number: "with a population". What follows compares that measure. */
  readonly had: Readonly<Record<Measure, readonly Phrase[]>>;
  /** Behind `had`: "larger than". */
  readonly sizes: readonly (readonly [phrase: Phrase, is: Comparison])[];
  /** Words of each measure: a comparison with one of them is never of the other. */
  readonly words: Readonly<Record<Measure, readonly Phrase[]>>;
  /** Behind the place: "die größer als Teruel sind". */
  readonly after: readonly Phrase[];
  /** In front of the place: "larger than". The longest phrase counts. */
  readonly direct: readonly (readonly [phrase: Phrase, by: Measure, is: Comparison])[];
  /** "at least": in front of a multiple, of `equal`, or of a number. */
  readonly bounds: readonly (readonly [phrase: Phrase, is: Comparison])[];
  /** Multiples in a word or two: "twice". */
  readonly multiples: ReadonlyMap<string, number>;
  /** Behind a number: "3 times". */
  readonly times: readonly Phrase[];
  /** In front of the place, behind a bound: "as large as". */
  readonly equal: readonly (readonly [phrase: Phrase, by: Measure])[];
  /** "that of" in front of the place. */
  readonly that: readonly Phrase[];
  /** Behind the place or a number: "or more", "or less". */
  readonly orMore: readonly Phrase[];
  readonly orLess: readonly Phrase[];
  /** Between two filters that both hold: "but". */
  readonly but: readonly Phrase[];
}

/** The longest phrase first. */
const longestFirst = <Row extends readonly [Phrase, ...unknown[]]>(table: readonly Row[]): readonly Row[] =>
  table.toSorted(([a], [b]) => b.length - a.length);

/** Phrases that compare with the place behind them. */
export const directs = (table: readonly (readonly [string | readonly Phrase[], Measure, Comparison])[]) =>
  longestFirst(
    table.flatMap(([text, by, is]) =>
      (typeof text === 'string' ? list(text) : text).map((phrase) => [phrase, by, is] as const),
    ),
  );
/** Phrases that bound what is behind them, by how they compare. */
export const boundsOf = (table: Readonly<Record<Comparison, string>>) =>
  longestFirst(
    (Object.keys(table) as Comparison[]).flatMap((is) => list(table[is]).map((phrase) => [phrase, is] as const)),
  );
/** Phrases for an equal area, and for an equal population. */
export const equals = (area: readonly Phrase[], population: readonly Phrase[]) =>
  longestFirst([
    ...area.map((phrase) => [phrase, 'area'] as const),
    ...population.map((phrase) => [phrase, 'population'] as const),
  ]);

import type { Language } from '../../../common/languages.ts';
import type { Direction, LevelWord } from '../algebra.ts';

export { LANGUAGES, type Language } from '../../../common/languages.ts';

/** A phrase as folded words. */
export type Phrase = readonly string[];

/** The words before and after an argument: German puts the verb at the end. */
export interface Around {
  readonly before: Phrase;
  readonly after: readonly Phrase[];
}

/** The grammar words of one language, by meaning. */
export interface Vocabulary {
  readonly language: Language;
  /** The thousands separator; the other sign is the decimal separator. */
  readonly thousands: ',' | '.';
  readonly and: readonly Phrase[];
  readonly or: readonly Phrase[];
  /** "and" after "without": "sans A ni B". */
  readonly nor: readonly Phrase[];
  /** "and" in front of "its": "Vaduz with its neighbors". */
  readonly alongWith: readonly Phrase[];
  readonly both: readonly Phrase[];
  /** In front of a list with "or": "either Austria or Italy". */
  readonly either: readonly Phrase[];
  /** "and" behind `both`: "tanto Galicia como Asturias". */
  readonly bothAnd: readonly Phrase[];
  readonly without: readonly Phrase[];
  /** "without" behind a sign: "Texas. Not Harris County". */
  readonly not: readonly Phrase[];
  /** In front of a list of what belongs to the area. */
  readonly include: readonly Phrase[];
  readonly articles: readonly Phrase[];
  readonly of: readonly Phrase[];
  readonly inside: readonly Phrase[];
  /** In front of a place: the whole of it. */
  readonly whole: readonly Phrase[];
  /** In front of a level in the plural, and in the singular. */
  readonly all: readonly Phrase[];
  readonly each: readonly Phrase[];
  readonly levels: ReadonlyMap<LevelWord, { readonly one: readonly Phrase[]; readonly many: readonly Phrase[] }>;
  /** Before a name (`cityOf`) or after it (`city`): the municipality is meant. */
  readonly cityOf: readonly Phrase[];
  readonly city: readonly Phrase[];
  /** In front of several names: municipalities are meant. */
  readonly citiesOf: readonly Phrase[];
  /** In front of a name: one of the places mentioned before. */
  readonly thatOf: readonly Phrase[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly factors: ReadonlyMap<string, number>;
  readonly largest: readonly Phrase[];
  readonly smallest: readonly Phrase[];
  readonly mostPeople: readonly Phrase[];
  readonly leastPeople: readonly Phrase[];
  readonly byArea: readonly Phrase[];
  readonly byPopulation: readonly Phrase[];
  readonly top: readonly Phrase[];
  /** "with more than N people": the words before the number. */
  readonly morePeople: readonly Phrase[];
  readonly lessPeople: readonly Phrase[];
  readonly people: readonly Phrase[];
  readonly morePopulation: readonly Phrase[];
  readonly lessPopulation: readonly Phrase[];
  readonly moreArea: readonly Phrase[];
  readonly lessArea: readonly Phrase[];
  readonly km2: readonly Phrase[];
  readonly miles2: readonly Phrase[];
  readonly starts: readonly Phrase[];
  readonly ends: readonly Phrase[];
  readonly contains: readonly Phrase[];
  readonly called: readonly Phrase[];
  /** The same around the letters: "die mit M anfangen". */
  readonly startsAround: readonly Around[];
  readonly containsAround: readonly Around[];
  readonly endsAround: readonly Around[];
  /** In front of a letter: "the letter M". */
  readonly letter: readonly Phrase[];
  /** In front of two numbers: "between 500 and 1,000 km2". */
  readonly between: readonly Phrase[];
  /** In front of two numbers with `to` between them: "with 500 to 1,000 km2". */
  readonly ranging: readonly Phrase[];
  readonly to: readonly Phrase[];
  readonly neighbors: readonly Phrase[];
  /** One neighbor, which is checked to be the only one: "Portugal's only neighbor". */
  readonly onlyNeighbor: readonly Phrase[];
  /** In front of a level, followed by `of`; `neighborLevels` has both in one word. */
  readonly neighboring: readonly Phrase[];
  readonly neighborLevels: ReadonlyMap<LevelWord, readonly Phrase[]>;
  readonly border: readonly Around[];
  readonly onBorder: readonly Around[];
  /** A question for neighbors, in front of a place: "what borders Andorra". */
  readonly whatBorders: readonly Phrase[];
  /** "that do not border", in front of a place. */
  readonly offBorder: readonly Around[];
  /** Before a filter, behind "without": those of the set. */
  readonly those: readonly Phrase[];
  /** Behind "and", in front of a filter or as its first word: "and which touch Portugal". */
  readonly relative: readonly Phrase[];
  /** In front of a correction, or of `not` behind a sign: "Iowa and Ohio. Sorry, not Ohio". */
  readonly hesitations: readonly Phrase[];
  /** Of `without`: those that may negate the verb before them: "that border Kansas but not Nebraska". */
  readonly butNot: readonly Phrase[];
  readonly within: readonly Around[];
  /** Between the distance and the place. */
  readonly from: readonly Phrase[];
  readonly units: ReadonlyMap<string, number>;
  /** Between a distance and a place: "10 km around Vaduz". */
  readonly around: readonly Phrase[];
  readonly indefinite: readonly Phrase[];
  /** Behind a distance, or in front of it: "a 20 km buffer", "a radius of 20 km". */
  readonly zone: readonly Phrase[];
  readonly everything: readonly Phrase[];
  readonly containing: readonly Around[];
  readonly capital: readonly Phrase[];
  /** Before the name of an area of the organization's own: "our". */
  readonly our: readonly Phrase[];
  readonly its: readonly Phrase[];
  readonly their: readonly Phrase[];
  readonly it: readonly Phrase[];
  readonly them: readonly Phrase[];
  readonly parts: readonly Phrase[];
  readonly intersection: readonly Phrase[];
  readonly difference: readonly Phrase[];
  /** Between a place and a distance: "Lesotho buffered by 30 km". */
  readonly widened: readonly Phrase[];
  /** "the north", "in the north". */
  readonly sides: ReadonlyMap<Direction, readonly Phrase[]>;
  /** "northern". */
  readonly sided: ReadonlyMap<Direction, readonly Phrase[]>;
  /** After a place: "that is north", with "of" and another place behind it. */
  readonly beyond: ReadonlyMap<Direction, readonly Phrase[]>;
  /** Next to a level: "coastal", "landlocked"; `coastLevels` and `inlandLevels` have both in one word. */
  readonly coastal: readonly Phrase[];
  readonly landlocked: readonly Phrase[];
  readonly coastLevels: ReadonlyMap<LevelWord, readonly Phrase[]>;
  readonly inlandLevels: ReadonlyMap<LevelWord, readonly Phrase[]>;
  /** All boundaries of a level, as what a map has: "county map". */
  readonly mapLevels: ReadonlyMap<LevelWord, readonly Phrase[]>;
  /** After a set: "on the coast", "without a coast". */
  readonly onCoast: readonly Phrase[];
  readonly offCoast: readonly Phrase[];
  readonly half: readonly Phrase[];
  readonly quarter: readonly Phrase[];
}

/** Returns the function words of a language ("and", "the", "of", "its"): a lone one is grammar, not a name. */
export const smallWords = (v: Vocabulary): readonly Phrase[] =>
  [
    v.and,
    v.or,
    v.without,
    v.articles,
    v.of,
    v.all,
    v.each,
    v.our,
    v.its,
    v.their,
    v.it,
    v.them,
    v.both,
    v.either,
    v.inside,
  ].flat();

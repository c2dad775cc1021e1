import { defined } from '../../common/elements.ts';
import { foldName } from '../names/fold.ts';
import { groupNames } from '../names/groups.ts';
import { isPlaceCode, otherNamesOf } from '../names/place_names.ts';
import type { AreaPlan, Step } from './algebra.ts';
import { clip } from './description_error.ts';
import { withoutLetter } from './letters.ts';
import { withoutRequest } from './requests.ts';
import { restrictionsIn } from './restricting.ts';
import { foldsOf, isSmall, type Lexicon, spansFrom } from './spans.ts';
import { MAX_TOKENS, type Token, tokensOf } from './tokens.ts';
import { ADJECTIVES } from './vocabulary/adjectives.ts';
import { GRAMMAR_WORDS, VOCABULARIES } from './vocabulary/languages.ts';
import { NUMBER_WORDS } from './vocabulary/number_words.ts';
import { LANGUAGES } from './vocabulary/vocabulary.ts';

/** Tokens of a description, first and last. */
type Span = readonly [first: number, last: number];

/** Letters by which the end of a name may differ from its form in a dictionary: "Bayerns", "Californian". */
const ENDING = 2;
/** Letters that the two have in common at least. */
const STEM = 4;
/** Words that are said to be in no step of a plan. */
const MOST_BESIDE = 12;
/** Letters of a word in lower case that may be a name. */
const SHORTEST = 3;

const single = (key: 'and' | 'or' | 'nor' | 'without' | 'of' | 'inside' | 'articles'): ReadonlySet<string> =>
  new Set(VOCABULARIES.flatMap((one) => one[key].flatMap((phrase) => (phrase.length === 1 ? phrase : []))));
const ARTICLES = single('articles');
/** With these begins a sentence that leaves out, whose verb also asks: "we do not need". */
const SPEAKERS: ReadonlySet<string> = new Set(['we', 'i', 'they', 'wir', 'nous', 'on']);
/** What two places have between them. */
const BETWEEN: ReadonlySet<string> = new Set([
  ...single('and'),
  ...single('or'),
  ...single('nor'),
  ...VOCABULARIES.flatMap(({ without }) =>
    without.flatMap((phrase) => (SPEAKERS.has(phrase[0] ?? '') ? [] : phrase.slice(-1))),
  ),
]);
const BEFORE_A_PLACE: ReadonlySet<string> = new Set([',', ';', '(', ...BETWEEN, ...single('of'), ...single('inside')]);
/** Words of German, in which every noun has a capital. */
const GERMAN: ReadonlySet<string> = new Set(['und', 'ohne', 'der', 'dem', 'ausser', 'im', 'mit']);

/** Steps that choose nothing among their boundaries and take nothing out of them. */
const PLAIN: ReadonlySet<Step['op']> = new Set(['place', 'group', 'children', 'union']);
/** The words that numbers are written with. */
const IN_NUMBERS: ReadonlySet<string> = new Set(
  Object.values(NUMBER_WORDS).flatMap((numbers) => [...numbers.keys()].flatMap((number) => number.split(' '))),
);

/**
 * Returns how a plan differs from what a description says, or null: a place that the plan drops, one that the description
 * does not contain, words that choose (numbers, exclusions, borders, directions and the like) where no step of the plan
 * does, or a distance or a limit where no number is written. What is a name is decided by the lexicon, capitals and position, so that a name that is not known counts too.
 */
export function findUnfaithful(plan: AreaPlan, given: string, lexicon: Pick<Lexicon, 'has'>): string | null {
  const description = withoutRequest(withoutLetter(given));
  const tokens = tokensOf(description).slice(0, MAX_TOKENS);
  const { used, added } = namesUsed(plan, description, tokens, lexicon);
  if (added !== null) return `"${clip(added)}" is not in the description: write names as it does`;
  for (const [first, last] of placesNamed(description, tokens, lexicon)) {
    if (tokens.slice(first, last + 1).some((_, i) => used.has(first + i))) continue;
    const dropped = description.slice(defined(tokens[first]).from, defined(tokens[last]).to);
    return `the description names "${clip(dropped)}", and the plan does not`;
  }
  if (plan.steps.every(({ op }) => PLAIN.has(op))) return choiceDropped(description, tokens, used);
  const isCounted = tokens.some(({ sort, folded }) => sort === 'number' || IN_NUMBERS.has(folded));
  const invented = isCounted ? undefined : plan.steps.find((step) => 'km' in step || 'than' in step);
  return invented ? `the description has no number, and the step "${invented.op}" has one` : null;
}

/**
 * The words of a description that are not in the names in a plan, in the request around it or in the grammars: what a
 * model may have left out. At most some.
 */
export function wordsBeside(plan: AreaPlan, given: string, lexicon: Pick<Lexicon, 'has'>): string[] {
  const description = withoutRequest(withoutLetter(given));
  const tokens = tokensOf(description).slice(0, MAX_TOKENS);
  const { used } = namesUsed(plan, description, tokens, lexicon);
  const beside = tokens.filter(({ sort, folded }, i) => sort === 'word' && !used.has(i) && !GRAMMAR_WORDS.has(folded));
  return [...new Set(beside.map(({ text }) => text))].slice(0, MOST_BESIDE);
}

/** The tokens that the names in a plan are made of, and the first name that the description does not have. */
function namesUsed(plan: AreaPlan, text: string, tokens: readonly Token[], lexicon: Pick<Lexicon, 'has'>) {
  const used = new Set<number>();
  let added: string | null = null;
  for (const name of namesIn(plan)) {
    const spans = name.flatMap((form) => occurrences(form, text, tokens, lexicon));
    if (spans.length === 0) added ??= defined(name[0]);
    for (const [first, last] of spans) for (let i = first; i <= last; i++) used.add(i);
  }
  return { used, added };
}

/** The first words that choose and are not in the names used, said as what a plan without a choice lacks; null without any. */
function choiceDropped(description: string, tokens: readonly Token[], used: ReadonlySet<number>): string | null {
  const isName = (from: number, to: number) =>
    tokens.every((token, i) => token.to <= from || token.from >= to || used.has(i));
  const dropped = restrictionsIn(description, false).find(({ from, to }) => !isName(from, to));
  if (!dropped) return null;
  return `the description says "${clip(description.slice(dropped.from, dropped.to))}", and no step of the plan does`;
}

/** The names in a plan, each with its other forms. */
function namesIn({ steps }: AreaPlan): string[][] {
  return steps.flatMap((step) => {
    if (step.op === 'group') return [groupNames(step.name)];
    if (step.op === 'named') return [[step.text]];
    return step.op === 'place' ? [step.name, step.within].flatMap((name) => (name === undefined ? [] : [[name]])) : [];
  });
}

/** Where a name is in a description, also inflected, or inside of a word in a script without blanks. */
function occurrences(name: string, text: string, tokens: readonly Token[], lexicon: Pick<Lexicon, 'has'>): Span[] {
  const wanted = foldName(name);
  if (wanted === '') return [];
  const found: Span[] = [];
  const isSpaced = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N} ]+$/u.test(wanted);
  for (let first = 0; first < tokens.length; first++) {
    for (const last of spansFrom(tokens, first)) {
      // "and" is Andorra's code, and "in" Indiana's.
      if (first === last && isSmall(defined(tokens[first])) && (wanted === 'and' || isPlaceCode(wanted))) continue;
      const folded = foldName(text.slice(defined(tokens[first]).from, defined(tokens[last]).to));
      const forms = [folded, ...foldsOf(text, tokens, first, last)];
      const isSame = forms.includes(wanted) || (!isSpaced && folded.includes(wanted));
      // A known name is itself, and no form of another: Nigeria is not Niger.
      const isAdjective = first === last && countriesOf(folded).has(wanted);
      if (isSame || isAdjective || (!forms.some((form) => lexicon.has(form)) && isInflected(folded, wanted)))
        found.push([first, last]);
    }
  }
  return found;
}

/** The names, folded, of the countries or divisions that an adjective means: "Spanish" is Spain, España, Spanien and Espagne. */
function countriesOf(folded: string): ReadonlySet<string> {
  const codes = LANGUAGES.flatMap((language) => ADJECTIVES[language].get(folded) ?? []);
  return new Set(
    codes.flatMap((code) =>
      (code.length > 2 ? otherNamesOf(code) : COUNTRY_NAMES.map((names) => names.of(code) ?? code)).map(foldName),
    ),
  );
}

const COUNTRY_NAMES = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region' }));

function isInflected(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  return same >= STEM && one.length - same <= ENDING && other.length - same <= ENDING;
}

/** The words of a description that name a place. */
function* placesNamed(text: string, tokens: readonly Token[], lexicon: Pick<Lexicon, 'has'>): Generator<Span> {
  const isGerman = tokens.some(({ folded }) => GERMAN.has(folded));
  const isWord = (i: number) => tokens[i]?.sort === 'word';
  const hasCapital = (i: number) => /^\p{Lu}/u.test(defined(tokens[i]).text);
  const isGrammar = (i: number) => GRAMMAR_WORDS.has(defined(tokens[i]).folded);
  for (let i = 0; i < tokens.length; i++) {
    if (!isWord(i)) continue;
    const known = spansFrom(tokens, i).find((last) => foldsOf(text, tokens, i, last).some((form) => lexicon.has(form)));
    const before = i === 0 ? null : defined(tokens[i - 1]);
    const follows = before !== null && BEFORE_A_PLACE.has(before.folded);
    const article = before !== null && ARTICLES.has(before.folded) && BEFORE_A_PLACE.has(tokens[i - 2]?.folded ?? '');
    const isAlone = known === i && isGrammar(i);
    if (known !== undefined && !isAlone && (hasCapital(i) || follows || article)) {
      yield [i, known];
      i = known;
    } else if (isGrammar(i)) continue;
    else if (hasCapital(i)) {
      let last = i;
      while (isWord(last + 1) && hasCapital(last + 1) && !isGrammar(last + 1)) last++;
      const after = tokens[last + 1]?.folded ?? ',';
      const isStart = before === null || /[.!?:]/.test(before.folded);
      const isName = isStart ? BETWEEN.has(after) || /[,;)]/.test(after) : !isGerman || follows || article;
      if (isName) yield [i, last];
      i = last;
    } else if (before !== null && defined(tokens[i]).text.length >= SHORTEST) {
      if (BETWEEN.has(before.folded)) yield [i, i];
    }
  }
}

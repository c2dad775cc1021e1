import { foldName } from '../names/fold.ts';
import type { Expression } from './algebra.ts';
import { clip, DescriptionError } from './description_error.ts';
import { tokensOf } from './tokens.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';
import { type Language, smallWords } from './vocabulary/vocabulary.ts';
import { type Sentence, said } from './wording/said.ts';

/** Countries, and states and counties of the United States, that have the name of a river, in the four languages. */
const RIVERS: ReadonlySet<string> = new Set(
  (
    'alabama,arkansas,colorado,connecticut,delaware,illinois,iowa,kansas,kentucky,minnesota,mississippi,missouri,ohio,' +
    'tennessee,wisconsin,misisipi,misuri,niger,senegal,jordan,paraguay,uruguay,allegheny,androscoggin,big horn,brazos,' +
    'chattahoochee,cumberland,cuyahoga,guadalupe,humboldt,kennebec,merrimack,nueces,osage,penobscot,platte,rappahannock,' +
    'red river,republican,rio grande,sacramento,san joaquin,scioto,susquehanna,suwannee,wabash,washita,yellowstone'
  )
    .split(',')
    .map(foldName),
);
/** Of those, countries that German and French write with an article as well. */
const WITH_ARTICLE: ReadonlySet<string> = new Set(['niger', 'senegal', 'paraguay', 'uruguay']);
/** Articles, also joined with a preposition. */
const ARTICLES: ReadonlySet<string> = new Set('the der des dem den vom am zum beim el del al le du au'.split(' '));
const GERMAN_VERBS: ReadonlySet<string> = new Set(
  'grenzen grenzt angrenzen angrenzt liegen liegt stoßen stoßt anliegen beruhren beruhrt'.split(' ').map(foldName),
);
const SMALL: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap((one) => smallWords(one).flatMap((phrase) => (phrase.length === 1 ? phrase : []))),
);

/**
 * Looks for a river among the places of a description: "the Mississippi", which no state is called in English and German.
 * Returns a sentence for each that its language writes as the place, too: "le Colorado".
 * @throws DescriptionError for a river
 */
export function checkRivers(text: string, expression: Expression, language: Language): Sentence[] {
  const tokens = tokensOf(text);
  const choices = new Map<string, Sentence>();
  for (const { name, from, to } of placesOf(expression)) {
    if (!RIVERS.has(foldName(name))) continue;
    const [first = ''] = foldName(name).split(' ');
    const at = tokens.findLastIndex((one) => one.from >= from && one.to <= to && one.folded === first);
    const [article, after] = [tokens[at - 1]?.folded ?? '', tokens[at + foldName(name).split(' ').length]];
    // "the Ohio counties" are not at a river; in German a verb ends: "die an den Missouri grenzen".
    const isEnd =
      after === undefined ||
      after.sort === 'sign' ||
      (after.glue === '' && (SMALL.has(after.folded) || (language === 'de' && GERMAN_VERBS.has(after.folded))));
    if (at < 0 || !isEnd || !ARTICLES.has(article)) continue;
    const written = `${tokens[at - 1]?.text} ${name}`;
    if (language === 'en' || (language === 'de' && !WITH_ARTICLE.has(foldName(name))))
      throw new DescriptionError(
        said`"${clip(written)}" is a river, and no rivers are stored. For the place of that name, write "${clip(name)}" without an article.`,
        { text: written, from: tokens[at - 1]?.from ?? from, to },
      );
    choices.set(written, said`"${clip(written)}" is read as the state or country, not as the river`);
  }
  return [...choices.values()];
}

/** The places by name in an expression, without a level and without what contains them. */
function* placesOf(value: unknown): Generator<{ readonly name: string; readonly from: number; readonly to: number }> {
  if (typeof value !== 'object' || value === null) return;
  const one = value as Partial<Extract<Expression, { op: 'place' }>>;
  if (one.op === 'place') {
    const isBare = one.name !== undefined && one.level === undefined && one.within === undefined;
    if (isBare && one.words) yield { name: one.name as string, from: one.words.from, to: one.words.to };
    return;
  }
  for (const part of Object.values(value)) yield* placesOf(part);
}

import type { Kind } from '../../core/schemas.ts';
import { foldName } from '../names/fold.ts';
import { FUZZY_STEP } from '../search/candidates.ts';
import { isNoPlace, mayBeNoValue, saysNothing } from './abbreviated.ts';
import { shortCode } from './code_forms.ts';
import { levelsOf } from './decision.ts';
import { isDirection } from './directions.ts';
import { type Candidate, type Decision, type MatchedRow, MOST_CANDIDATES, type PlaceRow } from './match_rows.ts';
import { WITH_SCHEME } from './places_around.ts';
import type { Required } from './required.ts';

const COUNTRY_LEVEL = 2;
const FIRST_LEVELS = 4;

/** A row with what it may mean. */
export interface Asked {
  readonly row: PlaceRow;
  readonly required: Required;
  /** Fitting candidates of its code; null: it has no code. */
  readonly coded: readonly Candidate[] | null;
  named: readonly Candidate[];
}

/** Whether a candidate fits all words, and is where the column says. */
export function isInColumn({ boundary, partial }: Candidate, { country, adminLevel, within }: Decision): boolean {
  if (partial) return false;
  if (country !== null && !boundary.countries.includes(country)) return false;
  if (adminLevel !== null && !levelsOf(boundary).includes(adminLevel)) return false;
  return within === null || boundary.parents.some(({ id }) => id === within.id);
}

/** Whether a row has no candidate that its code or the column says, so that other readings and typos are looked up. */
export function needsMore({ row, coded, named }: Asked, decision: Decision): boolean {
  if (saysNothing(row.name) || isNoPlace(row.name)) return false;
  return coded?.length ? alike(coded, named).length === 0 : !named.some((one) => isInColumn(one, decision));
}

/** Candidates of a code that the name of the row means too. */
export function alike(coded: readonly Candidate[], named: readonly Candidate[]): readonly Candidate[] {
  const ids = new Set(named.filter(({ partial }) => !partial).map(({ boundary }) => boundary.id));
  return coded.filter(({ boundary }) => ids.has(boundary.id));
}

/** How sure a match is: fixed figures, from what was wrong at most in the tests of tables. */
const CONFIDENCE = { code: 1, exact: 1, alias: 0.95, typo: 0.85 } as const;
/** Factors: the column decided; two typos; a code and a name that do not agree. */
const BY_COLUMN = 0.95;
const TWO_TYPOS = 0.8;

/** A row with its boundary; `others` are listed as candidates. */
export const found = (
  { boundary, match, step }: Candidate,
  others: readonly Candidate[],
  decidedBy: MatchedRow['decidedBy'],
): MatchedRow => {
  const typos = match === 'typo' && step >= FUZZY_STEP + 0.2 ? TWO_TYPOS : 1;
  const confidence = CONFIDENCE[match] * typos * (decidedBy === null ? 1 : BY_COLUMN);
  return {
    match,
    boundary,
    confidence: Math.round(confidence * 100) / 100,
    candidates: listed(others, boundary.id),
    decidedBy,
  };
};

/** Candidates as a row lists them: each boundary once, without `but`, at most MOST_CANDIDATES. */
export const listed = (some: readonly Candidate[], but = ''): MatchedRow['candidates'] =>
  some
    .map(({ boundary }) => boundary)
    .filter(({ id }, i, all) => id !== but && all.findIndex((one) => one.id === id) === i)
    .slice(0, MOST_CANDIDATES);

/** What settle() decides; `tied`: the candidates that only a language may tell apart. */
type Settled = MatchedRow & { readonly tied?: readonly Candidate[] };

const ambiguous = (some: readonly Candidate[], tied?: readonly Candidate[]): Settled => ({
  ...{ match: 'ambiguous', boundary: null, confidence: 0, decidedBy: null },
  candidates: listed(some),
  ...(tied && { tied }),
});

export const NOT_FOUND: MatchedRow = {
  match: 'not_found',
  boundary: null,
  confidence: 0,
  candidates: [],
  decidedBy: null,
};

/**
 * The candidates of the closest kind of match: whole names, names without type words, one typo, two typos.
 * @param ownFirst whether a name comes before an alias
 */
function closest(some: readonly Candidate[], ownFirst = false): readonly Candidate[] {
  const classOf = ({ step, match }: Candidate): number => {
    if (step >= FUZZY_STEP) return Math.floor(step * 10);
    return step >= 1 ? 2 : ownFirst && match === 'alias' ? 1 : 0;
  };
  const best = Math.min(...some.map(classOf));
  return some.filter((one) => classOf(one) === best);
}

/**
 * Whether a code says its place without more: it has its scheme or its country, or is its ISO 3166-2 code. Others, such as 1001 or FRA,
 * are those of several countries, and some that are meant may not be stored.
 */
function isClear(code: string, { boundary }: Candidate): boolean {
  const isInCountry = boundary.country !== null && shortCode(code)?.country === boundary.country;
  return isInCountry || WITH_SCHEME.test(code) || foldName(code) === foldName(boundary.iso ?? '');
}

/** Whether the rows, or what a row says of its place, leave one country, or are countries. */
const isPlaced = ({ country, adminLevel }: Decision, { around }: Required): boolean =>
  country !== null || adminLevel === COUNTRY_LEVEL || around.length > 0;

/** Letters from which a name with a typo is not another word: among 30,000 communes, "Other" is near to Othe. */
const TYPO_FROM = 7;
const isShort = (name: string): boolean => foldName(name).replaceAll(' ', '').length < TYPO_FROM;

/** Whether a row is one of few places: of a country's first levels, or inside of something in a country. */
const isNarrow = ({ adminLevel, within }: Decision, { around }: Required): boolean =>
  within !== null ||
  (adminLevel !== null && adminLevel <= FIRST_LEVELS) ||
  around.flat().some(({ country }) => country === null);

/** Whether a row may be a part of any country: "North" among sales regions. It is a province where something says its country. */
export const mayBePart = ({ row, coded, required }: Asked): boolean =>
  !coded?.length && required.around.length === 0 && isDirection(row.name);

/** Whether a text may be a code or an abbreviation, which may mean anything: names in ideographs are as short. */
export const mayBeCode = (name: string): boolean => /^[a-z\d]{0,3}$/.test(foldName(name).replaceAll(' ', ''));

/** What decides for the rows of a column. */
export interface Deciding {
  readonly decision: Decision;
  /** Whether the other rows of the column decide. */
  readonly whole: boolean;
  readonly kinds: readonly Kind[];
  /** Ids of places around rows that have rows of their own, as totals (placesWithTotals). */
  readonly totals: ReadonlySet<string>;
  /** Whether most rows have codes in place of names. */
  readonly hasCodes: boolean;
  /** Whether most rows are as short as codes, known or not. */
  readonly areShort: boolean;
  /** Whether the column may have no names of places, so that one alone is none. */
  readonly isDoubtful: boolean;
  /** Whether most rows are found as the place that they name around them, so that those inside of it are not stored. */
  readonly areAround: boolean;
}

/** Whether a candidate is a place that the row names around it, or has its name where no such place is stored. */
export const isAround = ({ boundary }: Candidate, { row, required: { around } }: Asked): boolean =>
  around.flat().some(({ id, about }) => id === boundary.id || (about !== undefined && isNamedAround(row)));
const isNamedAround = ({ name, within }: PlaceRow): boolean => within.map(foldName).includes(foldName(name));

/** Decides one row. */
export function settle(asked: Asked, deciding: Deciding): Settled {
  return asked.coded?.length ? settleCoded(asked, asked.coded, deciding) : settleNamed(asked, deciding);
}

function settleCoded(asked: Asked, coded: readonly Candidate[], deciding: Deciding): Settled {
  const { row, named, required } = asked;
  const { decision, whole } = deciding;
  const both = alike(coded, named);
  // Teams have codes of their own: POR beside Portugal, in a column of countries, is not Portsmouth.
  const isForeign = (one: Candidate): boolean => !isInColumn(one, decision) && !isClear(row.code.trim(), one);
  if (both.length === 0 && whole && decision.adminLevel === COUNTRY_LEVEL && coded.every(isForeign)) {
    return settleNamed(asked, deciding);
  }
  // A name that says another place than the code, or none that is known, is a mistake in one of them.
  if (both.length === 0 && row.name.trim() !== '') return ambiguous([...coded, ...named]);
  const code = row.code.trim();
  const inside = coded.filter((one) => isInColumn(one, decision));
  // Countries use the same codes: alone, one of another country than all other rows is not guessed.
  const likely = coded.filter(
    ({ boundary }) =>
      WITH_SCHEME.test(code) || decision.country === null || boundary.countries.includes(decision.country),
  );
  const bothInside = both.filter((one) => inside.includes(one));
  const [some = likely] = [bothInside, both, inside].filter(({ length }) => length > 0);
  const [one, ...more] = nearest(some);
  if (one === undefined || more.length > 0) return ambiguous([...coded, ...named]);
  if (both.length === 0 && whole && !isClear(code, one) && !isPlaced(decision, required)) return ambiguous(coded);
  return found(one, coded, coded.length > 1 && both.length === 0 ? 'column' : null);
}

/** Those with the smallest step: a code as it is written comes before one with zeros in front. */
function nearest(some: readonly Candidate[]): readonly Candidate[] {
  const least = Math.min(...some.map(({ step }) => step));
  return some.filter(({ step }) => step === least);
}

function settleNamed(asked: Asked, deciding: Deciding): Settled {
  const { row, named, required } = asked;
  const { decision, whole, kinds, totals, hasCodes, isDoubtful } = deciding;
  if (named.length === 0) return NOT_FOUND;
  if (required.unknown.length > 0) return ambiguous(named);
  if (mayBePart(asked) && decision.country === null && decision.adminLevel !== COUNTRY_LEVEL) return ambiguous(named);
  const inside = named.filter((one) => isInColumn(one, decision));
  if (isDoubtful && required.around.length === 0) return ambiguous(named);
  // What lies elsewhere than all other rows is not guessed.
  if (inside.length === 0) return ambiguous(named);
  // "New York" among counties, with rows of states: the county, or the total of the state.
  if (named.some(({ boundary, step }) => step < 1 && totals.has(boundary.id))) return ambiguous(named);
  // "AO" among codes is Angola, and no name of Austria in another language.
  const ofCode = hasCodes ? inside.filter(({ boundary }) => foldName(boundary.iso ?? '') === foldName(row.name)) : [];
  const near = closest(ofCode.length > 0 ? ofCode : inside, decision.adminLevel !== null);
  // The word of a row says more than that of its column.
  const [kind] = required.kinds.length > 0 ? required.kinds : kinds;
  const ofKind = kind === undefined ? [] : near.filter(({ boundary }) => boundary.kind === kind);
  const [one, ...more] = ofKind.length > 0 ? ofKind : near;
  if (one === undefined || more.length > 0) return ambiguous([...near, ...named], near);
  if (deciding.areAround && isAround(one, asked)) return ambiguous(named);
  // A typo inside of the column is not surer than a whole name outside of it.
  if (one.match === 'typo' && closest(named)[0]?.match !== 'typo') return ambiguous(named);
  if (one.match === 'typo' && isShort(row.name) && !isNarrow(decision, required)) return ambiguous(named);
  // "NA" beside names is where there is no value, beside codes Namibia.
  if (one.match === 'code' && mayBeNoValue(row.name) && !hasCodes) return ambiguous(named);
  // "MAS" among codes of teams does not mean a commune.
  const isWord = deciding.areShort && one.match !== 'code' && mayBeCode(row.name);
  const isLoose = isWord || one.match === 'typo' || (one.match === 'code' && !isClear(row.name.trim(), one));
  if (whole && isLoose && !isPlaced(decision, required)) return ambiguous(named);
  const alone = closest(named);
  return found(one, named, alone.length > 1 ? 'column' : null);
}

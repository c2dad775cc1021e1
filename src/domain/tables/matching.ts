import { KINDS } from '../../common/kinds.ts';
import { Turns } from '../../common/turns.ts';
import type { Kind } from '../../core/schemas.ts';
import { foldName } from '../names/fold.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';
import { FUZZY_STEP } from '../search/candidates.ts';
import { type CandidateSource, fits, type Required, WITH_SCHEME } from './candidates.ts';
import { decide } from './decision.ts';
import { languageOf, spokenAs } from './language.ts';
import {
  type Candidate,
  type Decision,
  type MatchedRow,
  type MatchFilters,
  MOST_CANDIDATES,
  type PlaceRow,
  UNDECIDED,
} from './match_rows.ts';
import { withoutNotes } from './notes.ts';

/** Rows whose whole names are looked up together. */
const CHUNK = 200;
/** What a lookup of a reading or of a slip counts for, in elements of a turn: some milliseconds. */
const LOOKUP = 400;

/** Looks up candidates in the whole data, or in that of a country and level that the column decided. */
export type SourceFor = (filters: Pick<MatchFilters, 'country' | 'adminLevel'>) => CandidateSource;

export interface Matching {
  readonly rows: readonly PlaceRow[];
  readonly filters: MatchFilters;
  /** Kinds that the name of the column means; they decide only where names are alike. */
  readonly kinds: readonly Kind[];
  /** Whether the column decides for ambiguous rows. */
  readonly whole: boolean;
  /** A language that the caller says the names are in. */
  readonly language?: string;
  /** For each row the canonical id that its organization has corrected it to, or null; absent: none has one. */
  readonly corrections?: readonly (string | null)[];
  readonly signal?: AbortSignal;
  readonly progress?: (done: number) => void;
}

export interface Matched {
  readonly decision: Decision;
  /** In the order of the rows. */
  readonly rows: readonly MatchedRow[];
}

/** A row with what it may mean. */
interface Asked {
  readonly row: PlaceRow;
  readonly required: Required;
  /** Fitting candidates of its code; null: it has no code. */
  readonly coded: readonly Candidate[] | null;
  named: readonly Candidate[];
}

const WORD_LEVEL = /^\d{1,2}$/;

/** What a row's word for its type asks for. */
export function typeOf(text: string): { readonly adminLevel: number | null; readonly kinds: readonly Kind[] } {
  const folded = foldName(text);
  if (folded === '') return { adminLevel: null, kinds: [] };
  if (WORD_LEVEL.test(folded)) return { adminLevel: Number(folded), kinds: [] };
  const own = KINDS.find((kind) => foldName(kind) === folded);
  return { adminLevel: null, kinds: own === undefined ? kindsOfTypeWords(folded) : [own] };
}

/**
 * Matches the distinct rows of a table with boundaries. All rows are read first: the country, the level and the place
 * that nearly all of them are in decide for those that are ambiguous alone (decision.ts). A row is matched only if one
 * boundary is left; all else is `ambiguous` or `not_found`. Shares the main thread.
 * @throws the reason of the signal
 */
export async function matchRows(sourceFor: SourceFor, matching: Matching): Promise<Matched> {
  const { rows, filters, signal } = matching;
  const everywhere = sourceFor({});
  const turns = new Turns(signal);
  const asked: Asked[] = [];
  for (let from = 0; from < rows.length; from += CHUNK) {
    const { some, named } = await namedAs(everywhere, rows.slice(from, from + CHUNK));
    for (const [i, row] of some.entries()) {
      const required = await requiredOf(everywhere, row, filters);
      const fitting = (list: readonly Candidate[]) => list.filter(({ boundary }) => fits(boundary, required));
      const coded = row.code.trim() === '' ? null : fitting(await everywhere.byCode(row.code));
      let own = fitting(named[i] ?? []);
      if (own.length === 0 && row.name.trim() !== '' && !coded?.length) {
        if (turns.spend(LOOKUP)) await turns.next();
        own = fitting(await everywhere.byReading(row));
        // A column of names may hold codes: "US-IL", "48201".
        if (own.length === 0 && row.code.trim() === '') own = fitting(await everywhere.byCode(row.name));
      }
      asked.push({ row, required, coded, named: own });
    }
    await turns.next();
    matching.progress?.(asked.length);
  }
  const decision = matching.whole ? await decisionOf(asked, filters, turns) : UNDECIDED;
  const inColumn = sourceFor({
    country: decision.country ?? filters.country,
    adminLevel: decision.adminLevel ?? filters.adminLevel,
  });
  for (const one of asked) {
    if (!needsMore(one, decision)) continue;
    if (turns.spend(2 * LOOKUP)) await turns.next();
    const isCoded = one.coded !== null && one.coded.length > 0;
    const source = isCoded ? everywhere : inColumn;
    const fitting = (list: readonly Candidate[]) => list.filter(({ boundary }) => fits(boundary, one.required));
    const read = isCoded || one.named.length > 0 ? fitting(await source.byReading(one.row)) : [];
    const slips = read.length > 0 ? [] : fitting(await source.byTypo(one.row));
    one.named = [...read, ...one.named, ...slips];
  }
  const language = matching.language ?? (matching.whole ? await languageOf(everywhere, clear(asked, decision)) : null);
  const corrected = await everywhere.byIds((matching.corrections ?? []).flatMap((id) => id ?? []));
  const result: MatchedRow[] = [];
  for (const [i, one] of asked.entries()) {
    if (turns.spend()) await turns.next();
    // A corrected boundary that was deleted since is no longer meant, nor one that the filters of the call leave out.
    const known = corrected.get(matching.corrections?.[i] ?? '');
    if (known !== undefined && fits(known, ofFilters(filters))) {
      if (!one.coded?.length || one.coded.some(({ boundary }) => boundary.id === known.id)) {
        result.push({
          ...{ match: 'correction', boundary: known, confidence: 1, decidedBy: null },
          candidates: listed(one.named, known.id),
        });
        continue;
      }
      // The code says another place: what the name was corrected to is one more place that the row may mean.
      one.named = [{ boundary: known, match: 'alias', step: 0 }, ...one.named];
    }
    const { tied, ...matched } = settle(one, decision, matching.kinds);
    const spoken = tied && language !== null ? await spokenAs(everywhere, one.row, tied, language) : null;
    result.push(spoken === null ? matched : found(spoken, one.named, 'column'));
  }
  return { decision: { ...decision, language }, rows: result };
}

/** Rows with what their whole names mean; one whose name means nothing as it is written is read without notes. */
async function namedAs(source: CandidateSource, written: readonly PlaceRow[]) {
  const named = await source.byName(written);
  const some = written.map((row, i) => (named[i]?.length ? row : { ...row, name: withoutNotes(row.name) }));
  const noted = some.filter(({ name }, i) => name !== written[i]?.name.trim());
  if (noted.length === 0) return { some, named };
  const read = new Map((await source.byName(noted)).map((list, k) => [noted[k], list]));
  return { some, named: some.map((row, i) => read.get(row) ?? named[i] ?? []) };
}

/** What the filters of a call require. */
function ofFilters({ within, country, adminLevel, kind }: MatchFilters): Required {
  const around: Required['around'][number][] = [];
  if (within !== undefined) around.push([{ id: within, country: null }]);
  if (country !== undefined) around.push([{ id: '', country }]);
  return { around, adminLevel: adminLevel ?? null, kinds: kind === undefined ? [] : [kind], unknown: [] };
}

/** What a row and the filters require. */
async function requiredOf(source: CandidateSource, row: PlaceRow, filters: MatchFilters): Promise<Required> {
  const texts = row.within.filter((text) => text.trim() !== '');
  const around = await Promise.all(texts.map((text) => source.around(text)));
  const { adminLevel, kinds } = typeOf(row.type);
  const given = ofFilters(filters);
  return {
    around: [...around.filter((some) => some.length > 0), ...given.around],
    adminLevel: adminLevel ?? given.adminLevel,
    kinds: kinds.length > 0 ? kinds : given.kinds,
    unknown: texts.filter((_, i) => around[i]?.length === 0),
  };
}

async function decisionOf(asked: readonly Asked[], filters: MatchFilters, turns: Turns): Promise<Decision> {
  const names = asked
    .map(({ named, coded }) => (coded?.length ? coded : named).filter(({ partial }) => partial !== true))
    .filter(({ length }) => length > 0);
  const typed = asked.some(({ row }) => row.type.trim() !== '');
  const given = {
    country: filters.country !== undefined || filters.within !== undefined,
    adminLevel: filters.adminLevel !== undefined || filters.kind !== undefined || typed,
    within: filters.within !== undefined,
  };
  return { ...(await decide(names, given, turns)), language: null };
}

/** Whether a candidate fits all words, and is where the column says. */
function isInColumn({ boundary, partial }: Candidate, { country, adminLevel, within }: Decision): boolean {
  if (partial) return false;
  if (country !== null && !boundary.countries.includes(country)) return false;
  if (adminLevel !== null && boundary.admin_level !== adminLevel) return false;
  return within === null || boundary.parents.some(({ id }) => id === within.id);
}

/** Whether a row has no candidate that its code or the column says, so that other readings and slips are looked up. */
function needsMore({ row, coded, named }: Asked, decision: Decision): boolean {
  if (row.name.trim() === '') return false;
  return coded?.length ? alike(coded, named).length === 0 : !named.some((one) => isInColumn(one, decision));
}

/** Candidates of a code that the name of the row means too. */
function alike(coded: readonly Candidate[], named: readonly Candidate[]): readonly Candidate[] {
  const ids = new Set(named.filter(({ partial }) => !partial).map(({ boundary }) => boundary.id));
  return coded.filter(({ boundary }) => ids.has(boundary.id));
}

/** The candidates of the rows that the column leaves one of, in the language sample. */
function clear(asked: readonly Asked[], decision: Decision): { readonly row: PlaceRow; readonly id: string }[] {
  return asked.flatMap(({ row, named }) => {
    const [one, other] = named.filter((each) => isInColumn(each, decision));
    return one && !other && one.step < 1 ? [{ row, id: one.boundary.id }] : [];
  });
}

/** How sure a match is: fixed figures, from what was wrong at most in the tests of tables. */
const CONFIDENCE = { code: 1, exact: 1, alias: 0.95, typo: 0.85 } as const;
/** Factors: the column decided; two slips; a code and a name that do not agree. */
const BY_COLUMN = 0.95;
const TWO_SLIPS = 0.8;

const found = (
  { boundary, match, step }: Candidate,
  others: readonly Candidate[],
  decidedBy: MatchedRow['decidedBy'],
): MatchedRow => {
  const slips = match === 'typo' && step >= FUZZY_STEP + 0.2 ? TWO_SLIPS : 1;
  const confidence = CONFIDENCE[match] * slips * (decidedBy === null ? 1 : BY_COLUMN);
  return {
    match,
    boundary,
    confidence: Math.round(confidence * 100) / 100,
    candidates: listed(others, boundary.id),
    decidedBy,
  };
};

const listed = (some: readonly Candidate[], but = ''): MatchedRow['candidates'] =>
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
 * The candidates of the closest kind of match: whole names, names without type words, one slip, two slips.
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

/** Decides one row. */
function settle({ row, coded, named, required }: Asked, decision: Decision, kinds: readonly Kind[]): Settled {
  if (coded?.length) {
    const both = alike(coded, named);
    // A name that says another place than the code, or none that is known, is a mistake in one of them.
    if (both.length === 0 && row.name.trim() !== '') return ambiguous([...coded, ...named]);
    const inside = coded.filter((one) => isInColumn(one, decision));
    // Countries use the same codes: alone, one of another country than all other rows is not guessed.
    const likely = coded.filter(
      ({ boundary }) =>
        WITH_SCHEME.test(row.code.trim()) || decision.country === null || boundary.countries.includes(decision.country),
    );
    const [one, ...more] = both.length > 0 ? both : inside.length > 0 ? inside : likely;
    if (one && more.length === 0) return found(one, coded, coded.length > 1 && both.length === 0 ? 'column' : null);
    return ambiguous([...coded, ...named]);
  }
  if (named.length === 0) return NOT_FOUND;
  if (required.unknown.length > 0) return ambiguous(named);
  const inside = named.filter((one) => isInColumn(one, decision));
  // What lies elsewhere than all other rows is not guessed.
  if (inside.length === 0) return ambiguous(named);
  const near = closest(inside, decision.adminLevel !== null);
  const ofKind = kinds.length === 0 ? [] : near.filter(({ boundary }) => boundary.kind === kinds[0]);
  const [one, ...more] = ofKind.length > 0 ? ofKind : near;
  if (one === undefined || more.length > 0) return ambiguous([...near, ...named], near);
  // A slip inside of the column is not surer than a whole name outside of it.
  if (one.match === 'typo' && closest(named)[0]?.match !== 'typo') return ambiguous(named);
  const alone = closest(named);
  return found(one, named, alone.length > 1 ? 'column' : null);
}

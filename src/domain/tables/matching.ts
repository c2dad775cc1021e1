import { KINDS } from '../../common/kinds.ts';
import { Turns } from '../../common/turns.ts';
import type { Kind } from '../../core/schemas.ts';
import { foldName } from '../names/fold.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';
import { FUZZY_STEP } from '../search/candidates.ts';
import { saysNothing } from './abbreviated.ts';
import { addBegun } from './begun_rows.ts';
import type { CandidateSource } from './candidates.ts';
import { codeOfKind, nameAndCode } from './code_forms.ts';
import { decide } from './decision.ts';
import { fittingOf } from './fitting.ts';
import { languageOf, namedIn } from './language.ts';
import {
  type Candidate,
  type Decision,
  type MatchedRow,
  type MatchFilters,
  type PlaceRow,
  UNDECIDED,
} from './match_rows.ts';
import { fits, type Required } from './required.ts';
import { type Asked, alike, found, isInColumn, listed, needsMore, settle } from './settle.ts';
import { otherOrders, withLostLetters, withoutNotes } from './written.ts';

/** Rows whose whole names are looked up together. */
const CHUNK = 200;
/** What a lookup of a reading or of a typo counts for, in elements of a turn: some milliseconds. */
const LOOKUP = 400;

/** Looks up candidates in the whole data, or in that of a country and level that the column decided. */
export type SourceFor = (filters: Pick<MatchFilters, 'country' | 'adminLevel'>) => CandidateSource;

export interface Matching {
  readonly rows: readonly PlaceRow[];
  readonly filters: MatchFilters;
  /** Kinds that the name of the column means; they decide only where names are alike. */
  readonly kinds: readonly Kind[];
  /** Kinds that the name of the column rules out: a row of a column of cities may not mean a county. */
  readonly others?: readonly Kind[];
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
  const { rows, filters, signal, others = [] } = matching;
  const everywhere = sourceFor({});
  const turns = new Turns(signal);
  const widths = widthsAround(rows);
  const asked: Asked[] = [];
  for (let from = 0; from < rows.length; from += CHUNK) {
    const written = rows.slice(from, from + CHUNK);
    const { some, named } = await withLost(everywhere, await namedAs(everywhere, written), turns);
    for (const [i, row] of some.entries()) {
      if (turns.spend()) await turns.next();
      const { name } = written[i] ?? row;
      asked.push(await askedOf(everywhere, row, named[i] ?? [], { name, filters, others, widths, turns }));
    }
    await turns.next();
    matching.progress?.(asked.length);
  }
  const decision = matching.whole ? await decisionOf(asked, filters, turns) : UNDECIDED;
  const inColumn = sourceFor({
    country: decision.country ?? filters.country,
    adminLevel: decision.adminLevel ?? filters.adminLevel,
  });
  const begun = await addBegun(asked, inColumn, decision, { others, turns });
  for (const one of asked) {
    if (begun.has(one) || !needsMore(one, decision)) continue;
    if (turns.spend(2 * LOOKUP)) await turns.next();
    const isCoded = one.coded !== null && one.coded.length > 0;
    const source = isCoded ? everywhere : inColumn;
    const fitting = fittingOf(one.required, isCoded ? [] : others);
    const read = isCoded || one.named.length > 0 ? fitting(await source.byReading(one.row)) : [];
    const byOther = isCoded ? [] : [() => source.byOtherName(one.row), () => source.byAbbreviation(one.row)];
    let more = read;
    for (const look of [...byOther, () => source.byTypo(one.row)]) {
      if (!more.some((found) => isInColumn(found, decision))) more = [...more, ...fitting(await look())];
    }
    const isTypo = ({ match }: Candidate): boolean => match === 'typo';
    one.named = [...more.filter((found) => !isTypo(found)), ...one.named, ...more.filter(isTypo)];
    if (isCoded && one.named.length === 0) one.named = await source.mentioned(one.row, one.coded);
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
    const { tied, ...matched } = settle(one, { decision, whole: matching.whole, kinds: matching.kinds });
    const chosen = tied && language !== null ? await namedIn(everywhere, one.row, tied, language) : null;
    result.push(chosen === null ? matched : found(chosen, one.named, 'column'));
  }
  return { decision: { ...decision, language }, rows: result };
}

/** Letters of a text that may be a code as well as a name: "NE", "USA". */
const CODE_LETTERS = 3;

interface Asking {
  /** The name of the row as it is written, with the numbers and notes around it. */
  readonly name: string;
  readonly filters: MatchFilters;
  readonly others: readonly Kind[];
  readonly widths: readonly number[];
  readonly turns: Turns;
}

/** A row with what its code and its whole name mean, or else readings of its name. */
async function askedOf(
  source: CandidateSource,
  row: PlaceRow,
  named: readonly Candidate[],
  { name, filters, others, widths, turns }: Asking,
): Promise<Asked> {
  const required = await requiredOf(source, row, filters, widths);
  const coded = saysNothing(row.code) ? null : fittingOf(required, [])(await source.byCode(row.code));
  const fitting = fittingOf(required, coded?.length ? [] : others);
  let own = fitting(named);
  const isNamed = !saysNothing(row.name);
  if (own.length === 0 && isNamed && !coded?.length) {
    if (turns.spend(LOOKUP)) await turns.next();
    const { found: beside, isPlaced } = await byNameAndCode(source, name);
    const both = fitting(beside);
    const ids = new Set(both.map(({ boundary }) => boundary.id));
    const read = both.length > 0 && isPlaced ? [] : fitting(await source.byReading(row));
    own = [...both, ...read.filter(({ boundary }) => !ids.has(boundary.id))];
  }
  // A column of names may hold codes: "US-IL", "48201".
  if (isNamed && row.code.trim() === '' && (own.length === 0 || row.name.trim().length <= CODE_LETTERS)) {
    own = [...own, ...fitting(await source.byCode(row.name))];
  }
  return { row, required, coded, named: own };
}

/**
 * Candidates of a name with its code, or that of a place around it, in one cell: "Torino (TO)", "AL Autauga", "Kt. ZH".
 * `isPlaced`: the code can only be that of a place around the name. In capitals, "CO CLARE" may be a county.
 */
async function byNameAndCode(
  source: CandidateSource,
  text: string,
): Promise<{ readonly found: readonly Candidate[]; readonly isPlaced: boolean }> {
  const ofKind = codeOfKind(text);
  if (ofKind !== null) {
    const coded = await source.byCode(ofKind.code);
    return { found: coded.filter(({ boundary }) => ofKind.kinds.includes(boundary.kind)), isPlaced: false };
  }
  const both = nameAndCode(text);
  if (both === null) return { found: [], isPlaced: false };
  const [whole = []] = await source.byName([{ name: both.name, code: '', within: [], type: '' }]);
  const coded = alike(await source.byCode(both.code), whole);
  if (coded.length > 0) return { found: coded.map((one) => ({ ...one, match: 'alias' })), isPlaced: false };
  const around = await source.around(both.code);
  const placed = { around: [around], adminLevel: null, kinds: [], unknown: [] };
  return {
    found: around.length === 0 ? [] : whole.filter(({ boundary }) => fits(boundary, placed)),
    isPlaced: text !== text.toUpperCase(),
  };
}

/** Rows with what their whole names mean; one that means nothing as it is written is read without notes, then in other orders. */
async function namedAs(source: CandidateSource, written: readonly PlaceRow[]) {
  const named = await source.byName(written);
  const some = written.map((row, i) => (named[i]?.length ? row : { ...row, name: withoutNotes(row.name) }));
  const others = some.flatMap((row, at) => {
    if (named[at]?.length) return [];
    const names = row.name === written[at]?.name.trim() ? [] : [row.name];
    return [...names, ...otherOrders(row.name)].map((name) => ({ at, row: { ...row, name } }));
  });
  if (others.length === 0) return { some, named };
  const read = await source.byName(others.map(({ row }) => row));
  const first = new Map<number, readonly Candidate[]>();
  for (const [k, { at }] of others.entries()) {
    const found = read[k] ?? [];
    if (found.length > 0 && !first.has(at)) first.set(at, found);
  }
  return { some, named: some.map((_, i) => first.get(i) ?? named[i] ?? []) };
}

/** Adds to rows without a candidate those of the names that they may have been before a program lost letters of them. */
async function withLost(source: CandidateSource, { some, named }: Awaited<ReturnType<typeof namedAs>>, turns: Turns) {
  const found = [...named];
  for (const [i, row] of some.entries()) {
    const names = found[i]?.length ? [] : withLostLetters(row.name);
    if (names.length === 0) continue;
    if (turns.spend(LOOKUP)) await turns.next();
    const read = await source.byName(names.map((name) => ({ ...row, name })));
    const byId = new Map(
      read.flat().map((one) => [one.boundary.id, { ...one, match: 'typo' as const, step: FUZZY_STEP }]),
    );
    found[i] = [...byId.values()];
  }
  return { some, named: found };
}

/** What the filters of a call require. */
function ofFilters({ within, country, adminLevel, kind }: MatchFilters): Required {
  const around: Required['around'][number][] = [];
  if (within !== undefined) around.push([{ id: within, country: null }]);
  if (country !== undefined) around.push([{ id: '', country }]);
  return { around, adminLevel: adminLevel ?? null, kinds: kind === undefined ? [] : [kind], unknown: [] };
}

/** The lengths of the longest texts around rows, the innermost first: only these may be cut. */
function widthsAround(rows: readonly PlaceRow[]): readonly number[] {
  const widths: number[] = [];
  for (const { within } of rows) {
    for (const [i, text] of within.entries()) widths[i] = Math.max(widths[i] ?? 0, text.length);
  }
  return widths;
}

/** What a row and the filters require. */
async function requiredOf(
  source: CandidateSource,
  row: PlaceRow,
  filters: MatchFilters,
  widths: readonly number[],
): Promise<Required> {
  const texts = row.within.filter((text) => text.trim() !== '');
  const around = await Promise.all(texts.map((text, i) => source.around(text, text.length >= (widths[i] ?? 0) - 1)));
  const { adminLevel, kinds } = typeOf(row.type);
  const given = ofFilters(filters);
  return {
    around: [...around.filter((some) => some.length > 0), ...given.around],
    adminLevel: adminLevel ?? given.adminLevel,
    kinds: kinds.length > 0 ? kinds : given.kinds,
    countsCities: kinds.length > 0,
    unknown: texts.filter((_, i) => around[i]?.length === 0),
  };
}

/** Names from which those of up to CODE_LETTERS do not decide. */
const NAMES_FROM = 3;

const lettersOf = (name: string): number => foldName(name).replaceAll(' ', '').length;

async function decisionOf(asked: readonly Asked[], filters: MatchFilters, turns: Turns): Promise<Decision> {
  const voting = (some: readonly Asked[]) =>
    some
      .map(({ named, coded }) => (coded?.length ? coded : named).filter(({ partial }) => partial !== true))
      .filter(({ length }) => length > 0);
  // Abbreviations and codes may mean anything: they decide only where hardly any name does.
  const whole = voting(asked.filter(({ row, coded }) => coded?.length || lettersOf(row.name) > CODE_LETTERS));
  const names = whole.length >= NAMES_FROM ? whole : voting(asked);
  const typed = asked.some(({ row }) => row.type.trim() !== '');
  const given = {
    country: filters.country !== undefined || filters.within !== undefined,
    adminLevel: filters.adminLevel !== undefined || filters.kind !== undefined || typed,
    within: filters.within !== undefined,
  };
  return { ...(await decide(names, given, turns)), language: null };
}

/** The candidates of the rows that the column leaves one of, in the language sample. */
function clear(asked: readonly Asked[], decision: Decision): { readonly row: PlaceRow; readonly id: string }[] {
  return asked.flatMap(({ row, named }) => {
    const [one, other] = named.filter((each) => isInColumn(each, decision));
    return one && !other && one.step < 1 ? [{ row, id: one.boundary.id }] : [];
  });
}

import { Turns } from '../../common/turns.ts';
import type { Kind } from '../../core/schemas.ts';
import { foldName } from '../names/fold.ts';
import { isNoPlace, saysNothing } from './abbreviated.ts';
import { askedOf, LOOKUP, namedAs, ofFilters, widthsAround, withLost } from './asked_rows.ts';
import { addBegun } from './begun_rows.ts';
import type { CandidateSource } from './candidates.ts';
import { decide, placesWithTotals } from './decision.ts';
import { fittingOf } from './fitting.ts';
import { languageOf, namedIn } from './language.ts';
import { atOtherDepth } from './marks.ts';
import {
  type Candidate,
  type Decision,
  type MatchedRow,
  type MatchFilters,
  type PlaceRow,
  UNDECIDED,
} from './match_rows.ts';
import { fits } from './required.ts';
import {
  type Asked,
  alike,
  type Deciding,
  found,
  isAround,
  isInColumn,
  listed,
  mayBeCode,
  mayBePart,
  needsMore,
  settle,
} from './settle.ts';

/** Rows whose whole names are looked up together. */
const CHUNK = 200;

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
    const { some, named } = await withLost(everywhere, await namedAs(everywhere, written, turns), turns);
    for (const [i, row] of some.entries()) {
      if (turns.spend(1 + (named[i]?.length ?? 0))) await turns.next();
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
    const byOther = isCoded
      ? []
      : [() => source.byArticle(one.row), () => source.byOtherName(one.row), () => source.byAbbreviation(one.row)];
    let more = read;
    for (const look of [...byOther, () => source.byTypo(one.row)]) {
      if (!more.some((found) => isInColumn(found, decision))) more = [...more, ...fitting(await look())];
    }
    const isTypo = ({ match }: Candidate): boolean => match === 'typo';
    one.named = [...more.filter((found) => !isTypo(found)), ...one.named, ...more.filter(isTypo)];
    if (isCoded && one.named.length === 0) one.named = await source.mentioned(one.row, one.coded);
  }
  const { clear, ...lists } = await listsOf(asked, decision, turns);
  const isDoubtful =
    matching.whole && Object.values(filters).every((one) => one === undefined) && isDoubted(asked, decision);
  const language = matching.language ?? (matching.whole ? await languageOf(everywhere, clear) : null);
  const corrected = await everywhere.byIds((matching.corrections ?? []).flatMap((id) => id ?? []));
  const deciding = {
    decision,
    whole: matching.whole,
    kinds: matching.kinds,
    isDoubtful,
    areAround: areAround(asked, decision),
    ...lists,
  };
  const elsewhere = atOtherDepth(rows.map(({ name }) => name));
  // What lies deeper or less deep than most rows is of another level than these.
  const apart = { ...deciding, kinds: [], decision: { ...decision, adminLevel: null } };
  const result: MatchedRow[] = [];
  for (const [i, one] of asked.entries()) {
    if (turns.spend(1 + one.named.length)) await turns.next();
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
    const { tied, ...matched } = settle(one, elsewhere.has(i) ? apart : deciding);
    const chosen = tied ? await chosenOf(everywhere, one, tied, language) : null;
    result.push(chosen === null ? matched : found(chosen, one.named, 'column'));
  }
  return { decision: { ...decision, language }, rows: result };
}

/** Of several places of a name, the one that it names in the language of the column or, of one level, that it names locally. */
function chosenOf(
  source: CandidateSource,
  { row }: Asked,
  tied: readonly Candidate[],
  language: string | null,
): Promise<Candidate | null> | Candidate | null {
  if (language !== null) return namedIn(source, row, tied, language);
  const [one, ...more] = tied.filter(({ boundary }) => foldName(boundary.name) === foldName(row.name));
  const areAlike = tied.every(({ boundary }) => boundary.admin_level === one?.boundary.admin_level);
  return one?.match === 'exact' && more.length === 0 && areAlike ? one : null;
}

/** Names from which those that may be codes do not decide. */
const NAMES_FROM = 3;

/** Share of the rows from which a column has codes in place of names. */
const CODES_SHARE = 0.5;

async function decisionOf(asked: readonly Asked[], filters: MatchFilters, turns: Turns): Promise<Decision> {
  const voting: (readonly Candidate[])[] = [];
  // Abbreviations and codes may mean anything: they decide only where hardly any name does.
  const whole: (readonly Candidate[])[] = [];
  for (const one of asked) {
    const { row, named, coded } = one;
    if (turns.spend(1 + named.length)) await turns.next();
    if (mayBePart(one)) continue;
    const some = (coded?.length ? coded : named).filter(({ partial }) => partial !== true);
    if (some.length === 0) continue;
    voting.push(some);
    if (coded?.length || !mayBeCode(row.name)) whole.push(some);
  }
  const typed = asked.some(({ row }) => row.type.trim() !== '');
  const given = {
    country: filters.country !== undefined || filters.within !== undefined,
    adminLevel: filters.adminLevel !== undefined || filters.kind !== undefined || typed,
    within: filters.within !== undefined,
  };
  return { ...(await decide(whole.length >= NAMES_FROM ? whole : voting, given, turns)), language: null };
}

/** Rows from which a column can be one that has no names of places, and the shares of them that are then names of some. */
const DOUBTED_FROM = 4;
const DOUBTED_SHARE = 0.25;
const DOUBTED_IN_SEVERAL = 0.5;

/**
 * Whether a column may have something else than names of places: few of its cells are names of any, or less than half, which
 * are in several countries or levels. Indicators of which one is Paro, in Bhutan; people of whom one is named Jordan.
 */
function isDoubted(asked: readonly Asked[], { country, adminLevel }: Decision): boolean {
  const rows = asked.filter(({ row, coded }) => !coded?.length && !saysNothing(row.name) && !isNoPlace(row.name));
  const named = rows.filter((one) => !mayBePart(one) && one.named.some(({ match }) => match !== 'typo')).length;
  // Codes that say what the names beside them say show that the column has places.
  const sure = asked.filter((one) => one.coded?.length && alike(one.coded, one.named).length > 0).length;
  const least = country === null || adminLevel === null ? DOUBTED_IN_SEVERAL : DOUBTED_SHARE;
  return rows.length >= DOUBTED_FROM && named + sure < least * (rows.length + sure);
}

/** The share of the rows inside of places from which a column names these, as those in them are not stored. */
const AROUND_SHARE = 0.5;

/** Whether most rows that are named inside of a place are that place: Porto in Porto, Braga in Braga. */
function areAround(asked: readonly Asked[], decision: Decision): boolean {
  const inside = asked.filter(
    ({ required, named }) => required.around.length > 0 && named.some((one) => isInColumn(one, decision)),
  );
  const same = inside.filter((row) => row.named.some((one) => isInColumn(one, decision) && isAround(one, row)));
  return same.length >= DOUBTED_FROM && same.length >= AROUND_SHARE * inside.length;
}

/** What the rows of a column are together. */
interface Lists extends Pick<Deciding, 'totals' | 'hasCodes' | 'areShort'> {
  /** The candidates of the rows that the column leaves one of, in the language sample. */
  readonly clear: readonly { readonly row: PlaceRow; readonly id: string }[];
}

async function listsOf(asked: readonly Asked[], decision: Decision, turns: Turns): Promise<Lists> {
  const found = asked.flatMap(({ named }) => (named.length > 0 ? [named] : []));
  const isInside = (candidate: Candidate): boolean => isInColumn(candidate, decision);
  const clear: { readonly row: PlaceRow; readonly id: string }[] = [];
  let coded = 0;
  for (const { row, named } of asked) {
    if (turns.spend(1 + named.length)) await turns.next();
    if (mayBeCode(row.name) && named.some(({ match }) => match === 'code')) coded++;
    const [one, other] = named.filter(isInside);
    if (one && !other && one.step < 1) clear.push({ row, id: one.boundary.id });
  }
  const totals = decision.adminLevel === null ? new Set<string>() : await placesWithTotals(found, isInside, turns);
  const short = asked.filter(({ row }) => mayBeCode(row.name)).length;
  return {
    ...{ clear, totals },
    hasCodes: coded > CODES_SHARE * found.length,
    areShort: short > CODES_SHARE * asked.length,
  };
}

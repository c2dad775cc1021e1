import { KINDS } from '../../common/kinds.ts';
import type { Turns } from '../../common/turns.ts';
import type { Kind } from '../../core/schemas.ts';
import type { Boundary } from '../boundaries/boundary.ts';
import { foldName } from '../names/fold.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';
import { FUZZY_STEP } from '../search/candidates.ts';
import { isNoPlace, saysNothing } from './abbreviated.ts';
import type { CandidateSource } from './candidates.ts';
import { codeOfKind, nameAndCode } from './code_forms.ts';
import { fittingOf } from './fitting.ts';
import { withoutMarks, withoutNotes } from './marks.ts';
import type { Candidate, MatchFilters, PlaceRow } from './match_rows.ts';
import { withStateWrittenOut } from './press.ts';
import { type Around, fits, type Required } from './required.ts';
import { type Asked, alike } from './settle.ts';
import { otherEncodings, withLostLetters } from './spoiled.ts';
import { bothNamesIn, otherOrders } from './written.ts';

/** What a lookup of a reading or of a typo counts for, in elements of a turn: some milliseconds. */
export const LOOKUP = 400;

const WORD_LEVEL = /^\d{1,2}$/;

/** What a row's word for its type asks for. */
function typeOf(text: string): { readonly adminLevel: number | null; readonly kinds: readonly Kind[] } {
  const folded = foldName(text);
  if (folded === '') return { adminLevel: null, kinds: [] };
  if (WORD_LEVEL.test(folded)) return { adminLevel: Number(folded), kinds: [] };
  const own = KINDS.find((kind) => foldName(kind) === folded);
  return { adminLevel: null, kinds: own === undefined ? kindsOfTypeWords(folded) : [own] };
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
export async function askedOf(
  source: CandidateSource,
  row: PlaceRow,
  named: readonly Candidate[],
  { name, filters, others, widths, turns }: Asking,
): Promise<Asked> {
  const required = await requiredOf(source, row, filters, widths);
  const coded = saysNothing(row.code) ? null : fittingOf(required, [])(await source.byCode(row.code));
  const fitting = fittingOf(required, coded?.length ? [] : others);
  let own = fitting(named);
  const isNamed = !saysNothing(row.name) && !isNoPlace(row.name);
  // What is in brackets behind a name of several places may be the code of one around it: "Saint-Palais (03)".
  const isOpen = own.length === 0 || (own.length > 1 && row.name !== name.trim());
  if (isOpen && isNamed && !coded?.length) {
    if (turns.spend(LOOKUP)) await turns.next();
    const { found: beside, isPlaced } = await byNameAndCode(source, name);
    const both = fitting(beside.length > 0 ? beside : await byTwoNames(source, name));
    const ids = new Set(both.map(({ boundary }) => boundary.id));
    const isRead = own.length === 0 && !(both.length > 0 && isPlaced);
    const read = isRead ? fitting(await source.byReading({ ...row, name: withStateWrittenOut(row.name) })) : [];
    own = both.length === 0 && !isRead ? own : [...both, ...read.filter(({ boundary }) => !ids.has(boundary.id))];
  }
  own = [...own, ...(await towns(source, row, own, fitting))];
  // A column of names may hold codes: "US-IL", "48201".
  if (isNamed && row.code.trim() === '' && (own.length === 0 || row.name.trim().length <= CODE_LETTERS)) {
    own = [...own, ...fitting(await source.byCode(row.name))];
  }
  return { row, required, coded, named: own };
}

/** The level of provinces, which are often named after a town. */
const PROVINCES = 6;
const TOWNS: readonly Kind[] = ['municipality', 'city'];

/**
 * The towns that a name means in another language, where it was found only as that of a province: "Florenz" is both, as
 * "Firenze" is, and "Bozen" is both of "Bolzano/Bozen".
 */
async function towns(
  source: CandidateSource,
  row: PlaceRow,
  named: readonly Candidate[],
  fitting: (some: readonly Candidate[]) => readonly Candidate[],
): Promise<Candidate[]> {
  const isAlone = ({ name, kind, country }: Boundary): boolean =>
    kind === 'province' &&
    foldName(row.name) === foldName(name) &&
    !named.some(({ boundary }) => TOWNS.includes(boundary.kind) && boundary.country === country);
  const isForeign = ({ boundary }: Candidate): boolean =>
    boundary.admin_level === PROVINCES && (!foldName(row.name).includes(foldName(boundary.name)) || isAlone(boundary));
  const foreign = named.filter(isForeign);
  if (foreign.length === 0) return [];
  const inside = await source.byName(foreign.map(({ boundary }) => ({ ...row, name: boundary.name })));
  const ids = new Set(named.map(({ boundary }) => boundary.id));
  const isTown = ({ boundary }: Candidate): boolean =>
    TOWNS.includes(boundary.kind) &&
    boundary.admin_level !== PROVINCES &&
    !ids.has(boundary.id) &&
    foreign.some((one) => one.boundary.country === boundary.country);
  const others = fitting([...(await source.byOtherName(row)), ...inside.flat()]).filter(isTown);
  return others
    .filter(({ boundary }, i) => others.findIndex((one) => one.boundary.id === boundary.id) === i)
    .map((one) => ({ ...one, match: 'alias', step: 0 }));
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
  const rowOf = (name: string): PlaceRow => ({ name, code: '', within: [], type: '' });
  // The code may be part of the name: "JU Le Bémont" is Le Bémont (JU).
  const [whole = [], withCode = []] = await source.byName([rowOf(both.name), rowOf(`${both.name} ${both.code}`)]);
  if (withCode.length > 0) return { found: withCode, isPlaced: false };
  const coded = alike(await source.byCode(both.code), whole);
  if (coded.length > 0) return { found: coded.map((one) => ({ ...one, match: 'alias' })), isPlaced: false };
  const around = await source.around(both.code);
  const placed = { around: [around], adminLevel: null, kinds: [], unknown: [] };
  return {
    found: around.length === 0 ? [] : whole.filter(({ boundary }) => fits(boundary, placed)),
    isPlaced: text !== text.toUpperCase(),
  };
}

/** Candidates that both names in a cell mean: "Myanmar (Burma)"; none of a name and a code. */
function byTwoNames(source: CandidateSource, text: string): Promise<readonly Candidate[]> | [] {
  const names = nameAndCode(text) === null ? bothNamesIn(text) : null;
  return names === null ? [] : source.byBoth(names);
}

/** Other spellings of a name, the likeliest first: what may be part of it is taken away last. */
function spellingsOf(name: string): string[] {
  const less = withoutMarks(name);
  return [...otherOrders(name), ...otherEncodings(name), ...(less === null ? [] : [less, ...otherOrders(less)])];
}

/** Spellings from which they are looked up: a row has some dozens at most. */
const SPELLINGS = 300;

/** Rows with what their whole names mean; one that means nothing as it is written is read without notes, then in other orders. */
export async function namedAs(source: CandidateSource, written: readonly PlaceRow[], turns: Turns) {
  const named = await source.byName(written);
  const some = written.map((row, i) => (named[i]?.length ? row : { ...row, name: withoutNotes(row.name) }));
  const first = new Map<number, readonly Candidate[]>();
  let others: { readonly at: number; readonly row: PlaceRow }[] = [];
  const lookUp = async (): Promise<void> => {
    const read = await source.byName(others.map(({ row }) => row));
    for (const [k, { at }] of others.entries()) {
      const found = read[k] ?? [];
      if (found.length > 0 && !first.has(at)) first.set(at, found);
    }
    others = [];
    await turns.next();
  };
  for (const [at, row] of some.entries()) {
    if (named[at]?.length) continue;
    const names = row.name === written[at]?.name.trim() ? [] : [row.name];
    for (const name of [...names, ...spellingsOf(row.name)]) others.push({ at, row: { ...row, name } });
    if (others.length >= SPELLINGS) await lookUp();
  }
  if (others.length > 0) await lookUp();
  return { some, named: some.map((_, i) => first.get(i) ?? named[i] ?? []) };
}

/** Adds to rows without a candidate those of the names that they may have been before a program lost letters of them. */
export async function withLost(
  source: CandidateSource,
  { some, named }: Awaited<ReturnType<typeof namedAs>>,
  turns: Turns,
) {
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
export function ofFilters({ within, country, adminLevel, kind }: MatchFilters): Required {
  const around: Required['around'][number][] = [];
  if (within !== undefined) around.push([{ id: within, country: null }]);
  if (country !== undefined) around.push([{ id: '', country }]);
  return { around, adminLevel: adminLevel ?? null, kinds: kind === undefined ? [] : [kind], unknown: [] };
}

/** The lengths of the longest texts around rows, the innermost first: only these may be cut. */
export function widthsAround(rows: readonly PlaceRow[]): readonly number[] {
  const widths: number[] = [];
  for (const { within } of rows) {
    for (const [i, text] of within.entries()) widths[i] = Math.max(widths[i] ?? 0, text.length);
  }
  return widths;
}

/** The countries among places around a row, where there are any: "CA" in a column of countries is not California. */
function countriesOf(around: Around): Around {
  const countries = around.filter(({ country, about }) => country !== null && about === undefined);
  return countries.length > 0 ? countries : around;
}

/** What a row and the filters require. */
async function requiredOf(
  source: CandidateSource,
  row: PlaceRow,
  filters: MatchFilters,
  widths: readonly number[],
): Promise<Required> {
  const texts = row.within.filter((text) => text.trim() !== '');
  const named = await Promise.all(texts.map((text, i) => source.around(text, text.length >= (widths[i] ?? 0) - 1)));
  const around = named.map((some, i) => (texts[i] === row.country ? countriesOf(some) : some));
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

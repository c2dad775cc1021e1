import type { Kind } from '../../core/schemas.ts';
import type { Boundary } from '../boundaries/boundary.ts';
import { isBoundaryId } from '../boundaries/ids.ts';
import type { Snapshot } from '../boundaries/reads.ts';
import { foldName, stripTypeWords } from '../names/fold.ts';
import { compactCode, isShortDivisionCode } from '../names/names.ts';
import { FUZZY_STEP, matchOf, PREFIX_STEP, type Candidate as SearchCandidate } from '../search/candidates.ts';
import { cityBoundaries } from '../search/city_lookups.ts';
import { CORRECTED_STEP, searchTypos } from '../search/corrections.ts';
import type { Lookups } from '../search/lookups.ts';
import { withoutDuplicates } from '../search/ranking.ts';
import { placesNamed, searchReadings } from '../search/search_readings.ts';
import { abbreviatedWords, abbreviates } from './abbreviated.ts';
import { type Candidate, LANGUAGES, type PlaceRow } from './match_rows.ts';
import type { Around, PlaceAround } from './required.ts';
import { otherBlanks, otherOrders } from './written.ts';

/** Boundaries of one name that are looked at. */
const MOST_NAMED = 200;
/** Boundaries of one code, and forms of a name that are searched with typos. */
const MOST_CODED = 50;
const MOST_FORMS = 3;
/** Boundaries and containers that are cached. */
const MOST_CACHED = 50_000;
/** An id with its scheme: digits alone are a code. */
export const WITH_SCHEME = /^[rw]\d+$|:/i;

/** Looks up what rows may mean, at one revision of the data. */
export class CandidateSource {
  private readonly lookups: Lookups;
  private readonly reading: Snapshot;
  private readonly boundaries = new Map<string, Boundary>();
  private readonly places = new Map<string, Around>();
  private readonly begun = new Map<string, { readonly boundary: Boundary; readonly names: readonly string[] }[]>();
  private readonly isNarrow: boolean;
  private preferred: ReadonlyMap<string, number> | null = null;

  /** @param isNarrow whether the lookups are those of the places of one level and country, or of countries */
  constructor(lookups: Lookups, reading: Snapshot, isNarrow = false) {
    this.lookups = lookups;
    this.reading = reading;
    this.isNarrow = isNarrow;
  }

  /** The places that a text around a row names: a name, a code or an id. */
  async around(text: string): Promise<Around> {
    const folded = foldName(text);
    const known = this.places.get(folded);
    if (known !== undefined) return known;
    const found: PlaceAround[] = [...(await this.placesOf(text))];
    if (found.length === 0 && WITH_SCHEME.test(text.trim()) && isBoundaryId(text.trim())) {
      const [one] = await this.reading.lookup([text.trim()]);
      if (one) found.push({ id: one.id, country: one.admin_level === 2 ? one.boundary.country : null });
    }
    if (this.places.size >= MOST_CACHED) this.places.clear();
    this.places.set(folded, found);
    return found;
  }

  /** Places with a name; where none has it, with the first of its other spellings that some place has. */
  private async placesOf(text: string): Promise<Around> {
    const spellings = [...new Set([text, ...otherOrders(text)].map(foldName))].filter((name) => name !== '');
    const places = await placesNamed(this.lookups, spellings);
    return spellings.map((name) => places.get(name) ?? []).find(({ length }) => length > 0) ?? [];
  }

  /** Candidates of rows by whole names, as they are written. */
  async byName(rows: readonly PlaceRow[]): Promise<Candidate[][]> {
    const folded = rows.map(({ name }) => foldName(name));
    const wanted = [...new Set(folded.flatMap((name) => [name, ...otherBlanks(name)]))].filter((name) => name !== '');
    const hits = wanted.length === 0 ? [] : await this.lookups.exact(wanted, null, MOST_NAMED);
    const byName = new Map<string, { id: string; step: number; name_type: string }[]>();
    for (const { id, folded: name, name_type } of hits) {
      const step = name_type === 'stripped' || name_type === 'old_name' ? 1 : 0;
      const list = byName.get(name);
      if (list) list.push({ id, step, name_type });
      else byName.set(name, [{ id, step, name_type }]);
    }
    const read = await this.read(hits.map(({ id }) => id));
    // Many rows may have one name, each in another place.
    const made = new Map<string, Candidate[]>();
    for (const [name, list] of byName) {
      const candidates = list.flatMap(({ id, step, name_type }): Candidate[] => {
        const boundary = read.get(id);
        return boundary ? [{ boundary, step, match: step === 0 && name_type === 'name' ? 'exact' : 'alias' }] : [];
      });
      made.set(name, await this.distinct(candidates));
    }
    const spelled = folded.map(async (name) => {
      const [own = [], ...others] = [name, ...otherBlanks(name)].map((one) => made.get(one) ?? []);
      return others.some(({ length }) => length > 0) ? this.distinct([...own, ...others.flat()]) : own;
    });
    return Promise.all(spelled);
  }

  /** Candidates of a row by its code or id. */
  async byCode(text: string): Promise<Candidate[]> {
    const trimmed = text.trim().replace(FRACTION, '$1');
    if (trimmed === '' || trimmed.length > MOST_LETTERS) return [];
    if (WITH_SCHEME.test(trimmed) && isBoundaryId(trimmed)) {
      const [found] = await this.reading.lookup([trimmed]);
      return found ? [{ boundary: found.boundary, match: 'code', step: 0 }] : [];
    }
    const code = compactCode(trimmed);
    if (code === '') return [];
    const isDivision = isShortDivisionCode(trimmed);
    const found: Candidate[] = [];
    for (const one of [code, ...withZeros(code)]) {
      const asked = { name: one, code: one, id: null, completesCodes: false, within: null, most: MOST_CODED };
      // A code of letters may be stored as another name as well: "USA".
      const rows = (await this.lookups.names(asked)).filter(
        ({ step, name_type, kind }) =>
          (step === CODE_STEP || (name_type === 'alias' && step < CODE_STEP && one.length <= 3)) &&
          !(isDivision && kind === 'country'),
      );
      const read = await this.read(rows.map(({ id }) => id));
      for (const { id } of rows) {
        const boundary = read.get(id);
        if (boundary) found.push({ boundary, match: 'code', step: one === code ? 0 : PADDED_STEP });
      }
    }
    return this.distinct(found);
  }

  /**
   * Candidates of a row by other readings of its name: without type words, written out, with a place behind it. Those
   * that do not fit all words are `partial`, and only returned where no other is found.
   */
  async byReading({ name }: PlaceRow): Promise<Candidate[]> {
    const { found } = await searchReadings(this.lookups, name.slice(0, MOST_LETTERS), false);
    const all = found.filter(({ step }) => step < PREFIX_STEP);
    const fitting = all.filter(({ partial }) => partial !== true);
    const whole = behindComma(name, ofFirstKind(fitting.length > 0 ? fitting : all));
    const read = await this.read(whole.map(({ id }) => id));
    return this.distinct(
      whole
        .toSorted((a, b) => a.step - b.step)
        .flatMap((one): Candidate[] => {
          const boundary = read.get(one.id);
          if (!boundary) return [];
          return [
            { boundary, match: matchOf(one) === 'exact' ? 'exact' : 'alias', step: one.step, partial: one.partial },
          ];
        }),
    );
  }

  /** Candidates of a row whose whole names are one or two typos away. */
  async byTypo({ name }: PlaceRow): Promise<Candidate[]> {
    const folded = foldName(name.slice(0, MOST_LETTERS));
    const forms = [...new Set([folded, ...stripTypeWords(folded)])].slice(0, MOST_FORMS);
    for (const form of forms) {
      const rows = (await searchTypos(this.lookups, form, true, null)).filter(
        ({ step }) => step >= FUZZY_STEP && step < CORRECTED_STEP,
      );
      if (rows.length === 0) continue;
      const read = await this.read(rows.map(({ id }) => id));
      return this.distinct(
        rows
          .sort((a, b) => a.step - b.step || b.weight - a.weight)
          .flatMap(({ id, step }): Candidate[] => {
            const boundary = read.get(id);
            return boundary ? [{ boundary, match: 'typo', step }] : [];
          }),
      );
    }
    return [];
  }

  /**
   * Candidates of a row whose name is one of the two names of a place, "Bolzano" of "Bolzano/Bozen", or another name of a
   * city: "Gerona", "Geneva".
   */
  async byOtherName({ name }: PlaceRow): Promise<Candidate[]> {
    const folded = foldName(name.slice(0, MOST_LETTERS));
    if (folded.length < OTHER_NAME_FROM) return [];
    const asked = { name: folded, code: folded, id: null, completesCodes: false, within: null, most: MOST_CODED };
    const rows = await this.lookups.names(asked);
    const read = await this.read(rows.map(({ id }) => id));
    const halves = rows.flatMap(({ id }) => {
      const boundary = read.get(id);
      const names = boundary?.name.split('/') ?? [];
      return boundary && names.length > 1 && names.some((half) => foldName(half) === folded) ? [boundary] : [];
    });
    const cities = halves.length > 0 ? [] : await cityBoundaries(this.lookups, folded);
    const towns = cities.map(({ boundary }) => boundary).filter(({ kind }) => TOWNS.includes(kind));
    return this.distinct(
      [...halves, ...towns].map((boundary) => ({ boundary, match: 'alias', step: OTHER_NAME_STEP })),
    );
  }

  /**
   * Candidates of a row whose name is abbreviated: those of a few hundred boundaries, which are the column's, that have a
   * name that it is short for. None where there are more.
   */
  async byAbbreviation({ name }: PlaceRow): Promise<Candidate[]> {
    const words = abbreviatedWords(name.slice(0, MOST_LETTERS));
    if (words === null || !this.isNarrow) return [];
    const named = await this.beginning(words[0]?.[0] ?? '');
    const meant = named.filter(({ names }) => names.some((one) => abbreviates(words, one)));
    return this.distinct(meant.map(({ boundary }) => ({ boundary, match: 'alias', step: SHORT_STEP })));
  }

  /** Those of some candidates of a code whose name a row mentions: "Egypt, Arab Rep." */
  async mentioned({ name }: PlaceRow, coded: readonly Candidate[]): Promise<Candidate[]> {
    const words = new Set(foldName(name.slice(0, MOST_LETTERS)).split(' '));
    const names = await this.namesOf(
      coded.map(({ boundary }) => boundary.id),
      LANGUAGES,
    );
    return coded.filter(({ boundary }) => {
      const { local = '', names: others = {} } = names.get(boundary.id) ?? {};
      return [local, ...Object.values(others)].some((one) => {
        const folded = foldName(one);
        return folded.length >= MENTIONED_FROM && folded.split(' ').every((word) => words.has(word));
      });
    });
  }

  /** Boundaries of this country and level with a name that begins with a letter, and their names, folded. */
  private async beginning(letter: string) {
    const known = this.begun.get(letter);
    if (known !== undefined) return known;
    const asked = { name: letter, code: letter, id: null, completesCodes: false, within: null, most: MOST_BEGUN };
    const rows = await this.lookups.names(asked);
    const ids = rows.length >= MOST_BEGUN ? [] : rows.map(({ id }) => id);
    const [read, names] = [await this.read(ids), await this.namesOf(ids, LANGUAGES)];
    const list = ids.flatMap((id) => {
      const [boundary, own] = [read.get(id), names.get(id)];
      if (!boundary || !own) return [];
      return { boundary, names: [boundary.name, own.local, ...Object.values(own.names)].map(foldName) };
    });
    this.begun.set(letter, list);
    return list;
  }

  /** Boundaries by canonical id; unknown ids are left out. */
  byIds(ids: readonly string[]): Promise<ReadonlyMap<string, Boundary>> {
    return this.read(ids);
  }

  /** The local names of boundaries, and those in some languages. */
  async namesOf(
    ids: readonly string[],
    languages: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly local: string; readonly names: Readonly<Record<string, string>> }>> {
    const read = await this.read(ids);
    const known = ids.flatMap((id) => read.get(id) ?? []);
    const shown = await this.reading.show(known, { prefer: [], names: languages });
    return new Map(shown.map(({ id, local_name: local, names = {} }) => [id, { local, names }]));
  }

  /** Each boundary once, by its best match, and each place once (withoutDuplicates). */
  private async distinct(found: readonly Candidate[]): Promise<Candidate[]> {
    if (found.length < 2) return [...found];
    this.preferred ??= await this.reading.sourceOrder();
    const best = new Map<string, Candidate>();
    for (const one of found) {
      const known = best.get(one.boundary.id);
      if (!known || one.step < known.step) best.set(one.boundary.id, one);
    }
    const kept = withoutDuplicates(
      [...best.values()].map(({ boundary }) => boundary),
      foldName,
      this.preferred,
    );
    const ids = new Set(kept.map(({ id }) => id));
    return [...best.values()].filter(({ boundary }) => ids.has(boundary.id));
  }

  /** Boundaries by canonical id. */
  private async read(ids: readonly string[]): Promise<ReadonlyMap<string, Boundary>> {
    if (this.boundaries.size > MOST_CACHED) this.boundaries.clear();
    const missing = [...new Set(ids)].filter((id) => !this.boundaries.has(id));
    if (missing.length > 0) {
      for (const one of await this.lookups.boundaries(missing)) this.boundaries.set(one.id, one);
    }
    return this.boundaries;
  }
}

/**
 * Those of some places found by a name with a word for a kind, without those of a kind that the word means less: "Richmond
 * city, Virginia" is the city, not the county.
 */
function ofFirstKind(found: readonly SearchCandidate[]): readonly SearchCandidate[] {
  const [best] = found.toSorted((a, b) => a.step - b.step);
  const read = best?.interpretation;
  if (!read?.kind) return found;
  return found.filter(
    ({ kind, interpretation }) =>
      kind === best?.kind || interpretation?.name !== read.name || interpretation.within?.id !== read.within?.id,
  );
}

/**
 * What is behind a comma is the place around the name, where one of some places found is in it: "Mineral, CO" is in Colorado
 * and no Mineral Co., "Lake, IL" in Illinois and no province.
 */
function behindComma(name: string, found: readonly SearchCandidate[]): readonly SearchCandidate[] {
  const inside = name.includes(',') ? found.filter(({ interpretation }) => interpretation?.within) : [];
  return inside.length > 0 ? inside : found;
}

/** The step of one of two names, and letters of such a name. */
const OTHER_NAME_STEP = 1;
const OTHER_NAME_FROM = 3;
const TOWNS: readonly Kind[] = ['municipality', 'city'];
/** The step of a name that is abbreviated: after whole names, before typos. */
const SHORT_STEP = 2.5;
/** Letters of a name that is mentioned in another. */
const MENTIONED_FROM = 4;
/** Names with one first letter, of one level and country, that an abbreviation is compared with. */
const MOST_BEGUN = 400;
/** A code in a column that a program took for one of floating-point numbers: "1001.0". */
const FRACTION = /^(\d{1,20})\.0{1,20}$/;
/** The step of a code that is one with the zeros that a spreadsheet took from its start. */
const PADDED_STEP = 0.5;
/** Digits of codes that lose zeros: of counties and municipalities, not of regions. */
const ZEROS_FROM = 4;
const ZEROS_TO = 7;

/** A code of digits with one and two zeros in front: 1001 may be 01001. */
function withZeros(code: string): string[] {
  if (!/^[1-9]\d+$/.test(code)) return [];
  return [`0${code}`, `00${code}`].filter(({ length }) => length > ZEROS_FROM && length <= ZEROS_TO);
}

/** Letters of a name or code that are looked up, as in a search. */
const MOST_LETTERS = 200;
/** The step of search_names for a whole code. */
const CODE_STEP = 2;

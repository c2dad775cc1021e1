import type { Kind } from '../../core/schemas.ts';
import type { Boundary } from '../boundaries/boundary.ts';
import { isBoundaryId } from '../boundaries/ids.ts';
import type { Snapshot } from '../boundaries/reads.ts';
import { foldName, stripTypeWords } from '../names/fold.ts';
import { compactCode, isShortDivisionCode } from '../names/names.ts';
import { otherNamesOf } from '../names/place_names.ts';
import { FUZZY_STEP, matchOf, PREFIX_STEP } from '../search/candidates.ts';
import { cityBoundaries } from '../search/city_lookups.ts';
import { CORRECTED_STEP, searchTypos } from '../search/corrections.ts';
import type { Lookups } from '../search/lookups.ts';
import { searchReadings } from '../search/search_readings.ts';
import { BegunNames } from './begun_names.ts';
import { shortCode, withoutFraction, withZeros } from './code_forms.ts';
import type { Cut } from './cut.ts';
import { type Candidate, LANGUAGES, type PlaceRow } from './match_rows.ts';
import { PlacesAround, WITH_SCHEME } from './places_around.ts';
import type { Around } from './required.ts';
import { behindComma, ofFirstKind } from './said_readings.ts';
import { alike } from './settle.ts';
import { StoredPlaces } from './stored_places.ts';
import { otherBlanks, withArticles } from './written.ts';

/** Boundaries of one name that are looked at. */
const MOST_NAMED = 200;
/** Boundaries of one code, and forms of a name that are searched with typos. */
const MOST_CODED = 50;
const MOST_FORMS = 3;

/** Texts of which the candidates are kept. */
const MOST_ANSWERS = 5_000;

/** Looks up what rows may mean, at one revision of the data. */
export class CandidateSource {
  private readonly lookups: Lookups;
  private readonly reading: Snapshot;
  private readonly stored: StoredPlaces;
  private readonly places: PlacesAround;
  private readonly begun: BegunNames;
  private readonly answers = new Map<string, Promise<Candidate[]>>();
  private readonly isNarrow: boolean;

  /** @param isNarrow whether the lookups are those of the places of one level and country, or of countries */
  constructor(lookups: Lookups, reading: Snapshot, isNarrow = false) {
    this.lookups = lookups;
    this.reading = reading;
    this.stored = new StoredPlaces(lookups, reading);
    this.places = new PlacesAround(lookups, reading, this.stored);
    this.begun = new BegunNames(lookups, this.stored);
    this.isNarrow = isNarrow;
  }

  /** The places that a text around a row names (PlacesAround). */
  around(text: string, mayBeCut = false): Promise<Around> {
    return this.places.named(text, mayBeCut);
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
    const read = await this.stored.read(hits.map(({ id }) => id));
    // Many rows may have one name, each in another place.
    const made = new Map<string, Candidate[]>();
    for (const [name, list] of byName) {
      const candidates = list.flatMap(({ id, step, name_type }): Candidate[] => {
        const boundary = read.get(id);
        return boundary ? [{ boundary, step, match: step === 0 && name_type === 'name' ? 'exact' : 'alias' }] : [];
      });
      made.set(name, await this.stored.distinct(candidates));
    }
    const spelled = folded.map(async (name) => {
      const [own = [], ...others] = [name, ...otherBlanks(name)].map((one) => made.get(one) ?? []);
      return others.some(({ length }) => length > 0) ? this.stored.distinct([...own, ...others.flat()]) : own;
    });
    return Promise.all(spelled);
  }

  /** Candidates of a row by its code or id. */
  byCode(text: string): Promise<Candidate[]> {
    return this.kept('code', text, () => this.coded(text));
  }

  private async coded(text: string): Promise<Candidate[]> {
    const trimmed = withoutFraction(text);
    if (trimmed === '' || trimmed.length > MOST_LETTERS) return [];
    if (WITH_SCHEME.test(trimmed) && isBoundaryId(trimmed)) {
      const [found] = await this.reading.lookup([trimmed]);
      return found ? [{ boundary: found.boundary, match: 'code', step: 0 }] : [];
    }
    const code = compactCode(trimmed);
    if (code === '') return [];
    const found = await this.withCode(code, isShortDivisionCode(trimmed));
    const short = found.length > 0 ? null : shortCode(trimmed);
    if (short === null) return found;
    const behind = await this.withCode(short.code, false);
    return behind.filter(({ boundary }) => short.country === null || boundary.country === short.country);
  }

  /** Candidates of a code in its compact form. `isDivision`: it cannot be that of a country. */
  private async withCode(code: string, isDivision: boolean): Promise<Candidate[]> {
    let found: Candidate[] = [];
    for (const one of [code, ...withZeros(code)]) {
      const asked = { name: one, code: one, id: null, completesCodes: false, within: null, most: MOST_CODED };
      // A code of letters may be stored as another name as well: "USA".
      const rows = (await this.lookups.names(asked)).filter(
        ({ step, name_type, kind }) =>
          (step === CODE_STEP || (name_type === 'alias' && step < CODE_STEP && one.length <= 3)) &&
          !(isDivision && kind === 'country'),
      );
      const read = await this.stored.read(rows.map(({ id }) => id));
      for (const { id } of rows) {
        const boundary = read.get(id);
        if (boundary) found.push({ boundary, match: 'code', step: one === code ? 0 : PADDED_STEP });
      }
    }
    // "NGA" is the code of Nigeria, and Russia in Vietnamese: of countries, the one whose code it is.
    const [country, ...more] = found.filter(({ boundary }) => isAlpha3(code, boundary));
    if (country && more.length === 0) found = found.filter((one) => one === country || one.boundary.kind !== 'country');
    return this.stored.distinct(found);
  }

  /**
   * Candidates of a row by other readings of its name: without type words, written out, with a place behind it. Those
   * that do not fit all words are `partial`, and only returned where no other is found.
   */
  byReading({ name }: PlaceRow): Promise<Candidate[]> {
    return this.kept('reading', name, () => this.read(name));
  }

  private async read(name: string): Promise<Candidate[]> {
    const { found } = await searchReadings(this.lookups, name.slice(0, MOST_LETTERS), false);
    const all = found.filter(({ step }) => step < PREFIX_STEP);
    const fitting = all.filter(({ partial }) => partial !== true);
    const whole = behindComma(name, ofFirstKind(fitting.length > 0 ? fitting : all));
    const read = await this.stored.read(whole.map(({ id }) => id));
    return this.stored.distinct(
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
  byTypo({ name }: PlaceRow): Promise<Candidate[]> {
    return this.kept('typo', name, () => this.misspelled(name));
  }

  private async misspelled(name: string): Promise<Candidate[]> {
    const folded = foldName(name.slice(0, MOST_LETTERS));
    const forms = [...new Set([folded, ...stripTypeWords(folded)])].slice(0, MOST_FORMS);
    for (const form of forms) {
      const rows = (await searchTypos(this.lookups, form, true, null)).filter(
        ({ step }) => step >= FUZZY_STEP && step < CORRECTED_STEP,
      );
      if (rows.length === 0) continue;
      const read = await this.stored.read(rows.map(({ id }) => id));
      return this.stored.distinct(
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
  byOtherName({ name }: PlaceRow): Promise<Candidate[]> {
    return this.kept('other', name, () => this.otherwise(name));
  }

  private async otherwise(name: string): Promise<Candidate[]> {
    const folded = foldName(name.slice(0, MOST_LETTERS));
    if (folded.length < OTHER_NAME_FROM) return [];
    const asked = { name: folded, code: folded, id: null, completesCodes: false, within: null, most: MOST_CODED };
    const rows = await this.lookups.names(asked);
    const read = await this.stored.read(rows.map(({ id }) => id));
    const halves = rows.flatMap(({ id }) => {
      const boundary = read.get(id);
      const names = boundary?.name.split('/') ?? [];
      return boundary && names.length > 1 && names.some((half) => foldName(half) === folded) ? [boundary] : [];
    });
    const cities = halves.length > 0 ? [] : await cityBoundaries(this.lookups, folded);
    const towns = cities.map(({ boundary }) => boundary).filter(({ kind }) => TOWNS.includes(kind));
    return this.stored.distinct(
      [...halves, ...towns].map((boundary) => ({ boundary, match: 'alias', step: OTHER_NAME_STEP })),
    );
  }

  /** Candidates of a row whose name has lost its article: "Corrales de Buelna" of Los Corrales de Buelna. */
  byArticle({ name }: PlaceRow): Promise<Candidate[]> {
    return this.kept('article', name, () => this.withArticle(name));
  }

  private async withArticle(name: string): Promise<Candidate[]> {
    const names = withArticles(name.slice(0, MOST_LETTERS)).map(rowOf);
    const named = names.length === 0 ? [] : await this.byName(names);
    return this.stored.distinct(named.flat().map((one) => ({ ...one, match: 'alias', step: ARTICLE_STEP })));
  }

  /** Candidates of a row whose name is abbreviated (BegunNames); none where the column's country and level are not known. */
  async byAbbreviation({ name }: PlaceRow): Promise<Candidate[]> {
    const short = name.slice(0, MOST_LETTERS);
    return this.isNarrow ? this.kept('short', name, () => this.begun.shortFor(short)) : [];
  }

  /** Candidates of a row whose name is cut, as the column cuts names (BegunNames). */
  byStart({ name }: PlaceRow, cut: Cut): Promise<Candidate[]> {
    return this.kept(`${cut.unit} ${cut.length}`, name, () => this.begun.startedBy(name, cut));
  }

  /** Candidates that two names mean: one of them alone may be that of a part, or of what is around. */
  byBoth(names: readonly [string, string]): Promise<Candidate[]> {
    return this.kept('both', names.join('|'), async () => {
      const [one = [], other = []] = await this.byName(names.map(rowOf));
      return alike(one, other).map((both) => ({ ...both, match: 'alias' }));
    });
  }

  /** What was found for a text, which many rows may have, each in another place. */
  private kept(by: string, text: string, look: () => Promise<Candidate[]>): Promise<Candidate[]> {
    const key = `${by}|${text}`;
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    if (this.answers.size >= MOST_ANSWERS) this.answers.clear();
    const found = look();
    this.answers.set(key, found);
    return found;
  }

  /** Those of some candidates of a code whose name a row mentions: "Egypt, Arab Rep." */
  async mentioned({ name }: PlaceRow, coded: readonly Candidate[]): Promise<Candidate[]> {
    const words = new Set(foldName(name.slice(0, MOST_LETTERS)).split(' '));
    const names = await this.stored.namesOf(
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

  /** Boundaries by canonical id; unknown ids are left out. */
  byIds(ids: readonly string[]): Promise<ReadonlyMap<string, Boundary>> {
    return this.stored.read(ids);
  }

  /** The local names of boundaries, and those in some languages. */
  namesOf(ids: readonly string[], languages: readonly string[]): ReturnType<StoredPlaces['namesOf']> {
    return this.stored.namesOf(ids, languages);
  }
}

/** A row that has only a name. */
const rowOf = (name: string): PlaceRow => ({ name, code: '', within: [], type: '' });

/** The step of one of two names, and letters of such a name. */
const OTHER_NAME_STEP = 1;
const OTHER_NAME_FROM = 3;
const TOWNS: readonly Kind[] = ['municipality', 'city'];
/** The step of a name without its article: it is less than another without its type word. */
const ARTICLE_STEP = 2;
/** Letters of a name that is mentioned in another. */
const MENTIONED_FROM = 4;
/** The step of a code that is one with the zeros that a spreadsheet took from its start. */
const PADDED_STEP = 0.5;
/** Whether a folded code is the ISO 3166-1 alpha-3 code of a boundary, which is the first of the other names of a country. */
const isAlpha3 = (code: string, { iso }: Boundary): boolean =>
  code.length === 3 && iso !== null && foldName(otherNamesOf(iso)[0] ?? '') === code;

/** Letters of a name or code that are looked up, as in a search. */
const MOST_LETTERS = 200;
/** The step of search_names for a whole code. */
const CODE_STEP = 2;

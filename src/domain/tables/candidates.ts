import type { Kind } from '../../core/schemas.ts';
import type { Boundary } from '../boundaries/boundary.ts';
import { isBoundaryId } from '../boundaries/ids.ts';
import type { Snapshot } from '../boundaries/reads.ts';
import { foldName, stripTypeWords } from '../names/fold.ts';
import { compactCode } from '../names/names.ts';
import { FUZZY_STEP, matchOf, PREFIX_STEP } from '../search/candidates.ts';
import { CORRECTED_STEP, searchTypos } from '../search/corrections.ts';
import type { Lookups } from '../search/lookups.ts';
import { withoutDuplicates } from '../search/ranking.ts';
import { formsOfContainer } from '../search/readings.ts';
import { searchReadings } from '../search/search_readings.ts';
import type { Candidate, PlaceRow } from './match_rows.ts';

/** Boundaries of one name that are looked at. */
const MOST_NAMED = 200;
/** Boundaries of one code, and forms of a name that are searched with slips. */
const MOST_CODED = 50;
const MOST_FORMS = 3;
/** Boundaries and containers that are cached. */
const MOST_CACHED = 50_000;
/** An id with its scheme: digits alone are a code. */
export const WITH_SCHEME = /^[rw]\d+$|:/i;

/** A place around a row: any of these boundaries. Empty: no stored place has the name. */
type Around = readonly { readonly id: string; readonly country: string | null }[];

/** What a row requires of its boundary. */
export interface Required {
  readonly around: readonly Around[];
  readonly adminLevel: number | null;
  readonly kinds: readonly Kind[];
  /** What the row names around it that is not stored. */
  readonly unknown: readonly string[];
}

/** Whether a boundary is what a row requires. */
export function fits(boundary: Boundary, { around, adminLevel, kinds }: Required): boolean {
  if (adminLevel !== null && boundary.admin_level !== adminLevel) return false;
  if (kinds.length > 0 && !kinds.includes(boundary.kind)) return false;
  return around.every(
    (places) =>
      places.length === 0 ||
      places.some(
        ({ id, country }) =>
          boundary.id === id ||
          (country !== null && boundary.countries.includes(country)) ||
          boundary.parents.some((parent) => parent.id === id),
      ),
  );
}

/** Looks up what rows may mean, at one revision of the data. */
export class CandidateSource {
  private readonly lookups: Lookups;
  private readonly reading: Snapshot;
  private readonly boundaries = new Map<string, Boundary>();
  private readonly places = new Map<string, Around>();
  private preferred: ReadonlyMap<string, number> | null = null;

  constructor(lookups: Lookups, reading: Snapshot) {
    this.lookups = lookups;
    this.reading = reading;
  }

  /** The places that a text around a row names: a name, a code or an id. */
  async around(text: string): Promise<Around> {
    const folded = foldName(text);
    const known = this.places.get(folded);
    if (known !== undefined) return known;
    const found: { readonly id: string; readonly country: string | null }[] =
      folded === '' ? [] : [...(await this.lookups.containers(formsOfContainer(folded)))];
    if (found.length === 0 && WITH_SCHEME.test(text.trim()) && isBoundaryId(text.trim())) {
      const [one] = await this.reading.lookup([text.trim()]);
      if (one) found.push({ id: one.id, country: one.admin_level === 2 ? one.boundary.country : null });
    }
    if (this.places.size >= MOST_CACHED) this.places.clear();
    this.places.set(folded, found);
    return found;
  }

  /** Candidates of rows by whole names, as they are written. */
  async byName(rows: readonly PlaceRow[]): Promise<Candidate[][]> {
    const folded = rows.map(({ name }) => foldName(name));
    const wanted = [...new Set(folded)].filter((name) => name !== '');
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
    return folded.map((name) => made.get(name) ?? []);
  }

  /** Candidates of a row by its code or id. */
  async byCode(text: string): Promise<Candidate[]> {
    const trimmed = text.trim();
    if (trimmed === '' || trimmed.length > MOST_LETTERS) return [];
    if (WITH_SCHEME.test(trimmed) && isBoundaryId(trimmed)) {
      const [found] = await this.reading.lookup([trimmed]);
      return found ? [{ boundary: found.boundary, match: 'code', step: 0 }] : [];
    }
    const code = compactCode(trimmed);
    if (code === '') return [];
    const asked = { name: code, code, id: null, completesCodes: false, within: null, most: MOST_CODED };
    const rows = (await this.lookups.names(asked)).filter(({ step }) => step === CODE_STEP);
    const read = await this.read(rows.map(({ id }) => id));
    return this.distinct(
      rows.flatMap(({ id }) => {
        const boundary = read.get(id);
        return boundary ? [{ boundary, match: 'code' as const, step: 0 }] : [];
      }),
    );
  }

  /**
   * Candidates of a row by other readings of its name: without type words, written out, with a place behind it. Those
   * that do not fit all words are `partial`, and only returned where no other is found.
   */
  async byReading({ name }: PlaceRow): Promise<Candidate[]> {
    const { found } = await searchReadings(this.lookups, name.slice(0, MOST_LETTERS), false);
    const all = found.filter(({ step }) => step < PREFIX_STEP);
    const fitting = all.filter(({ partial }) => partial !== true);
    const whole = fitting.length > 0 ? fitting : all;
    const read = await this.read(whole.map(({ id }) => id));
    return this.distinct(
      whole
        .sort((a, b) => a.step - b.step)
        .flatMap((one): Candidate[] => {
          const boundary = read.get(one.id);
          if (!boundary) return [];
          return [
            { boundary, match: matchOf(one) === 'exact' ? 'exact' : 'alias', step: one.step, partial: one.partial },
          ];
        }),
    );
  }

  /** Candidates of a row whose whole names are one or two slips away. */
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

/** Letters of a name or code that are looked up, as in a search. */
const MOST_LETTERS = 200;
/** The step of search_names for a whole code. */
const CODE_STEP = 2;

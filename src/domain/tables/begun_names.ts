import type { Boundary } from '../boundaries/boundary.ts';
import { foldName } from '../names/fold.ts';
import { PREFIX_STEP } from '../search/candidates.ts';
import type { Lookups } from '../search/lookups.ts';
import { abbreviatedWords, abbreviates } from './abbreviated.ts';
import { type Cut, isCutOf } from './cut.ts';
import { type Candidate, LANGUAGES } from './match_rows.ts';
import type { StoredPlaces } from './stored_places.ts';

/** The step of a name that is abbreviated: after whole names, before typos. */
const SHORT_STEP = 2.5;
/** Names with one first letter, of one level and country, that an abbreviation is compared with. */
const MOST_BEGUN = 400;
const MOST_STARTS = 500;

/** Finds places by the start of their names, which columns cut and people abbreviate, at one revision of the data. */
export class BegunNames {
  private readonly lookups: Lookups;
  private readonly stored: StoredPlaces;
  private readonly begun = new Map<string, { readonly boundary: Boundary; readonly names: readonly string[] }[]>();

  constructor(lookups: Lookups, stored: StoredPlaces) {
    this.lookups = lookups;
    this.stored = stored;
  }

  /**
   * Candidates of a name that is abbreviated: those of a few hundred boundaries, which are the column's, that have a
   * name that it is short for. None where there are more.
   */
  async shortFor(name: string): Promise<Candidate[]> {
    const words = abbreviatedWords(name);
    if (words === null) return [];
    const [first = ''] = words;
    // Where many names begin with its letter, those are read that begin with the abbreviation.
    const ofLetter = await this.beginning(first.charAt(0));
    const named = ofLetter.length > 0 || first.length < 2 ? ofLetter : await this.beginning(first);
    const meant = named.filter(({ names }) => names.some((one) => abbreviates(words, one)));
    return this.stored.distinct(meant.map(({ boundary }) => ({ boundary, match: 'alias', step: SHORT_STEP })));
  }

  /** Candidates of a name that is cut: those that it is the start of, as the column cuts names. */
  async startedBy(name: string, cut: Cut): Promise<Candidate[]> {
    const folded = foldName(name);
    const asked = { name: folded, code: folded, id: null, completesCodes: false, within: null, most: MOST_BEGUN };
    const rows = (await this.lookups.names(asked)).filter(({ step }) => step <= PREFIX_STEP);
    const ids = rows.length >= MOST_BEGUN ? [] : [...new Set(rows.map(({ id }) => id))];
    const read = await this.stored.read(ids);
    let begun = ids.flatMap((id) => read.get(id) ?? []).filter((one) => isCutOf(name, one.name, cut));
    if (begun.length === 0) {
      const names = await this.stored.namesOf(ids, LANGUAGES);
      begun = ids.flatMap((id) => {
        const { local = '', names: others = {} } = names.get(id) ?? {};
        const one = [local, ...Object.values(others)].some((text) => isCutOf(name, text, cut))
          ? read.get(id)
          : undefined;
        return one ?? [];
      });
    }
    return this.stored.distinct(begun.map((boundary) => ({ boundary, match: 'alias', step: SHORT_STEP })));
  }

  /** Boundaries of this country and level with a name that begins with a text, and their names, folded; none of too many. */
  private async beginning(start: string) {
    const known = this.begun.get(start);
    if (known !== undefined) return known;
    const asked = { name: start, code: start, id: null, completesCodes: false, within: null, most: MOST_BEGUN };
    const rows = await this.lookups.names(asked);
    const ids = rows.length >= MOST_BEGUN ? [] : rows.map(({ id }) => id);
    const [read, names] = [await this.stored.read(ids), await this.stored.namesOf(ids, LANGUAGES)];
    const list = ids.flatMap((id) => {
      const [boundary, own] = [read.get(id), names.get(id)];
      if (!boundary || !own) return [];
      return { boundary, names: [boundary.name, own.local, ...Object.values(own.names)].map(foldName) };
    });
    if (this.begun.size >= MOST_STARTS) this.begun.clear();
    this.begun.set(start, list);
    return list;
  }
}

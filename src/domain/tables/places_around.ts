import type { Boundary } from '../boundaries/boundary.ts';
import { isBoundaryId } from '../boundaries/ids.ts';
import type { Snapshot } from '../boundaries/reads.ts';
import { foldName } from '../names/fold.ts';
import { PREFIX_STEP } from '../search/candidates.ts';
import type { Lookups } from '../search/lookups.ts';
import { placesNamed } from '../search/search_readings.ts';
import { CUT_FROM } from './cut.ts';
import { withoutNotes } from './marks.ts';
import { pressState } from './press.ts';
import type { Around, PlaceAround } from './required.ts';
import type { StoredPlaces } from './stored_places.ts';
import { otherOrders } from './written.ts';

/** Texts that are cached. */
const MOST_CACHED = 50_000;
/** Places that a text around a row may begin, and the innermost level of such a place. */
const MOST_AROUND = 100;
const INNERMOST_AROUND = 6;
/** An id with its scheme: digits alone are a code. */
export const WITH_SCHEME = /^[rw]\d+$|:/i;

/** Looks up the places around rows, at one revision of the data. */
export class PlacesAround {
  private readonly lookups: Lookups;
  private readonly reading: Snapshot;
  private readonly stored: StoredPlaces;
  private readonly places = new Map<string, Around>();

  constructor(lookups: Lookups, reading: Snapshot, stored: StoredPlaces) {
    this.lookups = lookups;
    this.reading = reading;
    this.stored = stored;
  }

  /**
   * The places that a text around a row names: a name, a code or an id; of one that may be cut, those that it begins, where
   * none has it.
   */
  async named(text: string, mayBeCut = false): Promise<Around> {
    const key = `${foldName(text)}|${mayBeCut}`;
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const found: PlaceAround[] = [...(await this.placesOf(text))];
    if (found.length === 0 && WITH_SCHEME.test(text.trim()) && isBoundaryId(text.trim())) {
      const [one] = await this.reading.lookup([text.trim()]);
      if (one) found.push({ id: one.id, country: one.admin_level === 2 ? one.boundary.country : null });
    }
    if (found.length === 0 && mayBeCut && text.length >= CUT_FROM)
      found.push(...(await this.placesBegun(foldName(text))));
    if (this.places.size >= MOST_CACHED) this.places.clear();
    this.places.set(key, found);
    return found;
  }

  /**
   * Places that may contain others and whose name begins with a text that ends within a word: "North Caro", while "Santiago"
   * may be one that is not stored. None where there are many.
   */
  private async placesBegun(folded: string): Promise<Around> {
    const rows = (await this.lookups.begun(folded, MOST_AROUND)).filter(({ step }) => step <= PREFIX_STEP);
    const read = rows.length >= MOST_AROUND ? new Map() : await this.stored.read(rows.map(({ id }) => id));
    return [...new Set(rows.map(({ id }) => id))].flatMap((id): PlaceAround[] => {
      const one: Boundary | undefined = read.get(id);
      if (!one || one.admin_level === null || one.admin_level > INNERMOST_AROUND) return [];
      const name = foldName(one.name);
      if (!name.startsWith(folded) || name.charAt(folded.length) === ' ') return [];
      return [{ id, country: one.admin_level === 2 ? one.country : null }];
    });
  }

  /** Places with a name; where none has it, with the first of its other spellings that some place has. */
  private async placesOf(text: string): Promise<Around> {
    const clean = withoutNotes(text);
    const spellings = [...new Set([text, clean, ...otherOrders(clean)].map(foldName))].filter((name) => name !== '');
    // "Ind." may be Indiana, and the code of India.
    const state = pressState(text);
    const places = await placesNamed(this.lookups, state === null ? spellings : [...spellings, foldName(state)]);
    const found = spellings.map((name) => places.get(name) ?? []).find(({ length }) => length > 0) ?? [];
    return state === null ? found : [...found, ...(places.get(foldName(state)) ?? [])];
  }
}

import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Boundary } from '../boundaries/boundary.ts';
import type { Boundaries } from '../boundaries/reads.ts';
import type {
  ContainerHit,
  ExactHit,
  NameFilters,
  NameHit,
  NameQuery,
  Names,
  SimilarHit,
  SimilarQuery,
  StepOf,
} from '../read_model/names.ts';
import { isShortWord, lettersOf, oneEditAway } from './typos.ts';

/** Alternatives for what must contain the results; `country` is set if the place is a country. Null: no restriction. */
export type Within = readonly Pick<ContainerHit, 'id' | 'country'>[] | null;

type LookupQuery<T extends NameFilters> = Omit<T, keyof NameFilters> & { readonly within: Within };
type Rows<T> = readonly T[] | Promise<readonly T[]>;

/** Name lookups of one search, with its filters: in memory or by SQL statements, with the same results. */
export interface Lookups {
  /** Finds names equal to or starting with a text, and codes. */
  names(query: LookupQuery<NameQuery>): Rows<NameHit>;
  /** Finds boundaries with exactly these folded names, at most `most` for each. */
  exact(names: readonly string[], within: Within, most: number): Rows<ExactHit>;
  /** Finds places with these names that contain others. */
  containers(names: readonly string[]): Rows<ContainerHit>;
  /** Returns spellings one typo away from a text: at least those that some name starts with. */
  typos(folded: string): readonly string[];
  /** Finds names that resemble a text and to which `stepOf` gives a step. */
  similar(query: LookupQuery<SimilarQuery>, stepOf: StepOf): Rows<SimilarHit>;
  /** Finds names equal to or starting with a text, without the filters of the search, at most `most` per step. */
  begun(start: string, most: number): Rows<NameHit>;
  /** Reads boundaries by canonical id, in the order given; unknown ids are left out. */
  boundaries(ids: readonly string[]): Rows<Boundary>;
}

type Filters = Omit<NameFilters, 'within'>;

function placesOf(within: Within): { readonly ids: string[]; readonly countries: string[] } | null {
  if (within === null) return null;
  const countries = within.flatMap(({ country }) => (country === null ? [] : [country]));
  return { ids: [...new Set(within.map(({ id }) => id))], countries };
}

const ANYTHING = { country: null, kind: null, adminLevel: null, within: null };

function begunWith(start: string, most: number): LookupQuery<NameQuery> {
  return { name: start, code: start.replaceAll(' ', ''), id: null, completesCodes: false, within: null, most };
}

/** Creates lookups on the names in memory, at one revision of the data. */
export function lookupsInMemory(names: Names, filters: Filters): Lookups {
  return {
    names: (query) => names.find({ ...query, ...filters, within: placesOf(query.within) }),
    exact: (wanted, within, most) => names.exact(wanted, { ...filters, within: placesOf(within) }, most),
    containers: (wanted) => names.containers(wanted),
    typos: (folded) => (isShortWord(folded) ? names.spellings(folded) : oneEditAway(folded)),
    similar: (query, stepOf) => names.similar({ ...query, ...filters, within: placesOf(query.within) }, stepOf),
    begun: (start, most) => names.find({ ...begunWith(start, most), ...ANYTHING }),
    boundaries: (ids) => names.boundaries(ids),
  };
}

/** Creates lookups by SQL statements. */
export function lookupsInDatabase(
  db: Database,
  boundaries: Pick<Boundaries, 'byIds'>,
  { country, kind, adminLevel }: Filters,
): Lookups {
  const filters = [country, kind, adminLevel] as const;
  const containing = (within: Within): readonly [ids: string[] | null, countries: string[] | null] => {
    const places = placesOf(within);
    return [places?.ids ?? null, places?.countries ?? null];
  };
  const named = ({ name, code, id, completesCodes, within, most }: LookupQuery<NameQuery>, wanted: typeof filters) =>
    db.query(loadQuery('search_names'), [name, code, id, completesCodes, ...wanted, most, ...containing(within)]);
  return {
    names: (query) => named(query, filters),
    begun: (start, most) => named(begunWith(start, most), [null, null, null]),
    exact: (wanted, within, most) =>
      db.query(loadQuery('search_exact'), [wanted, ...containing(within), ...filters, most]),
    containers: (wanted) => db.query(loadQuery('search_containers'), [wanted]),
    typos: (folded) => oneEditAway(folded),
    similar: ({ ascii, likeness, spellings, end, within, most }, stepOf) =>
      db.transaction(async (tx) => {
        await tx.query(loadQuery('search_threshold'), [String(likeness)]);
        const values = [ascii, spellings, end, most, ...filters, ...containing(within)] as const;
        const rows = await tx.query(loadQuery('search_typos'), values);
        return rows.flatMap(({ folded, name_type, ...row }) => {
          const name = lettersOf(folded);
          const step = stepOf(name, name.length, { type: name_type, weight: row.weight });
          return step === null ? [] : [{ ...row, step }];
        });
      }),
    boundaries: async (ids) => (await boundaries.byIds(ids)).map(({ boundary }) => boundary),
  };
}

/** Letters that a text counts at least in the budget of withTypoBudget(). */
const FEWEST_LETTERS = 16;

/**
 * The same lookups, of which those by likeness find nothing more once the budget, in letters of the texts compared, is spent:
 * the longer a text, the more names share a part of its trigrams. Lookups by spellings alone are cheap and not counted.
 */
export function withTypoBudget(lookups: Lookups, budget: { letters: number }): Lookups {
  return {
    ...lookups,
    similar: (query, stepOf) => {
      if (query.ascii === null) return lookups.similar(query, stepOf);
      if (budget.letters <= 0) return [];
      budget.letters -= Math.max(FEWEST_LETTERS, query.ascii.length);
      return lookups.similar(query, stepOf);
    },
  };
}

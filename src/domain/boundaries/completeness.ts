/** How complete the data of each country is, and which boundary kinds the kinds table lacks. */
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { watchRevision } from './revision.ts';

/** Boundaries of a country and admin_level that only have the default kind of their level. */
export interface UnknownKind {
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly admin_level: number | null;
  readonly boundaries: number;
  /** Ids of up to three of them. */
  readonly examples: readonly string[];
}

/** Completeness of one country. */
export interface CountryCompleteness {
  /** ISO 3166-1 alpha-2; null: in no country. */
  readonly country: string | null;
  /** Administrative boundaries by admin_level, lowest first. */
  readonly levels: readonly { readonly admin_level: number | null; readonly boundaries: number }[];
  readonly postal_code: {
    /** `mapped`: at least one area has geometry. reverse_boundaries reports the same state. */
    readonly state: 'mapped' | 'not_mapped';
    readonly boundaries: number;
    /** Area of the postcode areas as a fraction of that of the country's largest level; null if either is missing. */
    readonly share: number | null;
  };
  /** `broken`: boundaries without a shape; `stale`: boundaries that keep an older shape. */
  readonly broken: number;
  readonly stale: number;
  readonly sources: readonly string[];
}

export interface CompletenessReport {
  /** Pairs of country and admin_level that the kinds table lacks, the most frequent first; cached per revision. */
  unknownKinds(): Promise<UnknownKind[]>;
  /** Completeness of one country (code) or of all, by country code. */
  byCountry(country?: string): Promise<CountryCompleteness[]>;
  /**
   * Completeness of all countries, of the current data or at most a minute old. It reads every row, at most once per
   * revision and once a minute, however many callers ask.
   */
  recent(): Promise<readonly CountryCompleteness[]>;
}

/** A cached report, its revision, and the time it was made in milliseconds. */
interface CachedReport<T> {
  readonly revision: number;
  readonly at: number;
  readonly report: Promise<T>;
}

/** Maximum age of a report that is returned although the data has changed. */
const RECENT_MS = 60_000;

interface Row {
  readonly country: string | null;
  readonly type: 'administrative' | 'postal_code';
  readonly admin_level: number | null;
  readonly boundaries: number;
  readonly broken: number;
  readonly stale: number;
  readonly area_km2: number;
  readonly sources: readonly string[];
}

/** The report of completeness over a database. */
export function createCompletenessReport(
  db: Database,
  now: () => number = () => performance.now(),
): CompletenessReport {
  const revisions = watchRevision(db);
  let last: CachedReport<CountryCompleteness[]> | null = null;
  let kinds: CachedReport<UnknownKind[]> | null = null;
  async function byCountry(country?: string): Promise<CountryCompleteness[]> {
    const rows = await db.query(loadQuery('completeness_by_country'), [country ?? null]);
    const codes = [...new Set(rows.map((row) => row.country))];
    return codes.map((code) =>
      ofCountry(
        code,
        rows.filter((row) => row.country === code),
      ),
    );
  }
  return {
    async unknownKinds() {
      const revision = await revisions.current();
      if (kinds?.revision !== revision) {
        const made: CachedReport<UnknownKind[]> = {
          revision,
          at: now(),
          report: db.query(loadQuery('completeness_unknown_kinds')),
        };
        kinds = made;
        made.report.catch(() => {
          if (kinds === made) kinds = null;
        });
      }
      return kinds.report;
    },
    byCountry,
    async recent() {
      const revision = await revisions.current();
      if (last === null || (last.revision !== revision && now() - last.at >= RECENT_MS)) {
        const made: CachedReport<CountryCompleteness[]> = { revision, at: now(), report: byCountry() };
        last = made;
        made.report.catch(() => {
          if (last === made) last = null;
        });
      }
      return last.report;
    },
  };
}

function ofCountry(country: string | null, rows: readonly Row[]): CountryCompleteness {
  const levels = rows.filter(({ type }) => type === 'administrative');
  const postcodes = rows.filter(({ type }) => type === 'postal_code');
  const sum = (some: readonly Row[], of: 'boundaries' | 'broken' | 'stale' | 'area_km2') =>
    some.reduce((total, row) => total + row[of], 0);
  const land = Math.max(0, ...levels.map(({ area_km2 }) => area_km2));
  const withShape = sum(postcodes, 'boundaries') - sum(postcodes, 'broken');
  return {
    country,
    levels: levels.map(({ admin_level, boundaries }) => ({ admin_level, boundaries })),
    postal_code: {
      state: withShape > 0 ? 'mapped' : 'not_mapped',
      boundaries: sum(postcodes, 'boundaries'),
      share: land > 0 && withShape > 0 ? Math.round((1000 * sum(postcodes, 'area_km2')) / land) / 1000 : null,
    },
    broken: sum(rows, 'broken'),
    stale: sum(rows, 'stale'),
    sources: [...new Set(rows.flatMap(({ sources }) => sources))].sort(),
  };
}

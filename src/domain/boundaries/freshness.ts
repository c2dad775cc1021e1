/** How fresh the data is: when sources were imported, which updates were applied, which shapes are outdated. */
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';

/** A boundary that keeps an older shape, with the reason, the position (degrees) and the time since when. */
export interface StaleBoundary {
  readonly id: string;
  readonly name: string;
  readonly type: 'administrative' | 'postal_code';
  readonly admin_level: number | null;
  readonly country: string | null;
  readonly source: string;
  readonly stale: {
    readonly reason: string;
    readonly lat: number | null;
    readonly lon: number | null;
    readonly since: string;
  };
}

/** Status of a source. Times are RFC 3339 UTC. */
export interface SourceStatus {
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly license: string;
  readonly attribution: string;
  readonly imported_at: string;
  /** Time of its newest data; null if its files do not say. */
  readonly data_at: string | null;
  /** Of the file imported last, as its publisher names it; null if not stated. */
  readonly edition: string | null;
  /** Of the file imported last: a code such as EPSG:2154, else a name; null if it stated none. */
  readonly reference_system: string | null;
  /** How far its places may be off after the transformation to WGS 84, in meters; 0 if none was needed, null if not known. */
  readonly accuracy_m: number | null;
  readonly boundaries: number;
  readonly with_geometry: number;
  readonly stale: number;
  readonly broken: number;
}

/** How far updates were applied: from a replication folder, or (address null) from files given by hand. */
export interface UpdateStatus {
  readonly address: string | null;
  readonly sequence: number | null;
  readonly data_at: string | null;
  readonly applied_at: string;
}

export interface Freshness {
  status(): Promise<{ sources: SourceStatus[]; updates: UpdateStatus[] }>;
  /** The longest stale first. */
  stale(): Promise<StaleBoundary[]>;
  /** Number of stale boundaries by class of reason. */
  staleByReason(): Promise<Record<string, number>>;
}

/** Reports how fresh the data of a database is. */
export function createFreshness(db: Database): Freshness {
  const stale = () => db.query(loadQuery('stale_list'));
  return {
    async status() {
      const sources = await db.query(loadQuery('data_status'));
      const updates = await db.query(loadQuery('data_updates'));
      return {
        sources: sources.map((one) => ({
          ...one,
          imported_at: time(one.imported_at),
          data_at: timeOrNull(one.data_at),
        })),
        updates: updates.map((one) => ({
          address: one.address || null,
          sequence: one.sequence,
          data_at: timeOrNull(one.data_at),
          applied_at: time(one.applied_at),
        })),
      };
    },
    stale,
    async staleByReason() {
      const counts: Record<string, number> = Object.fromEntries([...CLASSES, 'other'].map((name) => [name, 0]));
      for (const { stale: why } of await stale()) {
        const name = classOf(why.reason);
        counts[name] = (counts[name] ?? 0) + 1;
      }
      return counts;
    },
  };
}

const CLASSES = ['area', 'missing', 'open', 'crossing'] as const;

/** Class of the problem that a reason describes. */
function classOf(reason: string): string {
  if (reason.startsWith('area ')) return 'area';
  if (reason.includes('missing ')) return 'missing';
  if (reason.includes('open ring')) return 'open';
  return /cross|lie on|twice|walk/.test(reason) ? 'crossing' : 'other';
}

const time = (value: string | Date) => new Date(value).toISOString();
const timeOrNull = (value: string | Date | null) => value && time(value);

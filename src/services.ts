import type { Logger } from 'pino';
import type { Blobs } from './adapters/blobs.ts';
import type { Payments } from './adapters/payments.ts';
import type { Metrics } from './common/metrics.ts';
import type { Config } from './config.ts';
import type { Caller } from './core/access.ts';
import type { Cost } from './core/cost.ts';
import type { Pin } from './core/pins.ts';
import type { ReadSets } from './core/read_sets.ts';
import type { Database } from './db/connect.ts';
import type { Billing } from './domain/billing/billing.ts';
import type { RateVerdict } from './domain/billing/limits.ts';
import type { Feedback } from './domain/boards/feedback.ts';
import type { Reviews } from './domain/boards/reviews.ts';
import type { CompletenessReport } from './domain/boundaries/completeness.ts';
import type { Freshness } from './domain/boundaries/freshness.ts';
import type { Boundaries } from './domain/boundaries/reads.ts';
import type { TileSelections } from './domain/boundaries/tile_selections.ts';
import type { Outbox } from './domain/delivery/outbox.ts';
import type { Jobs } from './domain/jobs/job.ts';
import type { FileBlobs } from './domain/library/blobs.ts';
import type { Files } from './domain/library/file_entry.ts';
import type { Accounts } from './domain/people/accounts.ts';
import type { DeviceCodes } from './domain/people/device_codes.ts';
import type { Invites } from './domain/people/invites.ts';
import type { Keys } from './domain/people/keys.ts';
import type { OAuth } from './domain/people/oauth.ts';
import type { Orgs } from './domain/people/orgs.ts';
import type { Sessions } from './domain/people/sessions.ts';
import type { SignIn } from './domain/people/sign_in.ts';
import type { Teams } from './domain/people/teams.ts';
import type { NameIndex } from './domain/read_model/name_index.ts';
import type { RemoteSearch } from './domain/search/elsewhere.ts';
import type { Sets } from './domain/sets/area_set.ts';
import type { Subscriptions } from './domain/subscriptions/subscription.ts';
import type { Upstream } from './domain/upstream/upstream.ts';
import type { Cache } from './geometry/cached.ts';
import type { Encodings } from './geometry/encodings.ts';
import type { Engine } from './geometry/engine.ts';

/** Whether this process can answer, check by check (/readyz). */
export interface Readiness {
  readonly ready: boolean;
  /** `ok`, or one sentence about what is wrong. */
  readonly checks: Readonly<Record<string, string>>;
}

/** Progress of loading the seed data while calls are answered from what is stored: `done` of `total` sets. */
export interface Loading {
  readonly step: string;
  readonly done: number;
  readonly total: number;
}

/** The services that operations work with; app.ts assembles them. */
export interface Services {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly db: Database;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly orgs: Orgs;
  readonly teams: Teams;
  readonly invites: Invites;
  readonly sessions: Sessions;
  readonly oauth: OAuth;
  readonly signIn: SignIn;
  readonly deviceCodes: DeviceCodes;
  /** For cookies and signatures, newest first. */
  readonly secretKeys: readonly string[];
  /** Outgoing mail; an operation adds it in its own transaction. */
  readonly outbox: Outbox;
  readonly billing: Billing;
  /** Null: the operators set the plans. */
  readonly payments: Payments | null;
  readonly feedback: Feedback;
  readonly reviews: Reviews;
  readonly boundaries: Boundaries;
  /** The last change up to the date as of which boundaries are read, `2015-01-01`; absent: they are of today. */
  readonly asOf?: string;
  /** The moment of which boundaries are read as they were stored; absent: they are as stored now. */
  readonly pin?: Pin;
  /** With asOf, pin or sets: the services of today. */
  readonly present?: Services;
  /** Area sets that boundaries are read with; absent: only official boundaries are read. */
  readonly sets?: ReadSets;
  /** The area sets of organizations. */
  readonly areaSets: Sets;
  /** Names in memory, for search; absent: searches query the database. */
  readonly names?: NameIndex;
  /** Null: nothing is fetched from upstream sources. */
  readonly upstream: Upstream | null;
  /** When data was imported, and which boundaries keep an older shape. */
  readonly freshness: Freshness;
  /** Searches an external service for unknown names; null when none is configured. */
  readonly searchElsewhere: RemoteSearch | null;
  readonly completeness: CompletenessReport;
  readonly engine: Engine;
  /** Finished answers in memory. */
  readonly cache: Cache;
  /** Compressed bodies, in the same cache. */
  readonly encodings: Encodings;
  /** Cache of exports that anyone may fetch by their content hash. */
  readonly blobs: Blobs;
  /** Cache of vector tiles, by what is in them. */
  readonly tileBlobs: Blobs;
  /** Selections that tiles are drawn from. */
  readonly tileSelections: TileSelections;
  readonly files: Files;
  readonly fileBlobs: FileBlobs;
  readonly jobs: Jobs;
  readonly subscriptions: Subscriptions;
  /** What each operation costs, which get_pricing lists. */
  readonly ops: readonly { readonly name: string; readonly cost: Cost }[];
  /**
   * Counts requests, one by default, against the limit of an organization or, without one, of a network. Exports
   * without a key have a count of their own; so have tiles, in tenths of a request. Null: requests are not limited.
   */
  readonly admit:
    | ((
        caller: Caller,
        network: string,
        what?: 'call' | 'export' | 'tile',
        requests?: number,
      ) => RateVerdict | Promise<RateVerdict>)
    | null;
  /** Checks the database, the pool and the data. */
  ready(): Promise<Readiness>;
  /** Progress of loading the seed data, during which answers may be incomplete and say so; null when all is loaded. */
  loading(): Loading | null;
}

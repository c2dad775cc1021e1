import type { Logger } from 'pino';
import type { Blobs } from './adapters/blobs.ts';
import type { Payments } from './adapters/payments.ts';
import type { Config } from './config.ts';
import type { Database } from './db/connect.ts';
import type { Accounts } from './domain/accounts.ts';
import type { Billing } from './domain/billing.ts';
import type { Boundaries } from './domain/boundaries_model.ts';
import type { CoverageReport } from './domain/completeness.ts';
import type { DeviceCodes } from './domain/device_codes.ts';
import type { Feedback } from './domain/feedback.ts';
import type { FileBlobs } from './domain/file_blobs.ts';
import type { Files } from './domain/files_model.ts';
import type { Freshness } from './domain/freshness.ts';
import type { Invites } from './domain/invites.ts';
import type { Jobs } from './domain/jobs_model.ts';
import type { Keys } from './domain/keys.ts';
import type { Admission } from './domain/limits.ts';
import type { OAuth } from './domain/oauth.ts';
import type { Orgs } from './domain/orgs.ts';
import type { Outbox } from './domain/outbox.ts';
import type { NameIndex } from './domain/read_model/name_index.ts';
import type { Reviews } from './domain/reviews.ts';
import type { SearchElsewhere } from './domain/search_elsewhere.ts';
import type { Sessions } from './domain/sessions.ts';
import type { SignIn } from './domain/sign_in.ts';
import type { Teams } from './domain/teams.ts';
import type { TileSelections } from './domain/tile_selections.ts';
import type { Upstream } from './domain/upstream/ask.ts';
import type { Engine } from './geometry/engine.ts';
import type { Metrics } from './metrics.ts';
import type { AnyOp, Caller } from './op.ts';

/** Whether this process can answer, part by part (/readyz). */
export interface Readiness {
  readonly ready: boolean;
  /** `ok`, or one sentence about what is wrong. */
  readonly checks: Readonly<Record<string, string>>;
}

/** What of the seed data is being loaded while calls are answered from what is stored: `done` of `total` sets are. */
export interface Loading {
  readonly step: string;
  readonly done: number;
  readonly total: number;
}

/** What operations are given to work with; app.ts puts it together. */
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
  /** Mail: an operation puts it in its own transaction. */
  readonly outbox: Outbox;
  readonly billing: Billing;
  /** Null: plans are set by those who run the service. */
  readonly payments: Payments | null;
  readonly feedback: Feedback;
  readonly reviews: Reviews;
  readonly boundaries: Boundaries;
  /** Names in memory, for search; absent: the database is asked. */
  readonly names?: NameIndex;
  /** Null: nothing is fetched from elsewhere. */
  readonly upstream: Upstream | null;
  /** What was imported when, and what keeps an older shape. */
  readonly freshness: Freshness;
  /** Asks elsewhere for names that are not known; null: no one is asked. */
  readonly searchElsewhere: SearchElsewhere | null;
  readonly coverage: CoverageReport;
  readonly engine: Engine;
  /** Exports that anyone may fetch by their content: a cache. */
  readonly blobs: Blobs;
  /** Vector tiles by what lies in them: a cache. */
  readonly tileBlobs: Blobs;
  /** Selections that tiles are drawn of. */
  readonly tileSelections: TileSelections;
  readonly files: Files;
  readonly fileBlobs: FileBlobs;
  readonly jobs: Jobs;
  /** The registry: get_pricing and the listings read it. */
  readonly ops: readonly AnyOp[];
  /**
   * Counts a request, or as many as it is worth, by organization or, without one, by network; exports that need no key
   * have a count of their own, and so have tiles, in tenths of one. Null: requests are not limited.
   */
  readonly admit:
    | ((
        caller: Caller,
        network: string,
        what?: 'call' | 'export' | 'tile',
        requests?: number,
      ) => Admission | Promise<Admission>)
    | null;
  /** Database, pool and data. */
  ready(): Promise<Readiness>;
  /** What is being loaded: answers may lack it, and say so. Null: all is there. */
  loading(): Loading | null;
}

/** What the test of killed jobs does between the processes that it kills: each opens the database, and closes it. */

import { createHash } from 'node:crypto';
import { openApp } from '../../src/app/app.ts';
import { defined, only } from '../../src/common/elements.ts';
import { createLogger } from '../../src/common/log.ts';
import { loadConfig } from '../../src/config.ts';
import { invoke } from '../../src/core/invoke.ts';
import type { AnyOp } from '../../src/core/op.ts';
import { ops } from '../../src/ops/index.ts';
import type { Services } from '../../src/services.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { FIXTURE_SOURCE, fixtureBoundary, Grid } from '../ops/fixture_world.ts';

type Settings = Readonly<Record<string, string | undefined>>;

/** What a job has come to. */
export interface Report {
  readonly state: unknown;
  readonly charged: unknown;
  readonly done: unknown;
  /** How many files there are. */
  readonly files: number;
  readonly by_op: unknown;
  readonly reserved: number;
  /** Of its file; null without one. */
  readonly sha256: string | null;
}

/** Calls of a service with an account of its own. */
export interface Caller {
  /** Creates a job of the collection; gives its id. */
  create(): Promise<string>;
  /** The SHA-256 of the collection by a single call. */
  single(): Promise<string>;
  report(id: string): Promise<Report>;
}

const SIDE = 12;
const input = { country: 'XA', admin_level: 8, format: 'ndjson', detail: 'full' };

async function withApp<T>(settings: Settings, work: (services: Services) => Promise<T>): Promise<T> {
  const app = await openApp(loadConfig(settings), createLogger('silent'));
  return work(app.services).finally(() => app.close());
}

/** Stores a country of 144 cells. */
export function fill(settings: Settings): Promise<void> {
  return withApp(settings, async ({ db, engine }) => {
    const grid = new Grid();
    const country = fixtureBoundary(
      'r1',
      'Country',
      { ways: grid.around(0, 0, SIDE - 1, SIDE - 1) },
      { adminLevel: 2, countryCode: 'XA' },
    );
    const cells = Array.from({ length: SIDE * SIDE }, (_, i) =>
      fixtureBoundary(`r${1000 + i}`, `Cell ${i}`, { ways: grid.around(i % SIDE, Math.floor(i / SIDE)) }),
    );
    const boundaries = [country, ...cells];
    await storeBoundaries({ db, engine }, { source: FIXTURE_SOURCE, file: 'made', boundaries, ways: grid.ways });
  });
}

/** Opens the service for some calls. */
export function withCaller<T>(settings: Settings, work: (caller: Caller) => Promise<T>): Promise<T> {
  return withApp(settings, async (services) => {
    const { key } = await services.keys.create({ email: 'kill@example.org', name: 'kill', plan: 'pro' });
    const caller = await services.keys.authenticate(key);
    const call = async (name: string, asked: object): Promise<Record<string, unknown>> => {
      const answer = await invoke(ops.find((op) => op.name === name) as AnyOp, asked, {
        caller,
        requestId: 'kill',
        address: null,
        signal: new AbortController().signal,
        deadline: Date.now() + 60_000,
        transport: 'rpc',
        services,
        baseUrl: services.config.BASE_URL,
        headers: {},
      });
      return answer.body as Record<string, unknown>;
    };
    const hashOf = async (file: unknown): Promise<string | null> => {
      if (file === null) return null;
      const blob = only(
        await services.db.query<{ sha256: string; format: 'ndjson'; bytes: number }>(
          'select b.sha256, b.format, b.bytes from file f join file_blob b on b.sha256 = f.sha256 where f.id = $1' as string,
          [file],
        ),
      );
      return createHash('sha256')
        .update(await services.fileBlobs.get(blob))
        .digest('hex');
    };
    return work({
      create: async () => String((await call('create_job', { op: 'export_collection', input })).id),
      single: async () => String((await call('export_collection', input)).sha256),
      async report(id) {
        const { state, charged, done, file_id } = await call('get_job', { id });
        const files = await services.db.query<{ n: number }>('select count(*)::integer as n from file' as string);
        const { by_op } = await call('get_usage', {});
        const { reserved } = only(
          await services.db.query<{ reserved: number }>(
            'select coalesce(sum(reserved), 0)::integer as reserved from unit_month' as string,
          ),
        );
        return { state, charged, done, files: defined(files[0]).n, by_op, reserved, sha256: await hashOf(file_id) };
      },
    });
  });
}

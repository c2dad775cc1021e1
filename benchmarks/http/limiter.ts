import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createLimits, type RateVerdict } from '../../src/domain/billing/limits.ts';
import { BenchDatabase, server } from '../import/native.ts';
import { compared, type Options, type Result, time } from '../measure.ts';

/** A limit that is never reached, so that every request is admitted. */
const LIMIT = 1_000_000_000;
const REQUESTS = 1000;
const OFF: RateVerdict = { headers: {}, refused: null };

/**
 * Measures the cost of the rate limiter per request: in one process, and in processes that share their counts through
 * PostgreSQL. A run is a thousand sequential requests of one organization, including the leases.
 */
export async function benchLimiter(_data: string, options: Options): Promise<Result[]> {
  const home = server();
  if (!home) return [];
  const database = new BenchDatabase(home, 'limiter');
  await database.empty();
  const folder = await mkdtemp(join(tmpdir(), 'boundary-bench-'));
  const db = await openDatabase({ databaseUrl: database.url, dataDir: folder });
  try {
    await migrate(db);
    const rows: Result[] = [];
    for (const shared of [false, true]) {
      const limits = createLimits(db, { shared });
      let refused = 0;
      const ask = (count: () => RateVerdict | Promise<RateVerdict>) => async () => {
        for (let i = 0; i < REQUESTS; i++) {
          const answer = count();
          const { refused: no } = answer instanceof Promise ? await answer : answer;
          if (no) refused++;
        }
      };
      const ours = await time(
        ask(() => limits.count('org_bench', LIMIT)),
        options,
      );
      const none = await time(
        ask(() => OFF),
        options,
      );
      const how = shared ? 'shared by processes' : 'in one process';
      rows.push(compared(`limiter ${how}: ${REQUESTS} requests`, ours, 'no limiter', none, refused === 0));
    }
    return rows;
  } finally {
    await db.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

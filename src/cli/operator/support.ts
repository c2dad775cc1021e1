import { availableParallelism, freemem, release, totalmem } from 'node:os';
import { z } from 'zod';
import type { App } from '../../app/app.ts';
import { maskSecrets, recentLines } from '../../common/log.ts';
import { readVersion } from '../../common/version.ts';
import { shownSettings } from '../../config.ts';
import { loadQuery } from '../../db/query.ts';
import { command } from './command.ts';

/** Lines of each file of a support bundle, by file name. */
export type SupportTexts = Readonly<Record<string, readonly string[]>>;

/** Collects diagnostics for support, without secrets and personal data. */
async function supportTexts({ services }: App): Promise<SupportTexts> {
  const { config, db, metrics, log } = services;
  const lines = (text: string): string[] => maskSecrets(text).split('\n');
  const json = (value: unknown): string[] => lines(JSON.stringify(value, null, 1));
  const { node, v8 } = process.versions;
  return {
    'versions.json': json({
      service: readVersion(),
      node,
      v8,
      system: `${process.platform} ${release()} ${process.arch}`,
      processors: availableParallelism(),
      memory_bytes: totalmem(),
      free_bytes: freemem(),
      uptime_s: Math.round(process.uptime()),
      rss_bytes: process.memoryUsage.rss(),
    }),
    'settings.json': json(shownSettings(config)),
    'database.json': json({ kind: db.kind, ...(await db.query(loadQuery('support_database')))[0] }),
    'migrations.json': json(await db.query(loadQuery('support_migrations'))),
    'tables.json': json(await db.query(loadQuery('support_tables'))),
    'ready.json': json(await services.ready()),
    'metrics.txt': lines(await metrics.page()),
    // The log of this process. That is the server's log when the server owns the database.
    'log.jsonl': recentLines(log).map(maskSecrets),
  };
}

export const supportCommands = {
  support_texts: command({ input: z.strictObject({}), run: (app) => supportTexts(app) }),
};

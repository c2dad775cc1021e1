import { z } from 'zod';
import { asOf, recordedBefore } from '../../core/schemas.ts';
import { keepEditions, keptEditions, pruneEditions, pruneRecords } from '../../sources/prune.ts';
import { command, dataCommand } from './command.ts';

const keep = z.union([
  z.strictObject({ all: z.literal(true) }),
  z.strictObject({ editions: z.int().min(0).max(100_000) }),
  z.strictObject({ since: asOf.unwrap() }),
]);

export const historyCommands = {
  history_kept: command({ input: z.strictObject({}), run: ({ services }) => keptEditions(services.db) }),
  history_keep: command({
    input: z.strictObject({ keep }),
    run: ({ services }, given) => keepEditions(services.db, given.keep),
  }),
  history_prune: dataCommand({
    input: z.strictObject({ apply: z.boolean() }),
    run: ({ services }, { apply }) => pruneEditions(services.db, apply),
  }),
  history_prune_records: dataCommand({
    input: z.strictObject({ apply: z.boolean(), before: recordedBefore.unwrap() }),
    run: ({ services }, { apply, before }) => pruneRecords(services.db, before, apply),
  }),
};

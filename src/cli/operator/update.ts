import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { applyChange } from '../../sources/update/apply.ts';
import { replicate } from '../../sources/update/replication.ts';
import { incompleteBoundaries, supply } from '../../sources/update/supply.ts';
import { command, dataCommand } from './command.ts';
import { unreadable } from './import.ts';

const file = z.string().refine(isAbsolute, 'must be an absolute path');
const accept = z.array(z.string().regex(/^[rw][0-9]+$/, 'must be a canonical id (r… or w…)')).default([]);

export const updateCommands = {
  update_file: dataCommand({
    input: z.strictObject({ file, accept }),
    run: ({ services }, { file, accept }, progress) =>
      applyChange(services, file, { address: '', sequence: null, accept }, progress).catch((error: unknown) => {
        throw unreadable(error);
      }),
  }),
  update_replication: dataCommand({
    input: z.strictObject({
      from: z.url(),
      sequence: z.int().min(0).optional(),
      most: z.int().min(1).optional(),
      accept,
    }),
    run: ({ services }, input, progress) =>
      replicate(services, input, progress).catch((error: unknown) => {
        throw unreadable(error);
      }),
  }),
  update_supply: dataCommand({
    input: z.strictObject({ file }),
    run: ({ services }, { file }, progress) =>
      supply(services, file, progress).catch((error: unknown) => {
        throw unreadable(error);
      }),
  }),
  /** Requests boundaries that wait for missing objects from the upstream source, if there is one. */
  update_refetch: command({
    input: z.strictObject({}),
    run: async ({ services }) => {
      const waiting = (await incompleteBoundaries(services.db)).map(({ id }) => id);
      if (services.upstream) await services.upstream.refetch(waiting);
      return { waiting, asked: services.upstream !== null };
    },
  }),
  admin_stale: command({
    input: z.strictObject({}),
    run: ({ services }) => services.freshness.stale(),
  }),
};

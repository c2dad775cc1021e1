import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { isDate, today } from '../../common/dates.ts';
import { fileTrouble, isNetworkError } from '../../common/system_errors.ts';
import { problem } from '../../core/errors.ts';
import { coverageOptions } from '../../sources/coverage/options.ts';
import { importFile, importSeed } from '../../sources/import.ts';
import { importLand } from '../../sources/import_land.ts';
import { type LandOptions, landOptions } from '../../sources/land_file.ts';
import { SEED_SETS } from '../../sources/seed/all.ts';
import { command, dataCommand } from './command.ts';

/** The date of an edition: of the past or today. */
const editionDate = z
  .string()
  .refine(isDate, 'must be a date, such as 2015-01-01')
  .refine((date) => !isDate(date) || date <= today(), 'must not be in the future');

export const importCommands = {
  import: dataCommand({
    input: z.strictObject({
      file: z.string().refine(isAbsolute, 'must be an absolute path'),
      coverage: coverageOptions.nullable().default(null),
      accept: z.array(z.string()).default([]),
      validFrom: editionDate.nullable().default(null),
      land: landOptions.optional(),
      water: landOptions.optional(),
      waterKm2: z.number().min(0).max(1e6).nullable().default(null),
    }),
    run: ({ services }, { file, coverage: options, accept, validFrom, land, water, waterKm2 }, progress) =>
      (land || water
        ? importLand(services, file, (land ?? water) as LandOptions, progress, land ? 'land' : 'water')
        : importFile(services, file, options, { progress, accept, validFrom, waterKm2 })
      ).catch((error: unknown) => {
        throw unreadable(error);
      }),
  }),
  seed: command({
    input: z.strictObject({ sets: z.array(z.enum(SEED_SETS)).optional() }),
    run: ({ services }, { sets }, progress) => importSeed(services, progress, sets),
  }),
};

/**
 * Maps an error about an unreadable file or an unreachable server to a problem that the caller can act on. Returns
 * errors of our own unchanged.
 */
export function unreadable(error: unknown): unknown {
  const own = error instanceof Error && (error.constructor === Error || 'syscall' in error);
  if (!own) return error;
  if (isNetworkError(error)) return problem('upstream_unavailable', error.message, { retry_after: 30 });
  const message = fileTrouble(error) ?? error.message;
  return problem('invalid_input', message, { issues: [{ path: '', code: 'unreadable', message }] });
}

import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { isDate, today } from '../../common/dates.ts';
import { fileTrouble, isNetworkError } from '../../common/system_errors.ts';
import { problem } from '../../core/errors.ts';
import { latitude, longitude } from '../../core/schemas.ts';
import { importFile, importLand, importSeed } from '../../sources/import.ts';
import type { LandOptions } from '../../sources/land_file.ts';
import { SEED_SETS } from '../../sources/seed/all.ts';
import { command, dataCommand } from './command.ts';

/** The options of a coverage, which an import and a dry run check alike. */
export const coverageInput = z.strictObject({
  source: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,39}$/,
      'must be lower-case letters, digits and hyphens, at most 40, such as ign-communes',
    ),
  name: z.string().max(200).optional(),
  url: z.url().optional(),
  license: z.string().min(1).max(200),
  attribution: z.string().min(1).max(500),
  edition: z.string().min(1).max(200).optional(),
  map: z.record(z.string(), z.string()).optional(),
  values: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  where: z.record(z.string(), z.array(z.string())).optional(),
  adminLevel: z.int().min(1).max(12).optional(),
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly().optional(),
  levels: z
    .array(
      z.strictObject({
        adminLevel: z.int().min(1).max(12),
        id: z.string().min(1).max(200),
        name: z.string().min(1).max(200),
      }),
    )
    .min(1)
    .max(12)
    .optional(),
  country: z.string().min(2).max(3).optional(),
  type: z.enum(['administrative', 'postal_code']).optional(),
  layer: z.string().max(200).optional(),
  object: z.string().max(200).optional(),
  geometry: z.string().max(200).optional(),
  strict: z.boolean().optional(),
  replace: z.boolean().optional(),
  encoding: z.string().max(40).optional(),
  crs: z.string().max(20_000).optional(),
});

/** The date of an edition: of the past or today. */
const editionDate = z
  .string()
  .refine(isDate, 'must be a date, such as 2015-01-01')
  .refine((date) => !isDate(date) || date <= today(), 'must not be in the future');

/** The options of a file of polygons of land or of inland water. */
const landInput = coverageInput
  .pick({
    source: true,
    name: true,
    url: true,
    license: true,
    attribution: true,
    layer: true,
    encoding: true,
    crs: true,
  })
  .extend({ bbox: z.tuple([longitude, latitude, longitude, latitude]).readonly().optional() });

export const importCommands = {
  import: dataCommand({
    input: z.strictObject({
      file: z.string().refine(isAbsolute, 'must be an absolute path'),
      coverage: coverageInput.nullable().default(null),
      accept: z.array(z.string()).default([]),
      validFrom: editionDate.nullable().default(null),
      land: landInput.optional(),
      water: landInput.optional(),
      waterKm2: z.number().min(0).max(1e6).nullable().default(null),
    }),
    run: ({ services }, { file, coverage: options, accept, validFrom, land, water, waterKm2 }, progress) =>
      (land || water
        ? importLand(services, file, (land ?? water) as LandOptions, progress, land ? 'land' : 'water')
        : importFile(services, file, options, progress, accept, undefined, validFrom, waterKm2)
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

import { extension, type FileFormat } from '../../../workers/formats/registry.ts';
import { writeHashed } from '../../adapters/hashed_file.ts';
import { safeCsvParts } from '../../common/safe_csv.ts';
import type { Context } from '../../core/op.ts';
import type { ReadSets } from '../../core/read_sets.ts';
import { acting } from '../orgs/org.ts';

/** A stored file. */
export interface KeptFile {
  readonly url: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** The bytes of a file that keepFile() has stored in this call. */
export function readKept({ services }: Context, { sha256, bytes }: KeptFile, format: FileFormat) {
  return services.sets === undefined
    ? services.blobs.read(sha256, extension(format))
    : services.files.read({ sha256, format, bytes });
}

/** Most sets in the name of a file. */
const MOST_NAMED = 3;

/** The name of a file with areas of sets: `Areas of sets zones, shops (kml)`. */
function nameOf({ names }: ReadSets, format: FileFormat): string {
  const more = names.length > MOST_NAMED ? ', …' : '';
  return `Areas of sets ${names.slice(0, MOST_NAMED).join(', ')}${more} (${format})`;
}

/** Days that a file with areas of sets is kept. */
const PRIVATE_DAYS = 1;
/** Limits of such files of a person in an organization, together: the oldest are deleted first. */
const MOST_PRIVATE = 100;
const MOST_PRIVATE_BYTES = 2 * 2 ** 30;

/**
 * Stores the bytes of a file as they arrive: by their content, for whoever has the url. If areas of sets may be in it, it
 * goes into the library instead, restricted to the caller, for a day.
 * @param madeBy the operation that made it
 * @throws too_large for more than the limit of all exports together; unauthorized for a viewer's file with areas of sets
 */
export async function keepFile(
  ctx: Context,
  written: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  format: FileFormat,
  madeBy: string,
): Promise<KeptFile> {
  const { services, baseUrl } = ctx;
  const parts = ctx.safeCsv && format === 'csv' ? safeCsvParts(written) : written;
  if (services.sets !== undefined) {
    const about = { name: nameOf(services.sets, format), format, madeBy };
    const { url, sha256, bytes } = await keepForDay(ctx, parts, about);
    return { url, sha256, bytes };
  }
  const draft = await services.blobs.draft();
  try {
    const { sha256, bytes } = await write(ctx, parts, draft.path);
    await draft.keep(sha256, extension(format), bytes);
    return { url: `${baseUrl}/v1/exports/${sha256}.${extension(format)}`, sha256, bytes };
  } finally {
    await draft.drop();
  }
}

/**
 * Stores the bytes of a file as they arrive in the library, restricted to the caller, for a day.
 * @throws as keepFile()
 */
export async function keepForDay(
  ctx: Context,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  file: { readonly name: string; readonly format: FileFormat; readonly madeBy: string },
): Promise<KeptFile & { readonly id: string }> {
  const { services, baseUrl } = ctx;
  const draft = await services.fileBlobs.draft();
  try {
    const { sha256, bytes } = await write(ctx, parts, draft.path);
    const { format } = file;
    const sets = services.sets?.ids ?? null;
    const about = { ...file, detail: null, visibility: 'restricted', recipe: null, days: PRIVATE_DAYS, sets } as const;
    const put = () => draft.put({ sha256, format, bytes });
    const by = acting(ctx);
    const { entry } = await services.files.saveMade(by, about, put, async () => undefined);
    await services.files.trim(by, { days: PRIVATE_DAYS, files: MOST_PRIVATE, bytes: MOST_PRIVATE_BYTES });
    return { id: entry.id, url: `${baseUrl}/v1/files/${entry.id}/content`, sha256, bytes };
  } finally {
    await draft.drop();
  }
}

/** Writes bytes into a file, and returns their number and their SHA-256. @throws too_large */
function write(
  { services, signal }: Context,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  path: string,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const advice = 'Ask for lower detail or fewer boundaries.';
  return writeHashed(path, parts, { most: services.config.EXPORT_BYTES, signal, advice });
}

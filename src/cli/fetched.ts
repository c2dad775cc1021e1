import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { FetchedFile, FileFetchOptions } from '../adapters/file_fetch.ts';
import { readSize } from '../common/setting_values.ts';
import { readVersion } from '../common/version.ts';
import { problem } from '../core/errors.ts';
import type { ChosenFile } from '../sources/catalog.ts';
import { type Interrupted, interruption } from './interrupt.ts';
import { progressLine } from './render/terminal.ts';

/** Flags of commands that take addresses and sources of the catalog as files. */
export interface FetchFlags {
  from?: string;
  keep?: string;
  maxBytes?: number;
  sha256?: string;
  allowPrivate?: boolean;
  /** West, south, east, north in degrees. */
  bbox?: readonly [number, number, number, number];
  country?: string;
}

/** Limit of a fetched file unless --max-bytes says another: more than the largest extract of OpenStreetMap but the planet. */
const MAX_BYTES = 64 * 2 ** 30;

/** Adds the options of a command that takes addresses as files. */
export function addFetchOptions(command: Command): Command {
  return command
    .option('--from <address>', 'for @SOURCE: another address of the same file, or the file itself')
    .option('--keep <folder>', 'keep a fetched file here, and go on there if it was broken off')
    .option('--max-bytes <size>', 'limit of a fetched file: 500MiB (default 64GiB)', sizeOption)
    .option('--sha256 <digits>', 'SHA-256 that the fetched file must have', sha256Option)
    .option('--allow-private', 'fetch from private addresses, and file:// addresses, too');
}

/** A file that is there, as a person named it. */
export interface FileInput {
  readonly path: string;
  /** The path or address that the person gave. */
  readonly named: string;
  /** The file of the catalog that it is; null for any other. */
  readonly chosen: ChosenFile | null;
  /** By column: the values that rows must have, where only groups of rows that may have them were fetched. */
  readonly where?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Fetches those of `files` that are addresses or files of the catalog (`@nuts/3`), calls `work` with all, and deletes
 * what was fetched unless it is kept. @throws invalid_input
 */
export async function withFetched(
  files: readonly string[],
  flags: FetchFlags,
  work: (inputs: readonly FileInput[]) => Promise<void>,
): Promise<void> {
  const { isAddress } = await import('../adapters/file_fetch.ts');
  const wanted = await Promise.all(files.map((file) => wantedOf(file, flags)));
  if (!wanted.some(({ file }) => isAddress(file)))
    return work(wanted.map(({ file, chosen }) => ({ path: file, named: file, chosen })));
  const signal = interruption();
  const fetched: FetchedFile[] = [];
  const removeAll = () => {
    for (const { remove } of fetched) remove();
  };
  const fetch = async (address: string, more: Partial<FileFetchOptions> = {}): Promise<string> => {
    const one = await fetchShown(address, flags, signal, more);
    fetched.push(one);
    return one.path;
  };
  const inputs: FileInput[] = [];
  try {
    for (const { file, chosen } of wanted) {
      let address = file;
      const via = flags.from === undefined ? chosen?.file.via : undefined;
      if (via !== undefined)
        address = addressIn(
          await fetch(address, { maxBytes: 2 ** 20, keep: undefined, sha256: undefined }),
          via,
          address,
        );
      const part = isAddress(address) ? await fetchPart(address, flags, chosen, signal) : null;
      if (part) {
        fetched.push(part);
        inputs.push({ path: part.path, named: file, chosen, where: part.where });
      } else inputs.push({ path: isAddress(address) ? await fetch(address) : address, named: file, chosen });
    }
    // From here on, nothing waits for the signal.
    signal.addEventListener('abort', () => {
      removeAll();
      process.exit((signal.reason as Interrupted).exit);
    });
    signal.throwIfAborted();
    await work(inputs);
  } finally {
    removeAll();
  }
}

/** A path or an address, and the file of the catalog that it is. @throws invalid_input */
async function wantedOf(file: string, { from }: FetchFlags): Promise<{ file: string; chosen: ChosenFile | null }> {
  if (!file.startsWith('@')) return { file, chosen: null };
  const [{ chooseFile }, { inCatalog, licenseText }] = await Promise.all([
    import('../sources/catalog.ts'),
    import('./catalog.ts'),
  ]);
  const chosen = inCatalog(() => chooseFile(file.slice(1)));
  process.stderr.write(licenseText(chosen));
  const address = from ?? chosen.file.address;
  if (address !== null) return { file: address, chosen };
  throw problem(
    'invalid_input',
    `@${chosen.name} has no address that stays. Get it from ${chosen.recipe.homepage} and give it with --from.`,
  );
}

/**
 * Fetches of a GeoParquet file only the groups of rows that may have what --bbox, --country or the recipe asks for; null
 * where nothing is asked for, or the server does not give parts of files.
 * @throws invalid_input
 */
async function fetchPart(
  address: string,
  { bbox: box, country, maxBytes = MAX_BYTES, allowPrivate = false, keep, sha256 }: FetchFlags,
  chosen: ChosenFile | null,
  signal: AbortSignal,
): Promise<(FetchedFile & Pick<FileInput, 'where'>) | null> {
  const { PARQUET_ADDRESS, fetchGroups } = await import('./fetched_groups.ts');
  const wanted = { ...(box && { box }), values: chosen?.file.where ?? {}, country };
  const asksNothing = box === undefined && country === undefined && chosen?.file.where === undefined;
  // A file that is kept, or whose checksum is known, is fetched whole.
  if (asksNothing || keep !== undefined || sha256 !== undefined || !PARQUET_ADDRESS.test(address)) return null;
  const { FileFetchError } = await import('../adapters/file_address.ts');
  const progress = progressLine({ lines: true });
  try {
    const userAgent = `boundary-lookup/${readVersion()}`;
    return await fetchGroups(address, wanted, { maxBytes, allowPrivate, userAgent, signal }, progress.show);
  } catch (error) {
    if (error instanceof FileFetchError || (error as Error).name === 'Unreadable') {
      throw problem('invalid_input', (error as Error).message);
    }
    throw error;
  } finally {
    progress.end();
  }
}

/** Fetches a file and shows how far it is. @throws invalid_input */
async function fetchShown(
  address: string,
  { keep, maxBytes = MAX_BYTES, sha256, allowPrivate = false }: FetchFlags,
  signal: AbortSignal,
  more: Partial<FileFetchOptions>,
): Promise<FetchedFile> {
  const [{ fetchFile }, { FileFetchError }] = await Promise.all([
    import('../adapters/file_fetch.ts'),
    import('../adapters/file_address.ts'),
  ]);
  const progress = progressLine({ lines: true });
  const started = performance.now();
  try {
    return await fetchFile(address, {
      ...{ keep, maxBytes, sha256, allowPrivate, signal },
      userAgent: `boundary-lookup/${readVersion()}`,
      onProgress: (name, bytes, total) => progress.show(progressText(name, bytes, total, performance.now() - started)),
      ...more,
    });
  } catch (error) {
    throw error instanceof FileFetchError ? problem('invalid_input', error.message) : error;
  } finally {
    progress.end();
  }
}

/** The address that a member of a JSON file has. @throws invalid_input */
function addressIn(path: string, member: string, from: string): string {
  try {
    const found = (JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>)[member];
    if (typeof found === 'string' && /^https?:/.test(found)) return found;
  } catch {
    // What is not JSON has no such member.
  }
  throw problem('invalid_input', `${from} answered no JSON with ${member}, the address of the file.`);
}

const MB = 1e6;

function progressText(name: string, bytes: number, total: number | null, ms: number): string {
  const speed = bytes / Math.max(1, ms);
  const mb = (value: number) => (value < 10 * MB ? (value / MB).toFixed(1) : String(Math.round(value / MB)));
  const rate = `${(speed / 1000).toFixed(1)} MB/s`;
  if (total === null) return `fetching ${name}: ${mb(bytes)} MB, ${rate}`;
  const percent = Math.floor((100 * bytes) / Math.max(1, total));
  const bar = '='.repeat(Math.floor(percent / 5)).padEnd(20);
  return `fetching ${name} [${bar}] ${percent} % of ${mb(total)} MB, ${rate}, ${Math.round((total - bytes) / speed / 1000)} s left`;
}

function sizeOption(text: string): number {
  try {
    return readSize(text);
  } catch (error) {
    throw new InvalidArgumentError(`it ${(error as Error).message}.`);
  }
}

function sha256Option(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text;
  throw new InvalidArgumentError('it must be 64 hexadecimal digits.');
}

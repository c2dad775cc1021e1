import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Command } from 'commander';
import { contentType, READABLE } from '../../../workers/formats/registry.ts';
import { mediaTypeIn } from '../../common/media_type.ts';
import { fileTrouble } from '../../common/system_errors.ts';
import { problem } from '../../core/errors.ts';
import { formatOfFile } from '../../sources/coverage/files.ts';
import { jsonOf, type StreamTarget } from '../../transports/call.ts';
import { placeOptions } from '../options.ts';
import type { Terminal } from '../render/terminal.ts';
import { endOf, type JobShown, requireDone } from './job.ts';

/** Options of `boundary sets create`: those of create_area_set that a file has a use for. */
export type SetFlags = Readonly<Partial<Record<keyof typeof FIELDS, string | boolean>>>;

/** The field of create_area_set that each option gives, and what the help says of it. */
const FIELDS = {
  name: ['name', '<name>', 'name of the set. Default: that of the file'],
  title: ['title', '<text>', 'title of the set'],
  from: ['valid_from', '<date>', 'from which date on the areas are so. Default: today'],
  replace: ['replace', '', 'take the place of the version of that date'],
  base: ['base', '<time>', 'recorded_at of the newest version that you have read; fail if there is a newer one'],
  visibility: ['visibility', '<who>', 'org or restricted, of a new set'],
  format: ['format', '<format>', 'format of the file, where its beginning does not say it'],
  idColumn: ['id_column', '<name>', 'the property with the codes'],
  nameColumn: ['name_column', '<name>', 'the property with the names'],
  populationColumn: ['population_column', '<name>', 'the property with the populations'],
  layer: ['layer', '<name>', 'the layer to read, where a file has several'],
  crs: ['crs', '<crs>', 'the reference system, if the file has none'],
  encoding: ['text_encoding', '<encoding>', 'encoding of its text'],
  kind: ['kind', '<kind>', 'kind of the areas'],
  attribution: ['attribution', '<text>', 'what answers name as their source'],
  snap: ['snap', '<to>', 'official: take official borders within the tolerance'],
  snapM: ['snap_m', '<meters>', 'tolerance of --snap'],
  gaps: ['gaps', '<rule>', 'who gets gaps: keep, longest_border or nearest'],
  overlaps: ['overlaps', '<rule>', 'who gets overlaps: keep, smallest, first or longest_border'],
} as const;

/** A larger file is stored by a job, which holds no request. */
const DIRECT_BYTES = 2 ** 20;

/** How often the time that has passed is shown, in milliseconds. */
const TICK_MS = 1_000;

/** Adds `boundary sets create` with its flags. */
export function declareSets(command: Command, run: (file: string, flags: SetFlags) => Promise<void>): Command {
  const create = command
    .command('create')
    .description('store the areas of a file as a set of your organization, or as a new version of it')
    .argument('<file>', 'a file of areas in any format that is imported, up to 64 MiB');
  for (const [option, [, value, description]] of Object.entries(FIELDS)) {
    const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    create.option(value === '' ? flag : `${flag} ${value}`, description);
  }
  placeOptions(create).addHelpText('after', '\nExample:\n  boundary sets create territories.gpkg --id-column code\n');
  create.action((file: string) => run(file, create.optsWithGlobals<SetFlags>()));
  return command;
}

/**
 * `boundary sets create`: sends a file of areas, shows how long it takes, and prints the set and its report as JSON. A
 * large one is stored by a job, which goes on when this program ends.
 * @throws what create_area_set fails with; invalid_input for an unreadable file; the reason of the signal
 */
export async function runCreateSet(
  target: StreamTarget,
  file: string,
  flags: SetFlags,
  terminal: Pick<Terminal, 'stdout' | 'stderr'> & { readonly progress?: boolean },
  signal?: AbortSignal,
): Promise<void> {
  const query = new URLSearchParams();
  for (const [option, [field]] of Object.entries(FIELDS)) {
    const value = flags[option as keyof typeof FIELDS];
    if (value !== undefined) query.set(field, String(value));
  }
  if (!query.has('name')) query.set('name', nameOf(file));
  const body = bytesOf(file);
  const found = await formatOfFile(file);
  const format = READABLE.find((one) => one === (flags.format ?? found));
  // Formats of text share a media type.
  if (format !== undefined) query.set('format', format);
  const type = format === undefined ? 'application/octet-stream' : mediaTypeIn(contentType(format));
  const started = Date.now();
  const sizes = `${file}: ${(body.length / 1e6).toFixed(1)} MB`;
  terminal.stderr(`${sizes} for the set ${query.get('name')} …\n`);
  const tick = setInterval(() => {
    terminal.stderr(`\r${((Date.now() - started) / 1000).toFixed(0)} s `);
  }, TICK_MS);
  if (terminal.progress === false) clearInterval(tick);
  try {
    const direct = body.length <= DIRECT_BYTES;
    if (!direct) query.set('keep_file', 'true');
    const answer = jsonOf(await target.stream('create_area_set', '/sets', query, { contentType: type, body }));
    if (!direct) clearInterval(tick);
    const made = direct ? answer : await storeByJob(target, query, answer as { file_id: string }, terminal, signal);
    terminal.stdout(`${JSON.stringify(made, null, 2)}\n`);
  } finally {
    clearInterval(tick);
  }
  terminal.stderr(`Stored in ${((Date.now() - started) / 1000).toFixed(1)} s.\n`);
}

/** Stores the areas of a file of the library by a job; returns the set. */
async function storeByJob(
  target: StreamTarget,
  query: URLSearchParams,
  { file_id }: { readonly file_id: string },
  terminal: Pick<Terminal, 'stderr'>,
  signal?: AbortSignal,
): Promise<unknown> {
  const given = Object.fromEntries([...query].filter(([field]) => field !== 'keep_file' && field !== 'format'));
  const input = { ...given, file_id, ...(given.snap_m === undefined ? {} : { snap_m: Number(given.snap_m) }) };
  const { id } = jsonOf(await target.call('create_job', { op: 'create_area_set', input })) as JobShown;
  terminal.stderr(`\n${id}: boundary job wait ${id} waits for it as well.\n`);
  requireDone(await endOf(target, id, signal));
  const { name = '', valid_from: on } = given;
  return jsonOf(await target.call('get_area_set', { name, ...(on === undefined ? {} : { on }) }));
}

/** The name of a set for a file: lower-case letters, digits and inner hyphens. */
const nameOf = (file: string): string =>
  basename(file, extname(file))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw problem('invalid_input', fileTrouble(error) ?? (error as Error).message);
  }
}

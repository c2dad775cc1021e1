import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { DETAILS, type Detail, FORMATS, type Format, FULL } from '../../workers/contract.ts';
import { extension } from '../../workers/formats/index.ts';
import { levelFor, levelOfTolerance, toleranceMetres } from '../../workers/kernels/levels.ts';
import { invalidInput, ProblemError, problem } from '../errors.ts';
import { type CallTarget, jsonOf, requireSuccess } from '../transports/call.ts';
import type { Terminal } from '../transports/cli.ts';
import { oneOf, placeOptions } from '../transports/options.ts';
import { reportOf } from '../transports/report.ts';
import { visible } from '../transports/table.ts';
import { writeWhole } from './files.ts';
import { detailOf, formatOf } from './formats.ts';
import { type Entry, openLedger } from './ledger.ts';
import { resolveNames } from './names.ts';
import { progressLine } from './terminal.ts';
import { narrowOf, narrowOptions, tellAmbiguous } from './union.ts';

/** What the command line of `boundary export` says. */
export interface ExportFlags {
  readonly childrenOf?: string;
  readonly level?: string;
  readonly format?: string;
  readonly detail?: string;
  readonly toleranceM?: string;
  readonly out: string;
  readonly parallel?: string;
  readonly json?: boolean;
  readonly country?: string;
  readonly kind?: string;
  readonly adminLevel?: string;
  readonly near?: string;
}

/** What list_children and get_boundary tell of a boundary. */
interface Member {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly has_geometry: boolean;
  readonly bbox: {
    readonly west: number;
    readonly south: number;
    readonly east: number;
    readonly north: number;
  } | null;
}

const PARALLEL = 4;
const MOST_PARALLEL = 16;
/** How often a boundary that the service asks to come back for is asked for again. */
const TRIES = 5;
const LONGEST_PAUSE_S = 60;

/** Adds the flags of `boundary export` to its command. */
export function declareExport(command: Command): Command {
  command
    .argument('[names...]', 'names or ids of boundaries')
    .option('--children-of <name>', 'all subdivisions of a boundary')
    .option('--level <level>', 'admin level of the subdivisions; default: the next below it')
    .requiredOption('--out <folder>', 'where the files go; what is there already and the same is skipped')
    .addOption(oneOf(new Option('--format <format>').default('geojson'), FORMATS))
    .addOption(oneOf(new Option('--detail <detail>', 'of the largest, and the same for all; default: medium'), DETAILS))
    .option('--tolerance-m <metres>', 'a power of two, in place of --detail')
    .option('--parallel <number>', `exports at a time, at most ${MOST_PARALLEL}`, String(PARALLEL))
    .option('--json', 'print what was done as JSON');
  return narrowOptions(placeOptions(command)).addHelpText(
    'after',
    '\nExamples:\n  boundary export --children-of iso:LI --format kml --out liechtenstein\n  boundary export Vaduz Schaan --format geojson --detail full --out files\n',
  );
}

/** What came of an export of many. */
interface Outcome {
  readonly written: string[];
  readonly skipped: string[];
  readonly failed: { readonly id: string; readonly name: string; readonly code: string; readonly detail: string }[];
}

/**
 * `boundary export`: one file for each boundary, all with one tolerance (that of the largest), so that siblings share
 * every vertex of their border. Files are written whole; what an earlier run wrote and has not changed since, here or
 * at the source, is skipped. Gives the exit code: 0, or the class of the first failure.
 */
export async function runExport(
  target: CallTarget,
  names: readonly string[],
  flags: ExportFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const format = formatOf(flags.format, undefined, 'format');
  const parallel = Number(flags.parallel ?? PARALLEL);
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > MOST_PARALLEL) {
    throw invalidInput([{ path: 'parallel', code: 'out_of_range', message: `must be from 1 to ${MOST_PARALLEL}` }]);
  }
  const members = await tellAmbiguous(terminal, flags.json, () => membersOf(target, names, flags));
  const fineness = finenessOf(members, flags);
  mkdirSync(flags.out, { recursive: true });
  const ledger = openLedger(flags.out);
  const files = fileNames(members, format);
  const outcome: Outcome = { written: [], skipped: [], failed: [] };
  let exit = 0;
  const line = progressLine();
  const tick = (): void => {
    const done = outcome.written.length + outcome.skipped.length + outcome.failed.length;
    line.show(bar(done, members.length));
  };
  const one = async (member: Member, file: string): Promise<void> => {
    const wanted: Omit<Entry, 'sha256' | 'bytes'> = {
      file,
      id: member.id,
      version: member.version,
      format,
      ...fineness,
    };
    try {
      if (ledger.has(wanted)) {
        outcome.skipped.push(file);
        return;
      }
      if (!member.has_geometry) throw problem('no_geometry', `${member.id} (${member.name}) has no polygon.`);
      const { body, sha256 } = await download(target, { id: member.id, format, ...fineness }, signal);
      writeWhole(join(flags.out, file), body);
      ledger.add({ ...wanted, sha256, bytes: body.length });
      outcome.written.push(file);
    } catch (error) {
      if (!(error instanceof ProblemError) || STOPS.has(error.code)) throw error;
      const report = reportOf(error);
      exit ||= report.exit;
      outcome.failed.push({ id: member.id, name: member.name, code: error.code, detail: error.message });
      line.end();
      terminal.stderr(`${visible(member.name, true)} (${member.id}): ${error.code}: ${visible(error.message, true)}\n`);
    }
  };
  try {
    tick();
    await inParallel(members, parallel, async (member, i) => {
      signal.throwIfAborted();
      await one(member, files[i]);
      tick();
    });
  } finally {
    line.end();
  }
  // They ended in any order; they are told in that of the listing.
  const inOrder = (ended: readonly string[]): string[] => {
    const names = new Set(ended);
    return files.filter((file) => names.has(file));
  };
  const told = { ...outcome, written: inOrder(outcome.written), skipped: inOrder(outcome.skipped) };
  if (flags.json) terminal.stdout(`${JSON.stringify({ folder: flags.out, format, ...fineness, ...told })}\n`);
  else terminal.stderr(`${flags.out}: ${inWords(outcome)}\n`);
  return exit;
}

/** After these no other boundary would fare better. */
const STOPS: ReadonlySet<string> = new Set([
  'unauthorized',
  'invalid_key',
  'invalid_token',
  'quota_exceeded',
  'invalid_input',
]);

async function membersOf(target: CallTarget, names: readonly string[], flags: ExportFlags): Promise<Member[]> {
  if ((flags.childrenOf === undefined) === (names.length === 0)) {
    throw problem('invalid_input', 'Name boundaries, or give --children-of: one of the two.');
  }
  if (flags.childrenOf === undefined) {
    const members: Member[] = [];
    for (const { id } of await resolveNames(target, names, narrowOf(flags))) members.push(await lookUp(target, id));
    return [...new Map(members.map((member) => [member.id, member])).values()];
  }
  const [{ id }] = await resolveNames(target, [flags.childrenOf], narrowOf(flags));
  const level = flags.level === undefined ? {} : { admin_level: Number(flags.level) };
  const { items } = jsonOf(await target.call('list_children', { id, ...level })) as { items: Member[] };
  if (items.length === 0)
    throw problem('not_found', `${id} has no subdivisions${flags.level ? ` at level ${flags.level}` : ''}.`);
  return items;
}

/** What is exported is known by its id; get_boundary tells the rest at low detail, which is free. */
async function lookUp(target: CallTarget, id: string): Promise<Member> {
  const answer = await target.call('get_boundary', { id, detail: 'low' });
  requireSuccess(answer);
  const { properties, bbox } = JSON.parse(Buffer.from(answer.body).toString()) as {
    properties: Omit<Member, 'bbox'>;
    bbox?: [number, number, number, number];
  };
  const [west, south, east, north] = bbox ?? [];
  const box =
    bbox === undefined
      ? null
      : { west: west as number, south: south as number, east: east as number, north: north as number };
  return { ...properties, bbox: box };
}

/** The tolerance of all: as given, or that of the detail for the largest of them. Without one, full detail. */
function finenessOf(members: readonly Member[], flags: ExportFlags): { tolerance_m: number } | { detail: Detail } {
  if (flags.toleranceM !== undefined) {
    if (flags.detail !== undefined) throw problem('invalid_input', 'Give --detail or --tolerance-m, not both.');
    const metres = Number(flags.toleranceM);
    if (levelOfTolerance(metres) === null) {
      throw invalidInput([
        { path: 'tolerance_m', code: 'invalid_value', message: 'must be a power of two from 1 to 32768' },
      ]);
    }
    return { tolerance_m: metres };
  }
  const detail = detailOf(flags.detail ?? 'medium');
  const levels = members.map(({ bbox }) => {
    const unit = (degrees: number) => Math.round(degrees * 1e7);
    return levelFor(detail, bbox && [unit(bbox.west), unit(bbox.south), unit(bbox.east), unit(bbox.north)]);
  });
  const level = Math.max(FULL, ...levels);
  return level === FULL ? { detail: 'full' } : { tolerance_m: toleranceMetres(level) };
}

/** Exports one boundary and fetches its file. Where the service asks to come back later, that is done. */
async function download(
  target: CallTarget,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<{ body: Uint8Array; sha256: string }> {
  for (let tries = 1; ; tries++) {
    try {
      const { url, sha256 } = jsonOf(await target.call('export_boundary', input)) as { url: string; sha256: string };
      const file = await target.download(url);
      requireSuccess(file);
      if (createHash('sha256').update(file.body).digest('hex') !== sha256)
        throw new Error(`${url} is not what it is to be`);
      return { body: file.body, sha256 };
    } catch (error) {
      const pause = error instanceof ProblemError ? error.extra.retry_after : undefined;
      const again = typeof pause === 'number' && pause <= LONGEST_PAUSE_S;
      if (!again || tries === TRIES) throw error;
      await sleep(pause * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** Runs work on each item, so many at a time; after a failure nothing new is begun, and what runs is awaited. */
async function inParallel<T>(
  items: readonly T[],
  most: number,
  work: (item: T, i: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failure: { error: unknown } | null = null;
  const lane = async (): Promise<void> => {
    while (next < items.length && failure === null) {
      const i = next++;
      try {
        await work(items[i], i);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
  if (failure !== null) throw (failure as { error: unknown }).error;
}

/** `Vaduz (r1155956).kml`: letters of any script; the id keeps names apart, also where case does not count. */
function fileNames(members: readonly Member[], format: Format): string[] {
  return members.map(({ id, name }) => `${fileName(name)}(${id}).${extension(format)}`);
}

/** The name of a boundary as a part of a file name: nothing that a file system or a shell takes for something else. */
export function fileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} .,'_-]+/gu, ' ')
    .replace(/ +/g, ' ')
    .replace(/^[ .-]+/, '')
    .trim();
  let kept = '';
  for (const character of plain) {
    // A file system takes 255 bytes; the id, the extension and the name of a draft need some of them.
    if (Buffer.byteLength(kept + character) > 150) break;
    kept += character;
  }
  return kept === '' ? '' : `${kept.trim()} `;
}

function bar(done: number, all: number): string {
  const width = 30;
  const filled = all === 0 ? width : Math.floor((width * done) / all);
  return `[${'#'.repeat(filled)}${' '.repeat(width - filled)}] ${done}/${all}`;
}

function inWords({ written, skipped, failed }: Outcome): string {
  const parts = [`${written.length} written`];
  if (skipped.length > 0) parts.push(`${skipped.length} there already`);
  if (failed.length > 0) parts.push(`${failed.length} failed`);
  return parts.join(', ');
}

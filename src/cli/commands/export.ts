import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { levelFor, levelOfTolerance, toleranceMeters } from '../../../workers/arcs/levels.ts';
import { DETAILS, type Detail, FULL } from '../../../workers/contract.ts';
import { COLLECTION_FORMATS, extension, FORMATS, type Format } from '../../../workers/formats/registry.ts';
import { defined } from '../../common/elements.ts';
import { SAFE_CSV } from '../../common/safe_csv.ts';
import { invalidInput, ProblemError, problem } from '../../core/errors.ts';
import { type CallTarget, jsonOf, requireSuccess } from '../../transports/call.ts';
import { printableJson, visible } from '../../transports/visible.ts';
import { makeFolder, writeWhole } from '../files.ts';
import { detailOf, fileFormatOf } from '../formats.ts';
import { type Entry, openLedger } from '../ledger.ts';
import { type ExportFlags, oneOf, placeOptions } from '../options.ts';
import { reportOf } from '../render/report.ts';
import { progressLine, type Terminal } from '../render/terminal.ts';
import { runCollection } from './collection.ts';
import { MAX_ATTEMPTS, type Member, membersOf } from './export_members.ts';
import { addFilterOptions, reportAmbiguous } from './union.ts';

const LEVELS = ['direct', 'all'];
const PARALLEL = 4;
const MOST_PARALLEL = 16;
const MAX_RETRY_DELAY_S = 60;

/** Adds the flags of `boundary export` to its command. */
export function declareExport(command: Command): Command {
  command
    .argument('[names...]', 'names or ids of boundaries')
    .option('--children-of <name>', 'export the subdivisions of this boundary')
    .option('--level <level>', 'all subdivisions of this admin level; default: those of the next level below it')
    .addOption(
      oneOf(
        new Option('--levels <which>', 'direct: the subdivisions that tile it, of any level; all: every subdivision'),
        LEVELS,
      ),
    )
    .option('--out <folder>', 'one file per boundary in this folder; existing unchanged files are skipped')
    .option('-o, --output <file>', 'all in one file; its extension sets the format')
    .addOption(oneOf(new Option('--as <format>', 'format of the one file'), COLLECTION_FORMATS))
    .option('--names <languages>', 'also names in these languages, in the one file: en,fr')
    .option('--safe-csv', SAFE_CSV)
    .addOption(oneOf(new Option('--format <format>', 'format of the files in --out; default: geojson'), FORMATS))
    .addOption(
      oneOf(
        new Option('--detail <detail>', 'detail of the largest boundary, applied to all; default: medium'),
        DETAILS,
      ),
    )
    .option('--tolerance-m <meters>', 'a power of two, instead of --detail')
    .option('--parallel <number>', `exports at the same time, at most ${MOST_PARALLEL}`, String(PARALLEL))
    .option('--json', 'print a summary as JSON');
  return addFilterOptions(placeOptions(command)).addHelpText(
    'after',
    '\nExamples:\n  boundary export --children-of iso:ES-SE -o sevilla.gpkg\n  boundary export --children-of iso:LI --format kml --out liechtenstein\n  boundary export Vaduz Schaan --format geojson --detail full --out files\n',
  );
}

/** Result of an export to a folder. */
interface Outcome {
  readonly written: string[];
  readonly skipped: string[];
  readonly failed: { readonly id: string; readonly name: string; readonly code: string; readonly detail: string }[];
}

/**
 * `boundary export`: writes one file per boundary, all at one tolerance (that of the largest), so that siblings share
 * every vertex of their border; or all of them to one file (collection.ts). Files are written atomically. Files of an
 * earlier run are skipped if neither they nor their boundaries have changed. Returns the exit code: 0, or that of the
 * first failure.
 */
export async function runExport(
  target: CallTarget,
  names: readonly string[],
  flags: ExportFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { out } = flags;
  if ((out === undefined) === (flags.output === undefined)) {
    throw problem('invalid_input', 'Give either -o FILE, for one file, or --out FOLDER, for one file per boundary.');
  }
  if (flags.safeCsv && flags.output === undefined) {
    throw invalidInput([{ path: 'safe-csv', code: 'conflict', message: 'is for one CSV file (-o)' }]);
  }
  if (out === undefined) return runCollection(target, names, flags, terminal);
  const format = fileFormatOf(flags.format ?? 'geojson', undefined, { flag: 'format', choices: FORMATS });
  const parallel = Number(flags.parallel ?? PARALLEL);
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > MOST_PARALLEL) {
    throw invalidInput([{ path: 'parallel', code: 'out_of_range', message: `must be from 1 to ${MOST_PARALLEL}` }]);
  }
  const members = await reportAmbiguous(terminal, flags.json, () => membersOf(target, names, flags, terminal));
  const fineness = resolutionOf(members, flags);
  makeFolder(out);
  const ledger = openLedger(out);
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
      if (!member.has_geometry) throw problem('no_geometry', 'It has no polygon.');
      const { body, sha256 } = await download(target, { id: member.id, format, ...fineness }, signal);
      writeWhole(join(out, file), body);
      ledger.add({ ...wanted, sha256, bytes: body.length });
      outcome.written.push(file);
    } catch (error) {
      if (!(error instanceof ProblemError) || FATAL_CODES.has(error.code)) throw error;
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
      await one(member, defined(files[i]));
      tick();
    });
  } finally {
    line.end();
  }
  // Exports finish in any order; the report is in listing order.
  const inOrder = (ended: readonly string[]): string[] => {
    const names = new Set(ended);
    return files.filter((file) => names.has(file));
  };
  const ordered = { ...outcome, written: inOrder(outcome.written), skipped: inOrder(outcome.skipped) };
  if (flags.json) terminal.stdout(`${printableJson({ folder: out, format, ...fineness, ...ordered })}\n`);
  else terminal.stderr(`${out}: ${inWords(outcome)}\n`);
  return exit;
}

/** Problem codes that every other boundary would get too, so the export stops. */
const FATAL_CODES: ReadonlySet<string> = new Set([
  'unauthorized',
  'invalid_key',
  'invalid_token',
  'quota_exceeded',
  'invalid_input',
]);

/** The tolerance for all boundaries: as given, or that of the detail for the largest of them. Full detail has none. */
function resolutionOf(members: readonly Member[], flags: ExportFlags): { tolerance_m: number } | { detail: Detail } {
  if (flags.toleranceM !== undefined) {
    if (flags.detail !== undefined) throw problem('invalid_input', 'Give --detail or --tolerance-m, not both.');
    const meters = Number(flags.toleranceM);
    if (levelOfTolerance(meters) === null) {
      throw invalidInput([
        { path: 'tolerance_m', code: 'invalid_value', message: 'must be a power of two from 1 to 32768' },
      ]);
    }
    return { tolerance_m: meters };
  }
  const detail = detailOf(flags.detail ?? 'medium');
  const levels = members.map(({ bbox }) => {
    const unit = (degrees: number) => Math.round(degrees * 1e7);
    return levelFor(detail, bbox && [unit(bbox.west), unit(bbox.south), unit(bbox.east), unit(bbox.north)]);
  });
  const level = Math.max(FULL, ...levels);
  return level === FULL ? { detail: 'full' } : { tolerance_m: toleranceMeters(level) };
}

/** Exports one boundary and downloads its file. Retries when the service asks to. */
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
        throw new Error(`The file of ${input.id} is damaged: its content does not match its sha256.`);
      return { body: file.body, sha256 };
    } catch (error) {
      const pause = error instanceof ProblemError ? error.extra.retry_after : undefined;
      const again = typeof pause === 'number' && pause <= MAX_RETRY_DELAY_S;
      if (!again || tries === MAX_ATTEMPTS) throw error;
      await sleep(pause * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/**
 * Runs `work` on the items, at most `most` at a time. After a failure no further item starts, and running ones finish.
 */
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
        await work(defined(items[i]), i);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
  if (failure !== null) throw (failure as { error: unknown }).error;
}

/**
 * File names such as `Vaduz (r1155956).kml`. Letters of any script are kept. The id makes names unique, even on a
 * case-insensitive file system.
 */
function fileNames(members: readonly Member[], format: Format): string[] {
  return members.map(({ id, name }) => `${fileName(name)}(${id}).${extension(format)}`);
}

/** Sanitizes a boundary's name for use in a file name: no characters that are special to a file system or shell. */
export function fileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} .,'_-]+/gu, ' ')
    .replace(/ +/g, ' ')
    .replace(/^[ .-]+/, '')
    .trim();
  let kept = '';
  for (const character of plain) {
    // File names are limited to 255 bytes; the id, the extension and the draft's suffix need some of them.
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
  if (skipped.length > 0) parts.push(`${skipped.length} unchanged`);
  if (failed.length > 0) parts.push(`${failed.length} failed`);
  return parts.join(', ');
}

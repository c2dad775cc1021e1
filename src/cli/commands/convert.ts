import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { type Command, Option } from 'commander';
import { DETAILS } from '../../../workers/contract.ts';
import type { ConvertResult } from '../../../workers/convert.ts';
import type { AreaRepair, OnInvalid } from '../../../workers/convert_repairs.ts';
import { Unreadable } from '../../../workers/formats/reading/document.ts';
import { FORMATS, READABLE, type Readable } from '../../../workers/formats/registry.ts';
import { limitMemory } from '../../common/memory_limit.ts';
import { SAFE_CSV, safeCsv } from '../../common/safe_csv.ts';
import { fileTrouble } from '../../common/system_errors.ts';
import { underPersonUmask } from '../../common/umask.ts';
import { loadConfig } from '../../config.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import type { GeometryPool } from '../../geometry/pool.ts';
import { filesBeside, requireWhole } from '../../sources/coverage/files.ts';
import { visible } from '../../transports/visible.ts';
import { detailOf, fileFormatOf, WRITABLE } from '../formats.ts';
import { ENCODING, GEOMETRY, LAYER, oneOf } from '../options.ts';
import type { Terminal } from '../render/terminal.ts';

interface Flags {
  readonly from?: string;
  readonly to?: string;
  readonly layer?: string;
  readonly geometry?: string;
  readonly encoding?: string;
  readonly detail?: string;
  readonly name?: string;
  readonly dissolve?: boolean;
  readonly zipOf?: string;
  readonly crs?: string;
  readonly strict?: boolean;
  readonly repair?: boolean;
  readonly skip?: boolean;
  readonly safeCsv?: boolean;
  readonly json?: boolean;
  /** Only in the process that convertIsolated() starts: its limit of memory. */
  readonly mostBytes?: string;
}

/** Maximum size of the output in bytes: that of a buffer. */
const MAX_BYTES = 2 ** 31 - 1;

/**
 * `boundary convert` in a process of its own, which ends when it needs more memory than IMPORT_BYTES; in that process,
 * runConvert().
 * @throws what runConvert() throws; invalid_input when the process needed more
 */
export async function convertIsolated(
  input: string,
  output: string,
  flags: Flags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  if (flags.mostBytes !== undefined) {
    limitMemory(Number(flags.mostBytes));
    return runConvert(input, output, flags, terminal, signal);
  }
  const most = loadConfig().IMPORT_BYTES;
  const mebibytes = Math.ceil(most / 2 ** 20);
  const child = underPersonUmask(() =>
    spawn(
      process.execPath,
      [...process.execArgv, `--max-old-space-size=${mebibytes}`, ...process.argv.slice(1), `--most-bytes=${most}`],
      { stdio: 'inherit' },
    ),
  );
  const stop = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  const [code, ended] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (code !== null) {
    process.exitCode = code;
    return;
  }
  throw unreadable(
    input,
    `converting it ended (${ended}), most likely because it needs more memory than IMPORT_BYTES (${mebibytes} MiB) or ` +
      'the machine allows: check the file, and if it is right, raise IMPORT_BYTES or split it',
  );
}

/** Adds the arguments and flags of `boundary convert` to its command. */
export function declareConvert(command: Command): Command {
  return command
    .argument('<in>', 'the file to read; - is standard input')
    .argument('<out>', 'the file to write; - is standard output')
    .addOption(oneOf(new Option('--from <format>', 'format of the input; default: from its extension'), READABLE))
    .addOption(oneOf(new Option('--to <format>', 'format of the output; default: from its extension'), WRITABLE))
    .addOption(LAYER)
    .addOption(GEOMETRY)
    .addOption(ENCODING)
    .option('--dissolve', 'merge all areas into one')
    .addOption(oneOf(new Option('--detail <detail>', 'detail of a single area; default: full'), DETAILS))
    .addOption(oneOf(new Option('--zip-of <format>', 'format of the files in a zip; default: geojson'), FORMATS))
    .option('--crs <system>', 'reference system of the input, whatever the file says: EPSG:2154, WKT, PROJJSON')
    .option('--repair', 'make areas valid that are not, by the rules of an import, and list them')
    .option('--skip', 'leave out areas that are not valid, and list them')
    .option(
      '--strict',
      'refuse areas that are not valid (the default), and coordinates that are less true than they might be: no grid, no published shift',
    )
    .option('--name <name>', 'name of the area, if the input has none')
    .option('--safe-csv', SAFE_CSV)
    .option('--json', 'print a summary as JSON')
    .addOption(new Option('--most-bytes <bytes>').hideHelp())
    .addHelpText(
      'after',
      '\nAreas stay apart, with their attributes. Examples:\n  boundary convert communes.shp communes.fgb\n  boundary convert communes.parquet outline.svg --dissolve --detail low\n  boundary convert in.gml - --to wkt\n',
    );
}

/**
 * `boundary convert`: converts a file of areas to another format in a geometry worker thread, without a server or a
 * database. What the new format cannot hold is listed on standard error, and with --json as `changes`.
 * @throws invalid_input for an unreadable input, too_large
 */
async function runConvert(
  input: string,
  output: string,
  flags: Flags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const known = { flag: 'from', choices: WRITABLE, shown: READABLE, reads: true };
  const from = readable(fileFormatOf(flags.from, input.replace(/\.gz$/i, ''), known), input);
  const to = fileFormatOf(flags.to, output, { flag: 'to', choices: WRITABLE });
  const zipOf = FORMATS.find((one) => one === flags.zipOf);
  if (flags.zipOf !== undefined && to !== 'zip') {
    throw invalidInput([{ path: 'zip-of', code: 'conflict', message: 'is for --to zip only' }]);
  }
  if (flags.safeCsv && to !== 'csv') {
    throw invalidInput([{ path: 'safe-csv', code: 'conflict', message: 'is for CSV files only' }]);
  }
  const invalid = onInvalid(flags);
  const detail = detailOf(flags.detail ?? 'full');
  const bytes = input === '-' ? terminal.stdin() : readInput(input);
  const name = flags.name ?? (input === '-' ? 'area' : basename(input, extname(input)));
  const dissolve = flags.dissolve === true;
  const placing = { ...(flags.crs !== undefined && { crs: flags.crs }), strict: flags.strict === true };
  const beside = from === 'shapefile' && input !== '-' ? filesBeside(input) : {};
  const { layer, geometry, encoding } = flags;
  const reading = { ...(layer && { layer }), ...(geometry && { geometry }), ...(encoding && { encoding }), ...placing };
  const about = { from, to, detail, name, dissolve, invalid, beside, reading, ...(zipOf && { zipOf }) };
  const result = await inPool({ ...about, bytes, maxBytes: MAX_BYTES }, signal);
  if (result.kind === 'unreadable') {
    const way = result.isInvalid ? '; --repair makes such areas valid, --skip leaves them out' : '';
    throw unreadable(input, `${result.reason}${way}`);
  }
  if (result.kind === 'too_large')
    throw problem('too_large', `The ${to} of ${input} has more than ${MAX_BYTES} bytes.`);
  const { kind: _kind, bytes: made, ...rest } = result;
  const written = flags.safeCsv ? Buffer.from(safeCsv(Buffer.from(made).toString())) : made;
  if (output === '-') terminal.stdout(written);
  else terminal.writeFile(output, written);
  const size = written.byteLength;
  if (flags.json && output !== '-') terminal.stdout(`${JSON.stringify({ file: output, bytes: size, ...rest })}\n`);
  else if (output !== '-') terminal.stderr(`${output}: ${size} bytes${inWords(result, dissolve)}\n`);
  else if (inWords(result, dissolve) !== '') terminal.stderr(`${input}${inWords(result, dissolve)}\n`);
  for (const repair of result.repairs) terminal.stderr(`${visible(repairText(repair), true)}\n`);
  for (const change of result.changes) terminal.stderr(`${visible(change, true)}\n`);
}

/** What becomes of areas that are not valid. @throws invalid_input for flags that exclude each other */
function onInvalid({ repair, skip, strict }: Flags): OnInvalid {
  const given = Object.entries({ repair, skip, strict }).filter(([, isGiven]) => isGiven === true);
  if (given.length > 1) {
    const [[path = ''] = [], ...others] = given;
    const message = `cannot be given with ${others.map(([other]) => `--${other}`).join(' and ')}`;
    throw invalidInput([{ path, code: 'conflict', message }]);
  }
  return repair ? 'repair' : skip ? 'skip' : 'refuse';
}

/** A line about an area that was not valid. */
function repairText({ area, action, reason, lat, lon, km2_before, km2_after }: AreaRepair): string {
  const km2 = km2_after === null ? '' : `, ${km2_before} -> ${km2_after} km2`;
  return `${area} ${action}: ${reason} near ${lat},${lon}${km2}`;
}

function readable(format: string, input: string): Readable {
  const found = READABLE.find((one) => one === format);
  if (found) return found;
  throw unreadable(input, `${format} is a picture or tiles: it can be written, not read`);
}

function readInput(path: string): Uint8Array {
  try {
    requireWhole(path);
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Unreadable) throw unreadable(path, error.message);
    throw problem('invalid_input', fileTrouble(error) ?? (error as Error).message);
  }
}

function unreadable(input: string, reason: string): Error {
  const file = input === '-' ? 'Standard input' : input;
  return invalidInput([{ path: visible(file, true), code: 'unreadable', message: visible(reason, true) }]);
}

/** Runs one task in a pool of one thread with an empty arc heap. */
async function inPool(
  task: Parameters<typeof GeometryPool.prototype.run<'convert'>>[1],
  signal: AbortSignal,
): Promise<ConvertResult> {
  const [{ openHeap }, { GeometryPool }] = await Promise.all([
    import('../../../workers/heap.ts'),
    import('../../geometry/pool.ts'),
  ]);
  const { table: common, ...heap } = openHeap({ vertices: 1, slots: 1 });
  const pool = new GeometryPool({ threads: 1, heap, common });
  try {
    return await pool.run('convert', task, signal);
  } finally {
    await pool.close();
  }
}

function inWords(result: Extract<ConvertResult, { kind: 'bytes' }>, dissolve: boolean): string {
  const { features, left, empty, collapsed, repairs, toleranceMeters } = result;
  const parts: string[] = [];
  if (features > 1) parts.push(dissolve ? `${features} areas merged into one` : `${features} areas`);
  const count = (action: AreaRepair['action']) => repairs.filter((one) => one.action === action).length;
  if (count('repaired') > 0) parts.push(`${counted(count('repaired'), 'area')} repaired`);
  if (count('skipped') > 0) parts.push(`${counted(count('skipped'), 'area')} left out that are not valid`);
  if (left > 0) parts.push(`${left} points or lines left out`);
  // Features that have only points and lines are among these.
  if (empty > 0 && features > 0) parts.push(`${counted(empty, 'feature')} without an area left out`);
  if (collapsed > 0) parts.push(`${counted(collapsed, 'ring')} smaller than a centimeter left out`);
  if (toleranceMeters > 0) parts.push(`simplified to ${toleranceMeters} m`);
  return parts.map((part) => `; ${part}`).join('');
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

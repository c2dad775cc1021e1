import { existsSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { type Command, Option } from 'commander';
import { DETAILS, FORMATS } from '../../../workers/contract.ts';
import type { ConvertResult } from '../../../workers/convert.ts';
import { READABLE, type Readable } from '../../../workers/readers/index.ts';
import { fileTrouble } from '../../common/system_errors.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import type { GeometryPool } from '../../geometry/pool.ts';
import { visible } from '../../transports/visible.ts';
import { convertFormatOf, detailOf, WRITABLE } from '../formats.ts';
import type { Terminal } from '../op_command.ts';
import { oneOf } from '../options.ts';

interface Flags {
  readonly from?: string;
  readonly to?: string;
  readonly detail?: string;
  readonly name?: string;
  readonly dissolve?: boolean;
  readonly zipOf?: string;
  readonly json?: boolean;
}

/** Maximum size of the output in bytes: that of a buffer. */
const MAX_BYTES = 2 ** 31 - 1;

/** Adds the arguments and flags of `boundary convert` to its command. */
export function declareConvert(command: Command): Command {
  return command
    .argument('<in>', 'the file to read; - is standard input')
    .argument('<out>', 'the file to write; - is standard output')
    .addOption(oneOf(new Option('--from <format>', 'format of the input; default: from its extension'), READABLE))
    .addOption(oneOf(new Option('--to <format>', 'format of the output; default: from its extension'), WRITABLE))
    .option('--dissolve', 'merge all areas into one')
    .addOption(oneOf(new Option('--detail <detail>', 'detail of a single area; default: full'), DETAILS))
    .addOption(oneOf(new Option('--zip-of <format>', 'format of the files in a zip; default: geojson'), FORMATS))
    .option('--name <name>', 'name of the area, if the input has none')
    .option('--json', 'print a summary as JSON')
    .addHelpText(
      'after',
      '\nAreas stay apart, with their attributes. Examples:\n  boundary convert communes.shp communes.fgb\n  boundary convert communes.parquet outline.svg --dissolve --detail low\n  boundary convert in.gml - --to wkt\n',
    );
}

/**
 * `boundary convert`: converts a file of areas to another format in a geometry worker thread, without a server or a
 * database.
 * @throws invalid_input for an unreadable input, too_large
 */
export async function runConvert(
  input: string,
  output: string,
  flags: Flags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const from = readable(convertFormatOf(flags.from, input, 'from'), input);
  const to = convertFormatOf(flags.to, output, 'to');
  const zipOf = FORMATS.find((one) => one === flags.zipOf);
  if (flags.zipOf !== undefined && to !== 'zip') {
    throw invalidInput([{ path: 'zip-of', code: 'conflict', message: 'is for --to zip only' }]);
  }
  const detail = detailOf(flags.detail ?? 'full');
  const bytes = input === '-' ? terminal.stdin() : readInput(input);
  const name = flags.name ?? (input === '-' ? 'area' : basename(input, extname(input)));
  const dissolve = flags.dissolve === true;
  const beside = from === 'shapefile' && input !== '-' ? filesBeside(input) : {};
  const about = { from, to, detail, name, dissolve, beside, ...(zipOf && { zipOf }) };
  const result = await inPool({ ...about, bytes, maxBytes: MAX_BYTES }, signal);
  if (result.kind === 'unreadable') throw unreadable(input, result.reason);
  if (result.kind === 'too_large')
    throw problem('too_large', `The ${to} of ${input} has more than ${MAX_BYTES} bytes.`);
  if (output === '-') terminal.stdout(result.bytes);
  else terminal.writeFile(output, result.bytes);
  const { kind: _kind, bytes: written, ...rest } = result;
  const size = written.byteLength;
  if (flags.json && output !== '-') terminal.stdout(`${JSON.stringify({ file: output, bytes: size, ...rest })}\n`);
  else if (output !== '-') terminal.stderr(`${output}: ${size} bytes${inWords(result, dissolve)}\n`);
  else if (inWords(result, dissolve) !== '') terminal.stderr(`${input}${inWords(result, dissolve)}\n`);
}

function readable(format: string, input: string): Readable {
  const found = READABLE.find((one) => one === format);
  if (found) return found;
  throw unreadable(input, `${format} is a picture or tiles: it can be written, not read`);
}

/** The sidecar files of a shapefile, by extension. */
function filesBeside(path: string): Record<string, Uint8Array> {
  const stem = path.slice(0, path.length - extname(path).length);
  const files: Record<string, Uint8Array> = {};
  for (const extension of ['.dbf', '.prj', '.cpg']) {
    const found = [extension, extension.toUpperCase()].find((one) => existsSync(stem + one));
    if (found !== undefined) files[extension] = readInput(stem + found);
  }
  return files;
}

function readInput(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
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
  const { features, left, empty, collapsed, toleranceMeters } = result;
  const parts: string[] = [];
  if (features > 1) parts.push(dissolve ? `${features} areas merged into one` : `${features} areas`);
  if (left > 0) parts.push(`${left} points or lines left out`);
  // Features that have only points and lines are among these.
  if (empty > 0 && features > 0) parts.push(`${counted(empty, 'feature')} without an area left out`);
  if (collapsed > 0) parts.push(`${counted(collapsed, 'ring')} smaller than a centimeter left out`);
  if (toleranceMeters > 0) parts.push(`simplified to ${toleranceMeters} m`);
  return parts.map((part) => `; ${part}`).join('');
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

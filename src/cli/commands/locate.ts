import { renameSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { KINDS } from '../../common/kinds.ts';
import { SAFE_CSV } from '../../common/safe_csv.ts';
import { requireSuccess, type StreamTarget } from '../../transports/call.ts';
import { writeWhole } from '../files.ts';
import { requireExtension } from '../formats.ts';
import { placeOptions } from '../options.ts';
import { progressLine, type Terminal } from '../render/terminal.ts';
import { bytesOf, CSV, LocateRun, QUERY, writeSafe } from './locate_run.ts';

/** Options of `boundary locate`. */
export interface LocateFlags {
  readonly output?: string;
  readonly levels?: string;
  readonly kinds?: string;
  readonly fields?: string;
  readonly figures?: string;
  readonly latColumn?: string;
  readonly lonColumn?: string;
  readonly crs?: string;
  readonly safeCsv?: boolean;
}

/** Adds the arguments and flags of `boundary locate` to its command. */
export function declareLocate(command: Command): Command {
  command
    .argument('<file>', 'a CSV file with columns lat and lon, or --lat-column and --lon-column')
    .requiredOption('-o, --output <file>', 'the CSV file to write: the same rows with columns added')
    .option('--levels <levels>', 'admin levels, comma-separated; each has its own columns')
    .addOption(new Option('--kinds <kinds>', `kinds, comma-separated: ${KINDS.join(', ')}`))
    .option(
      '--fields <fields>',
      'columns for each boundary: id, name, kind, admin_level, country, iso, …; default: id,name',
    )
    .option(
      '--figures <figures>',
      'instead of the rows, one for each boundary: points (their number), sales:sum, rate:mean:people, …',
    )
    .option('--lat-column <name>', 'the column with the latitude, where its name does not say it')
    .option('--lon-column <name>', 'the column with the longitude')
    .option('--crs <system>', 'the reference system of the coordinates, such as EPSG:25830, whose columns are x and y')
    .option('--safe-csv', SAFE_CSV);
  return placeOptions(command).addHelpText(
    'after',
    '\nTo resume an interrupted run, run the same command again.\n\nExamples:\n  boundary locate points.csv --levels 4,8 -o located.csv\n' +
      '  boundary locate sales.csv --levels 8 --figures points,sales:sum -o by-municipality.csv\n',
  );
}

/**
 * `boundary locate`: adds to each row of a CSV file what contains its point. Rows are sent in batches, and results are
 * written to `<output>.part`, which is renamed when complete. An interrupted run resumes from that file. With figures, the file
 * is sent at once, and the answer is a row for each boundary.
 * @throws what the operation fails with; invalid_input for an unreadable file or a part file of another run
 */
export async function runLocate(
  target: StreamTarget,
  input: string,
  { output, safeCsv: isSafe, latColumn, lonColumn, crs, ...wanted }: LocateFlags & { readonly output: string },
  terminal: Pick<Terminal, 'stderr'>,
  signal: AbortSignal,
): Promise<void> {
  const query = new URLSearchParams(Object.entries(wanted).filter(([name, value]) => value && QUERY.has(name)));
  const source = { lat: latColumn, lon: lonColumn, crs };
  if (latColumn !== undefined) query.set('lat_column', latColumn);
  if (lonColumn !== undefined) query.set('lon_column', lonColumn);
  if (crs !== undefined) query.set('crs', crs);
  const ask = async (text: string): Promise<string> => {
    signal.throwIfAborted();
    const answer = await target.stream('locate_points', '/locate', query, {
      contentType: CSV,
      body: Buffer.from(text),
    });
    requireSuccess(answer);
    return Buffer.from(answer.body).toString();
  };
  requireExtension(output, ['text/csv']);
  if (wanted.figures !== undefined) {
    // Figures of parts cannot be added up, so the file is sent as a whole.
    const answer = await target.stream('locate_points', '/locate', query, { contentType: CSV, body: bytesOf(input) });
    requireSuccess(answer);
    writeWhole(output, answer.body);
    terminal.stderr(`${output}: ${Buffer.from(answer.body).toString().trimEnd().split('\n').length - 1} rows\n`);
    return;
  }
  const part = `${output}.part`;
  const work = new LocateRun(input, part, source);
  const progress = progressLine();
  try {
    await work.run(ask, (message) => progress.show(message));
  } finally {
    progress.end();
    work.close();
  }
  if (isSafe) await writeSafe(part, output, source);
  else renameSync(part, output);
  terminal.stderr(`${output}: ${work.inWords()}\n`);
}

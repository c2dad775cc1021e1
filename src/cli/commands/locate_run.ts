import {
  closeSync,
  createReadStream,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { safeCsv } from '../../common/safe_csv.ts';
import { fileTrouble } from '../../common/system_errors.ts';
import { problem } from '../../core/errors.ts';
import type { AddedCells, PointRow, PointRows } from '../../domain/points/point_rows.ts';
import { pointRows } from '../../domain/points/rows.ts';
import { type PointSource, qualityIn } from '../../domain/points/text.ts';

/** Rows per request, and thus the most that an interrupted run has to repeat. */
const BATCH_ROWS = 20_000;
export const CSV = 'text/csv';

/** The ends of rows with the cells crs_outside and error. */
const OUTSIDE = /[,;\t|]yes[,;\t|]$/gm;

export const QUERY = new Set(['levels', 'kinds', 'fields', 'figures']);

/** One run over a file. */
export class LocateRun {
  private readonly input: string;
  private readonly part: string;
  private readonly source: PointSource;
  private file: number | null = null;
  private rows = 0;
  private bad = 0;
  private kept = 0;
  /** Rows of this run whose point is outside of the area of its reference system. */
  private outside = 0;

  constructor(input: string, part: string, source: PointSource) {
    this.input = input;
    this.part = part;
    this.source = source;
  }

  async run(ask: (text: string) => Promise<string>, show: (message: string) => void): Promise<void> {
    const total = sizeOf(this.input);
    const started = performance.now();
    const reader = pointRows(CSV, this.source);
    let header = '';
    let columns: readonly string[] = [];
    let waiting: PointRow[] = [];
    let read = 0;
    let skip = 0;

    const flush = async (): Promise<void> => {
      const some = waiting;
      waiting = [];
      const good = some.filter(({ fault }) => fault === null);
      const answer = good.length === 0 ? null : await ask(header + good.map(({ text }) => `${text}\n`).join(''));
      const { text, end } = merged(some, answer === null ? [] : rowsOf(answer, this.source), columns, reader);
      this.write(text);
      if (end !== null) {
        const message = `The units of the month are used up at line ${end}. Run the command again to continue.`;
        throw problem('quota_exceeded', message);
      }
      this.rows += some.length;
      this.bad += some.length - good.length;
      if (this.source.crs !== undefined) this.outside += text.match(OUTSIDE)?.length ?? 0;
      const seconds = (performance.now() - started) / 1000;
      const pace = this.rows / seconds;
      const left = read === 0 ? 0 : (seconds * (total - read)) / read;
      const percent = total === 0 ? 100 : Math.floor((100 * read) / total);
      show(`${this.rows + this.kept} rows, ${percent} %, ${Math.round(pace)} rows/s, ${Math.ceil(left)} s left`);
    };

    const take = async (some: readonly PointRow[]): Promise<void> => {
      for (const row of some) {
        if (header === '') {
          ({ header, columns } = await this.begin(reader, ask));
          skip = this.kept;
        }
        if (skip > 0) {
          if (--skip === 0) this.requireSame(row);
          continue;
        }
        if (waiting.push(row) === BATCH_ROWS) await flush();
      }
      if (reader.failure) throw problem('invalid_input', `${this.input}: ${reader.failure}.`);
    };

    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const chunk of chunksOf(this.input)) {
      read += chunk.byteLength;
      await take(reader.push(decoder.decode(chunk, { stream: true })));
    }
    await take([...reader.push(decoder.decode()), ...reader.end()]);
    if (header === '') await this.begin(reader, ask);
    if (skip > 0) throw this.foreignPartError();
    if (waiting.length > 0) await flush();
  }

  /**
   * Reads the input's header and gets the columns that the operation adds. Opens the part file, positioned at its end
   * if it exists.
   */
  private async begin(reader: PointRows, ask: (text: string) => Promise<string>) {
    const header = reader.head([]) ?? '';
    const answered = await ask(header);
    const all = addedColumns(answered, header);
    const head = reader.head(all) as string;
    if (existsSync(this.part)) await this.resume(head);
    else {
      this.file = openSync(this.part, 'wx');
      this.write(head);
    }
    return { header, columns: all };
  }

  private lastDone = '';

  /** Counts the complete rows of the part file, truncates it after the last one, and opens it for appending. */
  private async resume(head: string): Promise<void> {
    const reader = pointRows(CSV, this.source);
    const decoder = new TextDecoder();
    let bytes = Buffer.byteLength(head);
    let seen = '';
    for await (const chunk of chunksOf(this.part)) {
      const text = decoder.decode(chunk, { stream: true });
      if (seen.length < head.length) {
        seen += text;
        if (!head.startsWith(seen.slice(0, head.length))) throw this.foreignPartError();
      }
      for (const { text: row } of reader.push(text)) {
        this.kept++;
        bytes += Buffer.byteLength(row) + 1;
        this.lastDone = row;
      }
    }
    if (seen.length < head.length) {
      truncateSync(this.part, 0);
      this.file = openSync(this.part, 'a');
      this.write(head);
      return;
    }
    truncateSync(this.part, bytes);
    this.file = openSync(this.part, 'a');
  }

  /** Checks that the last row of the part file was made from this input row. @throws invalid_input if not */
  private requireSame({ text, fault }: PointRow): void {
    if (fault === null && !this.lastDone.startsWith(text)) throw this.foreignPartError();
  }

  private foreignPartError() {
    return problem('invalid_input', `${this.part} belongs to another run. Delete it to start over.`);
  }

  private write(text: string): void {
    writeFileSync(this.file as number, text);
  }

  close(): void {
    if (this.file !== null) closeSync(this.file);
  }

  inWords(): string {
    const parts = [`${this.rows + this.kept} rows`];
    if (this.kept > 0) parts.push(`${this.kept} of them from an earlier run`);
    if (this.bad > 0) parts.push(`${this.bad} without a point: see the column error`);
    const { crs } = this.source;
    const quality = qualityIn(crs);
    if (quality !== null) {
      const { accuracyM } = quality;
      parts.push(accuracyM === null ? `${crs} of unknown accuracy` : `${crs} within ${accuracyM} m`);
    }
    if (this.outside > 0) parts.push(`${this.outside} outside of the area of ${crs}: see the column crs_outside`);
    return parts.join(', ');
  }
}

/** Writes the finished part file without formulas under the name of the output, and removes it. */
export async function writeSafe(part: string, output: string, source: PointSource): Promise<void> {
  const draft = `${output}.safe.part`;
  const out = openSync(draft, 'w');
  try {
    const reader = pointRows(CSV, source);
    const decoder = new TextDecoder();
    let separator = '';
    const write = (rows: readonly PointRow[]): void => {
      const header = separator === '' ? reader.head([]) : null;
      if (header !== null) {
        // It is in front of the last column, which is `error`.
        separator = header.trimEnd().at(-'error'.length - 1) ?? ',';
        writeFileSync(out, safeCsv(header, separator));
      }
      if (rows.length > 0) writeFileSync(out, safeCsv(rows.map(({ text }) => `${text}\n`).join(''), separator));
    };
    for await (const chunk of chunksOf(part)) write(reader.push(decoder.decode(chunk, { stream: true })));
    write([...reader.push(decoder.decode()), ...reader.end()]);
  } finally {
    closeSync(out);
  }
  renameSync(draft, output);
  rmSync(part);
}

/** The bytes of a file. @throws invalid_input when it cannot be read */
export function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw problem('invalid_input', fileTrouble(error) ?? (error as Error).message);
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    throw problem('invalid_input', fileTrouble(error) ?? (error as Error).message);
  }
}

async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 256 * 1024 });
  } catch (error) {
    throw problem('invalid_input', fileTrouble(error) ?? (error as Error).message);
  }
}

/** The columns that the operation added, from an answer without rows. */
function addedColumns(answered: string, header: string): string[] {
  const own = header.trimEnd();
  if (!answered.startsWith(own)) throw new Error('The server sent a table that does not match the request.');
  // The names of the added columns contain no separator or quote.
  return answered
    .slice(own.length)
    .trim()
    .split(/[,;\t|]/)
    .filter((name) => name !== '');
}

/** The rows of the returned table, verbatim. */
function rowsOf(answer: string, source: PointSource): string[] {
  const reader = pointRows(CSV, source);
  return [...reader.push(answer), ...reader.end()].map(({ text }) => text);
}

/**
 * Merges rows with the answers for those that have a point. Errors of the other rows are added here, with line numbers
 * of the whole file. `end`: the first line that the quota did not cover.
 */
function merged(some: readonly PointRow[], answered: readonly string[], columns: readonly string[], reader: PointRows) {
  const lines: string[] = [];
  let at = 0;
  for (const row of some) {
    if (row.fault !== null) {
      const nothing: AddedCells = columns.slice(0, -1).map((name) => [name, null] as const);
      lines.push(reader.row(row, [...nothing, ['error', `line ${row.line}: ${row.fault}`]], false));
      continue;
    }
    const text = answered[at++];
    if (text?.startsWith(row.text)) lines.push(`${text}\n`);
    else if (text?.endsWith('quota_exceeded')) {
      return { text: lines.join(''), end: row.line };
    } else throw new Error('The server sent a table that does not match the request.');
  }
  return { text: lines.join(''), end: null };
}

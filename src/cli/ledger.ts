import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { appendText } from './files.ts';

/** A file that was exported completely. */
export interface Entry {
  readonly file: string;
  readonly id: string;
  readonly version: number;
  readonly format: string;
  readonly detail?: string;
  readonly tolerance_m?: number;
  readonly sha256: string;
  readonly bytes: number;
}

/** Record of what an export wrote to a folder, so that an interrupted export can resume. */
export interface Ledger {
  /** Whether a file exists unchanged, for this version of the boundary and this detail. */
  has(wanted: Omit<Entry, 'sha256' | 'bytes'>): boolean;
  add(entry: Entry): void;
}

/** Name of the record, one JSON object per line. It also tells readers which boundary and version a file is. */
const NAME = 'boundary-export.jsonl';

/** Opens the record of a folder. It is append-only with one write per line, so that two exports may share a folder. */
export function openLedger(folder: string): Ledger {
  const path = join(folder, NAME);
  const entries = new Map<string, Entry>();
  const text = read(path).toString();
  for (const line of text.split('\n')) {
    const entry = parse(line);
    if (entry) entries.set(entry.file, entry);
  }
  // Separates the next entry from a line that was cut off.
  let gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return {
    has(wanted) {
      const entry = entries.get(wanted.file);
      if (!entry) return false;
      const { sha256, bytes, ...rest } = entry;
      const isSame = Object.keys({ ...rest, ...wanted }).every(
        (key) => rest[key as keyof typeof rest] === wanted[key as keyof typeof wanted],
      );
      return isSame && holds(join(folder, wanted.file), sha256, bytes);
    },
    add(entry) {
      entries.set(entry.file, entry);
      appendText(path, `${gap}${JSON.stringify(entry)}\n`);
      gap = '';
    },
  };
}

/** Whether a file has exactly this content. */
function holds(path: string, sha256: string, bytes: number): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.size !== bytes) return false;
  return createHash('sha256').update(readFileSync(path)).digest('hex') === sha256;
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** Parses a line; null for one that is incomplete or something else. */
function parse(line: string): Entry | null {
  try {
    const entry = JSON.parse(line) as Entry;
    return typeof entry?.file === 'string' && typeof entry.sha256 === 'string' ? entry : null;
  } catch {
    return null;
  }
}

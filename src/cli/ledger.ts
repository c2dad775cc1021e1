import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { appendText } from './files.ts';

/** A file that was exported whole. */
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

/** What an export wrote into a folder, so that it can go on where it was ended. */
export interface Ledger {
  /** Whether a file is there as it was written, of this version of the boundary and in this detail. */
  has(wanted: Omit<Entry, 'sha256' | 'bytes'>): boolean;
  add(entry: Entry): void;
}

/** The list of what is in the folder, a JSON object a line; it tells a reader which boundary and version a file is. */
const NAME = 'boundary-export.jsonl';

/** Opens the list of a folder. Lines are only ever added, one write each, so that two exports may share a folder. */
export function openLedger(folder: string): Ledger {
  const path = join(folder, NAME);
  const entries = new Map<string, Entry>();
  const text = read(path).toString();
  for (const line of text.split('\n')) {
    const entry = parse(line);
    if (entry) entries.set(entry.file, entry);
  }
  // A line that was cut off must not swallow the next one.
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

/** A line; null for one that was cut off, or that is of something else. */
function parse(line: string): Entry | null {
  try {
    const entry = JSON.parse(line) as Entry;
    return typeof entry?.file === 'string' && typeof entry.sha256 === 'string' ? entry : null;
  } catch {
    return null;
  }
}

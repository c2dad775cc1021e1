import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { personMode } from '../common/umask.ts';

/** Draft files that are being written. */
const drafts = new Set<string>();

/**
 * Writes a file atomically: to a draft in the same folder, which is then renamed. Special files (a device, a pipe) are
 * written directly; symbolic links are followed. `mode` is the mode of a new file before the umask that the program was
 * started with.
 * @throws the file system's error; the draft is deleted then
 */
export function writeWhole(path: string, content: string | Uint8Array, mode = 0o666): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const target = existing(path);
  if (target.special) {
    writeTo(openSync(path, 'w'), bytes, false);
    return;
  }
  const draft = join(dirname(target.path), `.${basename(target.path)}.${randomBytes(6).toString('hex')}.part`);
  drafts.add(draft);
  try {
    const descriptor = openSync(draft, 'wx', mode);
    fchmodSync(descriptor, personMode(mode));
    writeTo(descriptor, bytes, true);
    renameSync(draft, target.path);
    drafts.delete(draft);
  } catch (error) {
    dropDraft(draft);
    // Report the path that the person gave, not the draft's.
    if ((error as NodeJS.ErrnoException).path === draft) Object.assign(error as object, { path });
    throw error;
  }
}

/** Appends text to a user's file in one write; creates the file if it does not exist. */
export function appendText(path: string, text: string): void {
  const descriptor = openSync(path, 'a');
  try {
    if (fstatSync(descriptor).size === 0) fchmodSync(descriptor, personMode(0o666));
    writeSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/** Creates a user's folder and its missing parents. */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  for (let made = resolve(path); made.length >= resolve(first).length; made = dirname(made)) {
    chmodSync(made, personMode(0o777));
  }
}

/** Deletes all drafts, before the process exits early. */
export function dropDrafts(): void {
  for (const draft of drafts) dropDraft(draft);
}

function dropDraft(draft: string): void {
  drafts.delete(draft);
  try {
    unlinkSync(draft);
  } catch {
    // The draft was not created yet.
  }
}

function existing(path: string): { path: string; special: boolean } {
  try {
    lstatSync(path);
  } catch {
    return { path, special: false };
  }
  try {
    const real = realpathSync(path);
    const stat = lstatSync(real);
    return { path: real, special: !stat.isFile() && !stat.isDirectory() };
  } catch {
    // A dangling link: writing through it creates its target.
    return { path, special: true };
  }
}

function writeTo(descriptor: number, bytes: Uint8Array, sync: boolean): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    if (sync) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

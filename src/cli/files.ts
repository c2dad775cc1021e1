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
import { personMode } from '../umask.ts';

/** Files that are being written, under the names they have until they are whole. */
const drafts = new Set<string>();

/**
 * Writes a file as a whole or not at all: under another name in the same folder, then renamed. What is not a regular file
 * (a device, a pipe) is written to directly; a symbolic link is followed. `mode` is that of a new file, before
 * the umask that the person started the program with.
 * Throws the error of the file system; nothing is left of the draft then.
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
    // A person knows the file by the name they gave it.
    if ((error as NodeJS.ErrnoException).path === draft) Object.assign(error as object, { path });
    throw error;
  }
}

/** Adds text to the end of a file that a person asked for, in one write; makes the file when it is missing. */
export function appendText(path: string, text: string): void {
  const descriptor = openSync(path, 'a');
  try {
    if (fstatSync(descriptor).size === 0) fchmodSync(descriptor, personMode(0o666));
    writeSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes a folder that a person asked for, and those above it that are missing. */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  for (let made = resolve(path); made.length >= resolve(first).length; made = dirname(made)) {
    chmodSync(made, personMode(0o777));
  }
}

/** Removes what a process that ends now has begun to write. */
export function dropDrafts(): void {
  for (const draft of drafts) dropDraft(draft);
}

function dropDraft(draft: string): void {
  drafts.delete(draft);
  try {
    unlinkSync(draft);
  } catch {
    // It was not made yet.
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
    // A link to nothing: writing through it makes what it points to.
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

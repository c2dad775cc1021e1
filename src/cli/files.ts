import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, lstatSync, openSync, realpathSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Files that are being written, under the names they have until they are whole. */
const drafts = new Set<string>();

/**
 * Writes a file as a whole or not at all: under another name in the same folder, then renamed. What is no regular file
 * (a device, a pipe) is written to directly; a symbolic link is followed. `mode` is that of a new file.
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
    writeTo(openSync(draft, 'wx', mode), bytes, true);
    renameSync(draft, target.path);
    drafts.delete(draft);
  } catch (error) {
    dropDraft(draft);
    throw error;
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

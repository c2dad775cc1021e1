import { z } from 'zod';
import type { App } from '../../app/app.ts';
import type { Format } from '../../core/schemas.ts';
import type { Blob } from '../../domain/library/blobs.ts';
import type { BlobEntry } from '../../domain/library/file_entry.ts';
import { renderFile } from '../../ops/library/render.ts';
import { command, type Progress } from './command.ts';

/** A blob that a library entry names but the store lacks or has with other bytes, and what became of the entry. */
export interface BlobFault {
  readonly sha256: string;
  readonly fault: 'missing' | 'wrong';
  readonly file: { readonly id: string; readonly org: string; readonly name: string };
  /**
   * found: not repaired. restored: exported again with the same bytes. renewed: exported again with other bytes,
   * because the boundary has changed since. lost: the boundary can no longer be exported.
   */
  readonly outcome: 'found' | 'restored' | 'renewed' | 'lost';
  readonly reason: string | null;
}

/** Result of a check of the library's blobs. */
export interface BlobReport {
  readonly blobs: number;
  readonly bytes: number;
  readonly faults: readonly BlobFault[];
  /** Blobs that no entry names. */
  readonly strays: { readonly blobs: number; readonly bytes: number; readonly removed: number };
}

const PROGRESS_INTERVAL = 100;

/** Reads every named blob and lists the blobs that no entry names. With `repair`, repairs both. */
async function checkBlobs({ services }: App, repair: boolean, progress: Progress): Promise<BlobReport> {
  const { files, fileBlobs } = services;
  let [blobs, bytes] = [0, 0];
  const faults: BlobFault[] = [];
  for await (const blob of fileBlobs.named()) {
    const state = await fileBlobs.state(blob);
    blobs++;
    bytes += blob.bytes;
    if (blobs % PROGRESS_INTERVAL === 0) progress(`${blobs} blobs read, ${faults.length} faults`);
    if (state === 'good') continue;
    for (const entry of await files.entriesOfBlob(blob.sha256)) {
      const { id, org, name } = entry;
      const outcome = repair ? await repairEntry(services, blob, entry) : { outcome: 'found' as const, reason: null };
      faults.push({ sha256: blob.sha256, fault: state, file: { id, org, name }, ...outcome });
    }
    // Does nothing while an entry still names the blob.
    if (repair) await fileBlobs.release(blob);
  }
  const strays = { blobs: 0, bytes: 0, removed: 0 };
  for await (const stray of fileBlobs.orphans()) {
    strays.blobs++;
    strays.bytes += stray.bytes;
    if (repair && (await fileBlobs.release(stray))) strays.removed++;
  }
  return { blobs, bytes, faults, strays };
}

async function repairEntry(
  services: App['services'],
  blob: Blob,
  entry: BlobEntry,
): Promise<Pick<BlobFault, 'outcome' | 'reason'>> {
  const { boundary, detail } = entry;
  if (boundary === null || detail === null) {
    return { outcome: 'lost', reason: 'it is not of a single boundary: save it again, or create its job again' };
  }
  try {
    const wanted = { detail, format: entry.format as Format };
    const exported = await renderFile(services, await services.boundaries.get(boundary), wanted);
    if (exported.sha256 === blob.sha256) {
      await services.fileBlobs.restore(blob, exported.content);
      return { outcome: 'restored', reason: null };
    }
    await services.files.renew(entry, exported);
    return { outcome: 'renewed', reason: `version ${entry.version} of ${boundary} is ${exported.version} now` };
  } catch (error) {
    return { outcome: 'lost', reason: error instanceof Error ? error.message : String(error) };
  }
}

export const blobCommands = {
  admin_blobs: command({
    input: z.strictObject({ repair: z.boolean().default(false) }),
    run: (app, { repair }, progress) => checkBlobs(app, repair, progress),
  }),
};

import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Storage } from '../adapters/storage.ts';
import { defined } from '../common/elements.ts';
import { writeAll } from '../common/write_all.ts';
import type { ClaimedJob, FailedBoundary, StoredPart } from '../domain/jobs/job.ts';
import { MemberTooLarge } from '../geometry/collection_model.ts';
import type { JobPlan } from '../ops/jobs/kind.ts';
import type { Services } from '../services.ts';

/** File extension of stored parts. */
const PART = 'part';

/** Deletes parts that no job names any longer. */
export async function removeParts(storage: Storage, blobs: readonly string[]): Promise<void> {
  for (const blob of blobs) await storage.remove(`${blob}.${PART}`);
}

/** Age from which stored parts that no job names are deleted, and how many are looked up at once. */
const ORPHAN_AGE_MS = 86_400_000;
const MOST_SWEPT = 500;

/** Deletes parts that a killed process left behind. */
export async function sweepParts(storage: Storage, jobs: Pick<Services['jobs'], 'orphanBlobs'>): Promise<void> {
  let batch: string[] = [];
  const drop = async () => {
    await removeParts(storage, await jobs.orphanBlobs(batch));
    batch = [];
  };
  for await (const { name, usedAt } of storage.list()) {
    if (Date.now() - usedAt < ORPHAN_AGE_MS) continue;
    batch.push(defined(name.split('.')[0]));
    if (batch.length >= MOST_SWEPT) await drop();
  }
  if (batch.length > 0) await drop();
}

/**
 * Makes and stores one part of a job. The blob is named by the claim's token, so no other claim can use it.
 * @param failed the boundaries that no part has; those that turn out to be too large are added
 */
export async function makePart(
  storage: Storage,
  { job, plan, index }: { readonly job: ClaimedJob; readonly plan: JobPlan; readonly index: number },
  failed: FailedBoundary[],
  signal: AbortSignal,
): Promise<StoredPart> {
  const blob = createHash('sha256').update(`${job.id} ${job.token} ${index} ${plan.revision}`).digest('hex');
  for (;;) {
    const draft = await storage.draft();
    try {
      const file = await open(draft.path, 'w', 0o600);
      let about: unknown;
      try {
        const parts = plan.make(defined(plan.parts[index]), new Set(failed.map(({ id }) => id)), signal);
        for (let next = await parts.next(); ; next = await parts.next()) {
          if (next.done) {
            about = next.value;
            break;
          }
          signal.throwIfAborted();
          await writeAll(file, next.value);
        }
      } finally {
        await file.close();
      }
      await draft.keep(`${blob}.${PART}`);
      return { part: index, blob, about };
    } catch (error) {
      if (!(error instanceof MemberTooLarge) || failed.some(({ id }) => id === error.id)) throw error;
      failed.push({ id: error.id, name: error.id, reason: error.message });
    } finally {
      await draft.drop();
    }
  }
}

/** The bytes of parts, one after the other. @throws the reason of the signal when it has aborted */
export async function* bytesOf(
  storage: Storage,
  parts: readonly StoredPart[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (const { blob } of parts) {
    signal.throwIfAborted();
    yield* await storage.read(`${blob}.${PART}`);
  }
}

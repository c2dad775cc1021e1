/** Files that are made again when their boundaries change; owns the table file_follow. */
import { systemActor } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import type { Statements } from '../../db/generated/statements.ts';
import { loadQuery } from '../../db/query.ts';
import { putAudit } from '../people/audit.ts';
import type { FileBlobs, PutBlob } from './blobs.ts';
import type { Settle } from './file_entry.ts';

/** Most files of an organization that follow their boundaries. */
const MOST = 200;
/** Attempts to name bytes, which others may remove in between. */
const TRIES = 3;

/** A file that a process looks at, and may make again, for as long as it extends its claim. */
export type Claimed = Statements['file_follow_claim']['row'];

/** What a file is made of now. `boundary` and `version`: of a single boundary, else null. */
export interface Renewed {
  readonly boundary: string | null;
  readonly version: number | null;
  readonly sha256: string;
  /** The moment of the data that it was made from. */
  readonly dataAt: string;
}

/** Lets a file follow its boundaries. @throws invalid_input for more than an organization may have */
export async function follow(tx: Queryable, file: string): Promise<void> {
  await tx.query(loadQuery('file_follow_lock'), [file]);
  const held = await tx.query(loadQuery('file_follow'), [file, MOST]);
  if (held.length > 0) return;
  const message = `the organization may have ${MOST} files that follow their boundaries: end that of some`;
  throw invalidInput([{ path: 'follow', code: 'too_many', message }]);
}

/** Keeps a file as it is from now on. */
export async function stopFollowing(tx: Queryable, file: string): Promise<void> {
  await tx.query(loadQuery('file_follow_stop'), [file]);
}

/** Claims a file that follows and was not looked at since the data changed, for `seconds`; null: there is none. */
export async function claimFollowing(db: Queryable, seconds: number): Promise<Claimed | null> {
  const [row] = await db.query(loadQuery('file_follow_claim'), [seconds]);
  return row ?? null;
}

/** Extends a claim to `seconds` from now. False if it is over: another process has the file, or it follows no longer. */
export async function extendFollowing(db: Queryable, { id, claim }: Claimed, seconds: number): Promise<boolean> {
  return (await db.query(loadQuery('file_follow_extend'), [id, claim, seconds])).length > 0;
}

/** Records that no boundary of a file changed up to a moment. */
export async function keepFollowing(db: Queryable, { id, claim }: Claimed, upto: string): Promise<void> {
  await db.query(loadQuery('file_follow_checked'), [id, claim, upto]);
}

/** Lets a file be tried again in `seconds`; `failure`: why it could not be made, null if it only has to wait. */
export async function postpone(
  db: Queryable,
  { id, claim }: Claimed,
  seconds: number,
  failure: { readonly code: string; readonly detail: string } | null,
): Promise<void> {
  await db.query(loadQuery('file_follow_failed'), [id, claim, seconds, failure && JSON.stringify(failure)]);
}

/**
 * Gives a claimed file its new bytes, which put() stores, at the same address, with its price and an entry of the audit
 * log in the same transaction. The same bytes cost nothing. False: it was deleted, follows no longer, or the claim is over.
 */
export async function renewFollowing(
  db: Database,
  blobs: FileBlobs,
  claimed: Claimed,
  made: Renewed,
  put: () => Promise<PutBlob>,
  settle: Settle,
): Promise<boolean> {
  const { id, org, claim } = claimed;
  for (let i = 0; i < TRIES; i++) {
    const blob = await put();
    const done = await db.transaction(async (tx): Promise<boolean | null> => {
      if ((await tx.query(loadQuery('file_hold'), [org, id])).length === 0) return false;
      if (!(await blobs.hold(tx, blob))) return null;
      if ((await tx.query(loadQuery('file_follow_checked'), [id, claim, made.dataAt])).length === 0) return false;
      const { boundary, version, sha256, dataAt } = made;
      await tx.query(loadQuery('file_update'), [id, null, null, boundary, version, sha256, dataAt, null]);
      if (sha256 === claimed.sha256) return true;
      await settle(tx);
      await putAudit(tx, systemActor('files that follow'), org, {
        action: 'file.renew',
        target: { type: 'file', id, name: claimed.name },
        details: { from: claimed.sha256, to: sha256 },
      });
      return true;
    });
    // Bytes that no entry names are removed by the sweep at the latest.
    if (done !== null) return done;
  }
  return false;
}

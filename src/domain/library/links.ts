/** Links to files of the library, for whoever has them; owns the table file_link. */
import { createHash, randomBytes } from 'node:crypto';
import type { Actor } from '../../core/access.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { newId } from '../new_id.ts';
import { putAudit } from '../people/audit.ts';
import type { Share } from '../people/shares.ts';
import { findEntry } from './entries.ts';
import type { FileEntry } from './file_entry.ts';

/** Most links of a file at a time. */
const MOST = 20;
/** Most expired links that one sweep deletes. */
const SWEPT = 1000;

/** SHA-256 in hexadecimal. A secret of 256 random bits needs no slow hash. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const toShare = ({ id, created_at, expires_at }: { id: string; created_at: Date; expires_at: Date }): Share => ({
  ...{ grant_id: id, team: null, user: null, access: 'read', created_at: created_at.toISOString() },
  link: { expires_at: expires_at.toISOString() },
});

/** The links of a file that have not expired, oldest first, without their secrets. */
export async function linksOf(from: Queryable, file: string): Promise<Share[]> {
  return (await from.query(loadQuery('file_links'), [file])).map(toShare);
}

/**
 * Makes a link to a file for some days, audited; returns its id and its secret, which no one can read again. The caller
 * holds the file's row.
 * @throws invalid_input for more than a file may have
 */
export async function putLink(
  tx: Queryable,
  by: { readonly org: string; readonly account: string; readonly actor: Actor },
  file: { readonly id: string; readonly name: string },
  days: number,
): Promise<{ readonly id: string; readonly secret: string }> {
  const secret = randomBytes(32).toString('base64url');
  const values = [newId('lnk'), file.id, by.account, hashOf(secret), days, MOST] as const;
  const [made] = await tx.query(loadQuery('file_link_put'), values);
  if (!made) {
    const message = `a file may have ${MOST} links at a time: end one of them`;
    throw invalidInput([{ path: 'link_days', code: 'too_many', message }]);
  }
  await putAudit(tx, by.actor, by.org, {
    action: 'file.share',
    target: { type: 'file', id: file.id, name: file.name },
    details: { grant_id: made.id, link: true, access: 'read', expires_at: made.expires_at.toISOString() },
  });
  return { id: made.id, secret };
}

/** Ends a link of a file, or all of them, audited; returns how many. */
export async function dropLinks(
  tx: Queryable,
  by: { readonly org: string; readonly actor: Actor },
  file: { readonly id: string; readonly name: string },
  link: string | null,
): Promise<number> {
  const dropped = await tx.query(loadQuery('file_link_drop'), [file.id, link]);
  for (const { id } of dropped) {
    await putAudit(tx, by.actor, by.org, {
      action: 'file.unshare',
      target: { type: 'file', id: file.id, name: file.name },
      details: { grant_id: id, link: true, access: 'read' },
    });
  }
  return dropped.length;
}

/**
 * The file that a link gives: as its maker sees it, who must still administer it.
 * @throws not_found for another file, a wrong secret, and a link that expired or was ended
 */
export async function linkedEntry(from: Queryable, file: string, secret: string): Promise<FileEntry> {
  const [link] = await from.query(loadQuery('file_link_read'), [file, hashOf(secret)]);
  const entry = link ? await findEntry(from, link, file) : null;
  if (entry?.access !== 'admin') throw problem('not_found', 'There is no such link, or it has expired.');
  return entry;
}

/** Deletes expired links. */
export async function sweepLinks(db: Queryable): Promise<void> {
  await db.query(loadQuery('file_link_sweep'), [SWEPT]);
}

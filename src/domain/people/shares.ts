import { only } from '../../common/elements.ts';
import type { Actor, FileAccess } from '../../core/access.ts';
import type { Queryable } from '../../db/connect.ts';
import type { Statements } from '../../db/generated/statements.ts';
import { loadQuery } from '../../db/query.ts';
import { newId } from '../new_id.ts';
import { putAudit } from './audit.ts';

/** A share of a file: to a team or to a person of its organization. */
export interface Share {
  readonly grant_id: string;
  readonly team: { readonly id: string; readonly slug: string; readonly name: string } | null;
  readonly user: { readonly id: string; readonly email: string; readonly name: string | null } | null;
  readonly access: FileAccess;
  readonly created_at: string;
  /** Of a link for whoever has it; `secret` only when it is made. */
  readonly link?: { readonly expires_at: string; readonly secret?: string };
}

/** The team or user that a file is shared with: id, and name for the audit log. */
export type Grantee =
  | { readonly team: string; readonly name: string }
  | { readonly user: string; readonly name: string };

/** The shares of a file, oldest first. */
export async function sharesOf(from: Queryable, file: string): Promise<Share[]> {
  const rows = await from.query(loadQuery('file_shares'), [file]);
  return rows.map(({ grant_id, access, created_at, ...to }) => ({
    grant_id,
    team: to.team === null ? null : { id: to.team, slug: to.team_slug, name: to.team_name },
    user: to.account === null ? null : { id: to.account, email: to.email, name: to.name },
    access,
    created_at: created_at.toISOString(),
  }));
}

/** Shares a file, or changes the access of the existing share, audited. The same access again changes nothing. */
export async function putShare(
  tx: Queryable,
  org: string,
  file: { readonly id: string; readonly name: string },
  to: Grantee,
  access: FileAccess,
  actor: Actor,
): Promise<void> {
  const [team, user] = 'team' in to ? [to.team, null] : [null, to.user];
  const { id, before } = only(
    await tx.query(loadQuery('file_share_put'), [newId('shr'), file.id, org, team, user, access]),
  );
  if (before === access) return;
  await putAudit(tx, actor, org, {
    action: 'file.share',
    target: { type: 'file', id: file.id, name: file.name },
    details: { grant_id: id, ...to, access, ...(before === null ? {} : { from: before }) },
  });
}

/** Ends one share of a file, audited; false if the file has no share with this id. */
export async function dropShare(
  tx: Queryable,
  org: string,
  file: string,
  grant: string,
  actor: Actor,
): Promise<boolean> {
  return (await drop(tx, org, [file, grant, org, null, null], actor)) > 0;
}

/**
 * Ends all shares of a file, or those of files and area sets with a team, with a member of the organization, or all in it,
 * each audited. Call it before deleting what they depend on.
 */
export async function dropSharesOf(
  tx: Queryable,
  org: string,
  of: { readonly file?: string; readonly team?: string; readonly account?: string },
  actor: Actor,
): Promise<void> {
  await drop(tx, org, [of.file ?? null, null, org, of.team ?? null, of.account ?? null], actor);
  if (of.file === undefined) await dropSetShares(tx, org, of, actor);
}

/**
 * Ends shares of area sets of an organization, each audited: those that match all that is given.
 * @returns how many there were
 */
export async function dropSetShares(
  tx: Queryable,
  org: string,
  of: { readonly set?: string; readonly grant?: string; readonly team?: string; readonly account?: string },
  actor: Actor,
): Promise<number> {
  const which = [of.set ?? null, of.grant ?? null, org, of.team ?? null, of.account ?? null] as const;
  const dropped = await tx.query(loadQuery('sets_share_drop'), which);
  for (const { id, area_set, set_name, access, ...to } of dropped) {
    await putAudit(tx, actor, org, {
      action: 'set.unshare',
      target: { type: 'set', id: area_set, name: set_name },
      details: { grant_id: id, ...granteeIn(to), access },
    });
  }
  return dropped.length;
}

/** The recipient of a share as the audit log has it. */
const granteeIn = (to: {
  readonly team: string | null;
  readonly team_name: string;
  readonly account: string | null;
  readonly email: string;
}) => (to.team === null ? { user: to.account, name: to.email } : { team: to.team, name: to.team_name });

async function drop(
  tx: Queryable,
  org: string,
  which: Statements['file_share_drop']['values'],
  actor: Actor,
): Promise<number> {
  const dropped = await tx.query(loadQuery('file_share_drop'), which);
  for (const { id, file, file_name, access, ...to } of dropped) {
    await putAudit(tx, actor, org, {
      action: 'file.unshare',
      target: { type: 'file', id: file, name: file_name },
      details: { grant_id: id, ...granteeIn(to), access },
    });
  }
  return dropped.length;
}

import type { Actor } from '../../core/access.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { putAudit } from './audit.ts';

/**
 * Removes members from teams of an organization with an audit entry each: one person from one team, everyone from a
 * team that is about to be deleted, or a person from all teams before their membership ends. Returns the number of team
 * memberships removed.
 */
export async function dropTeamMembers(
  tx: Queryable,
  org: string,
  of: { readonly team?: string; readonly account?: string },
  actor: Actor,
): Promise<number> {
  const values = [org, of.team ?? null, of.account ?? null] as const;
  const dropped = await tx.query(loadQuery('team_drop_members'), values);
  for (const { team, team_name, account, email } of dropped) {
    await putAudit(tx, actor, org, {
      action: 'team.remove_member',
      target: { type: 'team', id: team, name: team_name },
      details: { account, email },
    });
  }
  return dropped.length;
}

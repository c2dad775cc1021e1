import { problem } from '../../core/errors.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { readEmail } from './mail_address.ts';
import { findMember } from './members.ts';
import type { Grantee } from './shares.ts';
import { findTeam } from './teams.ts';

/** Finds a team by id or slug, a member by id or email. @throws not_found */
export async function granteeOf(
  tx: Queryable,
  org: string,
  to: { readonly team: string } | { readonly user: string },
): Promise<Grantee> {
  if ('team' in to) {
    const { id, name } = await findTeam(tx, org, to.team);
    return { team: id, name };
  }
  if (!to.user.includes('@')) {
    const { id, email } = await findMember(tx, org, to.user);
    return { user: id, name: email };
  }
  const email = readEmail(to.user);
  const [member] = await tx.query(loadQuery('invite_member_by_email'), [org, email]);
  if (!member) throw problem('not_found', 'The organization has no member with this email address.');
  return { user: member.account, name: email };
}

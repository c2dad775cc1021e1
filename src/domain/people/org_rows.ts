import { only } from '../../common/elements.ts';
import type { Actor } from '../../core/access.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { newId } from '../new_id.ts';
import { putAudit } from './audit.ts';
import { dropMember, type OrgRow } from './members.ts';
import type { RevokeAccess } from './revocation.ts';
import { dropSharesOf } from './shares.ts';
import { SLUG, SLUG_MESSAGE } from './slugs.ts';

/**
 * Creates an organization without members. On a free plan it uses the founder's units. If the slug is taken, returns
 * null, or with `vary` retries with a random suffix. Random rather than counted, so that two people with the same name
 * rarely wait for each other.
 */
export async function putOrg(
  tx: Queryable,
  slug: string,
  name: string,
  plan: string,
  founder: { readonly id: string; readonly personal: boolean },
  actorIn: (org: string) => Actor,
  vary: boolean,
): Promise<OrgRow | null> {
  for (let attempt = 1; ; attempt++) {
    const candidate = attempt === 1 ? slug : `${slug}-${newId('x').slice(-6).toLowerCase()}`;
    const values = [newId('org'), candidate, name, plan, founder.id, founder.personal] as const;
    const [org] = await tx.query(loadQuery('org_put'), values);
    if (org) {
      await putAudit(tx, actorIn(org.id), org.id, {
        action: 'org.create',
        target: { type: 'org', id: org.id, name },
        details: { slug: org.slug, plan },
      });
      return org;
    }
    if (!vary) return null;
    if (attempt === 5) throw new Error('no free slug was found for an organization');
  }
}

/**
 * Returns the organization with this slug. If it does not exist, creates it with the account as owner; otherwise adds
 * the account as a member.
 */
export async function sharedOrg(
  tx: Queryable,
  account: { id: string; email: string },
  slug: string,
  plan: string,
  actor: Actor,
): Promise<OrgRow> {
  if (!SLUG.test(slug)) throw invalidInput([{ path: 'org', code: 'invalid_format', message: SLUG_MESSAGE }]);
  const made = await putOrg(tx, slug, slug, plan, { id: account.id, personal: false }, () => actor, false);
  const [existing] = made ? [] : await tx.query(loadQuery('org_by_slug'), [slug]);
  const org = made ?? existing;
  if (!org) throw invalidInput([{ path: 'org', code: 'taken', message: 'a deleted organization had this slug' }]);
  const role = made ? 'owner' : 'member';
  const joined = await tx.query(loadQuery('org_put_member'), [org.id, account.id, role]);
  if (!made && joined.length > 0) {
    await putAudit(tx, actor, org.id, {
      action: 'member.add',
      target: { type: 'account', id: account.id, name: account.email },
      details: { role },
    });
  }
  return org;
}

/**
 * Deletes an organization; its audit log stays. The caller checks that the person may do this.
 * @throws invalid_input while it has a subscription
 */
export async function dropOrg(
  tx: Queryable,
  org: Pick<OrgRow, 'id' | 'slug' | 'name'>,
  revokeAccess: RevokeAccess,
  actor: Actor,
): Promise<void> {
  const [paid] = await tx.query(loadQuery('billing_subscription'), [org.id]);
  if (paid && paid.state !== 'ended') {
    throw problem('invalid_input', `${org.slug} has a paid plan. Cancel the plan first.`);
  }
  await dropSharesOf(tx, org.id, {}, actor);
  for (;;) {
    const members = await tx.query(loadQuery('org_members'), [org.id, 1000, 0]);
    for (const member of members) await dropMember(tx, org.id, member, revokeAccess, actor);
    if (members.length === 0) break;
  }
  await tx.query(loadQuery('org_drop'), [org.id]);
  await putAudit(tx, actor, org.id, {
    action: 'org.delete',
    target: { type: 'org', id: org.id, name: org.name },
    details: { slug: org.slug },
  });
}

/** Moves an organization to another plan. */
export async function setPlan(tx: Queryable, org: OrgRow, plan: string, actor: Actor): Promise<OrgRow> {
  const changed = only(await tx.query(loadQuery('org_set_plan'), [org.id, plan]));
  await putAudit(tx, actor, org.id, {
    action: 'plan.change',
    target: { type: 'org', id: org.id, name: org.name },
    details: { from: org.plan, to: plan },
  });
  return changed;
}

/** @throws invalid_input if there is no plan with this id for organizations */
export async function requirePlan(tx: Queryable, plan: string): Promise<void> {
  if ((await tx.query(loadQuery('org_plan_exists'), [plan])).length > 0) return;
  throw invalidInput([{ path: 'plan', code: 'invalid_value', message: 'there is no such plan' }]);
}

import { z } from 'zod';
import { actorOf } from '../../core/access.ts';
import type { Context } from '../../core/op.ts';
import { ROLES } from '../../core/roles.ts';
import { oneLine, timestamp } from '../../core/schemas.ts';
import type { Invite } from '../../domain/people/invites.ts';
import type { ActingMember } from '../../domain/people/members.ts';
import { SLUG, SLUG_MESSAGE } from '../../domain/people/slugs.ts';
import { holder, KEY_ERRORS, person } from '../account/api_key.ts';

export const role = z.enum(ROLES);
export const slug = z.string().regex(SLUG, SLUG_MESSAGE).describe('Lower-case letters, digits and inner hyphens.');
export const userId = z.string().min(1).max(200).describe('Account id of a member: usr_….');
export const teamName = z.string().min(1).max(200).describe('Id or slug of the team.');

/** An organization as its members see it. */
export const org = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  plan: z.string(),
  personal: z.boolean().describe('Whether it is the personal organization of its owner.'),
  role: role.describe('Role of the caller; a key acts as admin at most.'),
  created_at: timestamp,
});

export const member = person.extend({ role, created_at: timestamp.describe('When they became a member.') });

export const invite = z.object({
  id: z.string(),
  email: z.string(),
  role,
  created_at: timestamp,
  expires_at: timestamp,
  invited_by: person.nullable(),
  url: z.url().describe('Link to the invitation, for whoever can sign in with its address.'),
  mailed: z.boolean().describe('Whether this server mails the invitation. If not, pass the url on.'),
});

/** An invitation as answers have it. */
export function inviteAnswer({ baseUrl, services: { config } }: Context, one: Invite): z.input<typeof invite> {
  return { ...one, url: `${baseUrl}/invite?token=${one.id}`, mailed: config.SMTP_URL !== undefined };
}

export const team = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  created_at: timestamp,
  members: z.array(person),
});

/** A new name, a new slug, or both. */
export const renaming = { name: oneLine.optional(), slug: slug.optional() };
/** Refuses a change that changes nothing. */
export const changesSomething = [
  (change: { name?: string; slug?: string }) => change.name !== undefined || change.slug !== undefined,
  'give a name, a slug or both',
] as const;

/** Errors that any operation on organizations may have. */
export const ORG_ERRORS = [...KEY_ERRORS, 'not_found'] as const;

/** Who acts in the organization of the call. @throws unauthorized for a local operator */
export function acting(ctx: Pick<Context, 'caller' | 'requestId' | 'address'>): ActingMember {
  const { account, org, role } = holder(ctx.caller);
  return { account, org: org.id, role, actor: actorOf(ctx) };
}

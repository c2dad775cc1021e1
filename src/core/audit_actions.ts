/** Every action of the audit log, named after what it changes. */
export const AUDIT_ACTIONS = [
  'account.update',
  'org.create',
  'org.update',
  'org.delete',
  'member.add',
  'member.update',
  'member.remove',
  'team.create',
  'team.update',
  'team.delete',
  'team.add_member',
  'team.remove_member',
  'invite.create',
  'invite.revoke',
  'invite.accept',
  'api_key.create',
  'api_key.revoke',
  'oauth_grant.create',
  'oauth_grant.revoke',
  'plan.change',
  'file.share',
  'file.unshare',
  'file.visibility',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Roles of a member in an organization, strongest first. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/** Whether a role is at least as strong as another. */
export function atLeast(role: Role, wanted: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(wanted);
}

/** The weaker of two roles. */
export function weaker(a: Role, b: Role): Role {
  return atLeast(a, b) ? b : a;
}

/** The roles that a role may give, change and take away: never one above itself. */
const GRANTS: Readonly<Record<Role, readonly Role[]>> = {
  owner: ['owner', 'admin', 'member', 'viewer'],
  admin: ['admin', 'member', 'viewer'],
  member: [],
  viewer: [],
};

/** Whether a person with the role may give `granted`, by an invitation or to a member. */
export function mayGrant(role: Role, granted: Role): boolean {
  return GRANTS[role].includes(granted);
}

/** Whether a person with the role may change a member's role from one to another. */
export function mayChange(role: Role, from: Role, to: Role): boolean {
  return mayGrant(role, from) && mayGrant(role, to);
}

/**
 * Whether a person with the role may remove a member with the role `removed`. Anyone may leave, but only with a
 * credential that gives them their full role: an owner must sign in to leave.
 */
export function mayRemove(role: Role, removed: Role, self: boolean): boolean {
  return self ? atLeast(role, removed) : mayGrant(role, removed);
}

/** Whether the role may see and revoke all keys of the organization, not only its own. */
export function holdsAllKeys(role: Role): boolean {
  return atLeast(role, 'admin');
}

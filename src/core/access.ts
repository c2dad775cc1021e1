import { problem } from './errors.ts';
import { atLeast, type Role, weaker } from './roles.ts';

/** The most that an OAuth grant allows, weakest first. */
export const SCOPES = ['read', 'write', 'admin'] as const;

export type Scope = (typeof SCOPES)[number];

/**
 * Who may call: anyone, anyone with an account, a member of the current organization with at least that role, or the
 * operators of the service.
 */
export type Who = 'public' | 'account' | Role | 'operator';

/** Who may call an operation. */
export interface Rule {
  readonly who: Who;
  /** The OAuth scope a token needs. Absent: `read` for operations that read, `write` for those that write. */
  readonly scope?: Scope;
  /** Not by an OAuth client, because the result would outlive its grant. */
  readonly client?: false;
  /** Only a person signed in with a browser, not a key or a token. */
  readonly session?: true;
}

/** The rule of every operation; nothing else decides who may call it. Access to single files is below (fileAccess). */
export const RULES = {
  search_boundaries: { who: 'public' },
  list_children: { who: 'public' },
  get_boundary: { who: 'public' },
  get_boundary_above_low: { who: 'viewer' },
  export_boundary: { who: 'viewer' },
  export_collection: { who: 'public' },
  export_collection_above_low: { who: 'viewer' },
  union_boundaries: { who: 'viewer' },
  create_area: { who: 'viewer' },
  dissolve: { who: 'viewer' },
  locate_points: { who: 'viewer' },
  match_names: { who: 'viewer' },
  save_match_corrections: { who: 'member' },
  list_match_corrections: { who: 'viewer' },
  join: { who: 'viewer' },
  crosswalk: { who: 'viewer' },
  convert_values: { who: 'viewer' },
  compare_file: { who: 'viewer' },
  cover_boundaries: { who: 'viewer' },
  draw_map: { who: 'viewer' },
  reverse_boundaries: { who: 'viewer' },
  list_neighbors: { who: 'viewer' },
  list_versions: { who: 'public' },
  list_changes: { who: 'viewer' },
  list_kinds: { who: 'public' },
  get_data_status: { who: 'public' },
  get_pricing: { who: 'public' },
  get_account: { who: 'account' },
  get_usage: { who: 'viewer' },
  list_api_keys: { who: 'viewer' },
  create_api_key: { who: 'viewer', client: false },
  revoke_api_key: { who: 'viewer', scope: 'admin' },
  delete_account: { who: 'account', session: true },
  list_orgs: { who: 'account' },
  create_org: { who: 'account', scope: 'admin' },
  switch_org: { who: 'account', session: true },
  get_org: { who: 'viewer' },
  update_org: { who: 'admin', scope: 'admin' },
  delete_org: { who: 'owner', scope: 'admin' },
  list_members: { who: 'viewer' },
  update_member: { who: 'admin', scope: 'admin' },
  remove_member: { who: 'viewer', scope: 'admin' },
  list_invites: { who: 'admin' },
  invite_member: { who: 'admin', scope: 'admin' },
  revoke_invite: { who: 'admin', scope: 'admin' },
  accept_invite: { who: 'account', scope: 'admin' },
  list_teams: { who: 'viewer' },
  create_team: { who: 'admin', scope: 'admin' },
  update_team: { who: 'admin', scope: 'admin' },
  delete_team: { who: 'admin', scope: 'admin' },
  add_team_member: { who: 'admin', scope: 'admin' },
  remove_team_member: { who: 'admin', scope: 'admin' },
  list_audit_log: { who: 'admin' },
  change_plan: { who: 'owner', scope: 'admin' },
  list_oauth_grants: { who: 'viewer' },
  revoke_oauth_grant: { who: 'viewer', scope: 'admin' },
  save_file: { who: 'member' },
  list_files: { who: 'viewer' },
  get_file: { who: 'viewer' },
  update_file: { who: 'member' },
  update_file_visibility: { who: 'member', scope: 'admin' },
  delete_file: { who: 'member' },
  share_file: { who: 'member', scope: 'admin' },
  share_file_by_link: { who: 'member', scope: 'admin', client: false },
  unshare_file: { who: 'member', scope: 'admin' },
  create_area_set: { who: 'member' },
  list_area_sets: { who: 'viewer' },
  get_area_set: { who: 'viewer' },
  list_set_areas: { who: 'viewer' },
  list_set_gaps: { who: 'viewer' },
  update_area_set: { who: 'member' },
  update_area_set_visibility: { who: 'member', scope: 'admin' },
  delete_area_set: { who: 'member' },
  share_area_set: { who: 'member', scope: 'admin' },
  unshare_area_set: { who: 'member', scope: 'admin' },
  import_file: { who: 'operator', client: false },
  remove_source: { who: 'operator', client: false },
  create_job: { who: 'member' },
  list_jobs: { who: 'viewer' },
  get_job: { who: 'viewer' },
  cancel_job: { who: 'member' },
  create_subscription: { who: 'member' },
  list_subscriptions: { who: 'viewer' },
  delete_subscription: { who: 'member' },
  get_change_feed: { who: 'public' },
  list_feedback: { who: 'public' },
  list_feedback_mine: { who: 'account' },
  get_feedback: { who: 'public' },
  request_feature: { who: 'account' },
  report_issue: { who: 'account' },
  upvote_feedback: { who: 'account' },
  remove_feedback_vote: { who: 'account' },
  comment_on_feedback: { who: 'account' },
  set_feedback_status: { who: 'operator' },
  list_reviews: { who: 'public' },
  list_reviews_pending: { who: 'operator' },
  submit_review: { who: 'account' },
  get_own_review: { who: 'account' },
  respond_to_review: { who: 'operator' },
  publish_review: { who: 'operator' },
} as const satisfies Record<string, Rule>;

/** How the caller proved who they are. `id` names the session, key or grant; it is never the secret. */
export type Credential =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'api_key'; readonly id: string; readonly name: string }
  | { readonly kind: 'oauth_client'; readonly id: string; readonly name: string; readonly scope: Scope };

/** Who is calling. Anonymous: all null, not an operator. LOCAL_OPERATOR: an operator without an account. */
export interface Caller {
  readonly account: { readonly id: string; readonly email: string; readonly name: string | null } | null;
  readonly org: { readonly id: string; readonly slug: string; readonly plan: string } | null;
  /** The role in `org`: the person's current role, limited by the credential. */
  readonly role: Role | null;
  readonly credential: Credential | null;
  readonly operator: boolean;
}

export const ANONYMOUS: Caller = { account: null, org: null, role: null, credential: null, operator: false };

/** The person at the machine itself: the control socket and local commands. Unmetered unless they give a key. */
export const LOCAL_OPERATOR: Caller = { ...ANONYMOUS, operator: true };

/** The role a key acts with: its creator's current role, at most admin (what only owners may do needs a sign-in). */
export function keyRole(role: Role): Role {
  return weaker(role, 'admin');
}

const SCOPE_ROLE = { read: 'viewer', write: 'member', admin: 'admin' } as const satisfies Record<Scope, Role>;

/** The role an OAuth grant acts with: the person's current role, at most what its scope allows. */
export function grantRole(role: Role, scope: Scope): Role {
  return weaker(role, SCOPE_ROLE[scope]);
}

/** Who can see a library file besides those it is shared with: every member, or only its creator and admins. */
export const VISIBILITIES = ['org', 'restricted'] as const;

export type Visibility = (typeof VISIBILITIES)[number];

/** Levels of access to a file, each with all before it: read; rename and refresh; share, hide and delete. */
export const FILE_ACCESS = ['read', 'write', 'admin'] as const;

export type FileAccess = (typeof FILE_ACCESS)[number];

/** Whether access to a file is at least as strong as another. */
export function fileAccessAtLeast(access: FileAccess, wanted: FileAccess): boolean {
  return FILE_ACCESS.indexOf(access) >= FILE_ACCESS.indexOf(wanted);
}

/**
 * What a member with the role may do with a file of their organization; null when they cannot see it. It is the highest
 * access that their role, having created the file, its visibility, or the strongest share with them or one of their
 * teams gives. Viewers can only read, whatever they created or were given.
 */
export function fileAccess(
  role: Role,
  file: { readonly visibility: Visibility; readonly own: boolean; readonly share: FileAccess | null },
): FileAccess | null {
  const given: (FileAccess | null)[] = [file.share];
  if (file.own || atLeast(role, 'admin')) given.push('admin');
  if (file.visibility === 'org') given.push(atLeast(role, 'member') ? 'write' : 'read');
  const best = FILE_ACCESS.findLast((access) => given.includes(access)) ?? null;
  return best !== null && role === 'viewer' ? 'read' : best;
}

/** Checks that the caller may use an operation with this rule and effect. @throws unauthorized when they may not */
export function authorize(rule: Rule, effect: 'read' | 'write', caller: Caller): void {
  const { who } = rule;
  if (who === 'public') return;
  // Anyone who can open the control socket can already read and write the database itself.
  if (caller.operator && !caller.account && !rule.session) return;
  if (!caller.account || !caller.credential) {
    throw problem('unauthorized', 'This operation needs an API key: send Authorization: Bearer <API_KEY>.');
  }
  const { credential } = caller;
  if (rule.session && credential.kind !== 'session') {
    throw problem('unauthorized', 'Only a person who is signed in with a browser may do this.');
  }
  if (credential.kind === 'oauth_client') {
    if (rule.client === false) throw problem('unauthorized', 'An application may not do this for a person.');
    const wanted = rule.scope ?? effect;
    if (SCOPES.indexOf(credential.scope) < SCOPES.indexOf(wanted)) {
      throw problem('unauthorized', `This operation needs the scope ${wanted}; the token has ${credential.scope}.`);
    }
  }
  if (who === 'account') return;
  if (who === 'operator') {
    if (caller.operator) return;
    throw problem('unauthorized', 'This operation is for those who run the service.');
  }
  if (!caller.org || !caller.role) {
    throw problem('unauthorized', 'This operation acts in an organization, and the caller is in none.');
  }
  if (!atLeast(caller.role, who)) {
    throw problem('unauthorized', `This operation needs the role ${who} in the organization. ${actsAs(caller)}`);
  }
}

/** The role of a caller, and what limits it, as a sentence. */
function actsAs({ role, credential }: Caller): string {
  if (credential?.kind === 'oauth_client' && role === SCOPE_ROLE[credential.scope]) {
    return `This token acts as ${role}, as its scope is ${credential.scope}.`;
  }
  if (credential?.kind === 'api_key' && role === 'admin') return 'A key acts as admin at most: sign in with a browser.';
  return `Your role is ${role}.`;
}

/** Who did something, as the audit log records it. */
export interface Actor {
  readonly type: 'person' | 'api_key' | 'oauth_client' | 'system';
  /** The person that a key, an OAuth client or a job acts for. */
  readonly person?: { readonly id: string; readonly name: string };
  /** Id of the account, key or grant; null for the system. */
  readonly id: string | null;
  readonly name: string;
  readonly requestId: string | null;
  /** The client's address; the log stores only its network. */
  readonly address: string | null;
}

/** The actor behind a call. */
export function actorOf(call: { caller: Caller; requestId: string; address: string | null }): Actor {
  const { requestId, address } = call;
  const { account, credential } = call.caller;
  if (!account) return { type: 'system', id: null, name: 'operator', requestId, address };
  const person = { id: account.id, name: account.name ?? account.email };
  // A job, whose creator may have called with a credential that is revoked by now.
  if (!credential) return { type: 'system', id: null, name: 'job', person, requestId, address };
  if (credential.kind === 'session') {
    return { type: 'person', id: account.id, name: account.name ?? account.email, requestId, address };
  }
  return { type: credential.kind, id: credential.id, name: credential.name, person, requestId, address };
}

/**
 * The actor as an organization's log records it. A key or client that acts in another organization is recorded as its
 * person, because this organization must not see it.
 */
export function actorIn(org: string, call: { caller: Caller; requestId: string; address: string | null }): Actor {
  const actor = actorOf(call);
  const { account } = call.caller;
  if (!account || call.caller.org?.id === org) return actor;
  const { person: _, ...rest } = actor;
  return { ...rest, type: 'person', id: account.id, name: account.name ?? account.email };
}

/** The actor of work without a caller: sweeps, webhooks, the operators' command line. */
export function systemActor(name: string): Actor {
  return { type: 'system', id: null, name, requestId: null, address: null };
}

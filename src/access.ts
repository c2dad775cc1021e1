import { problem } from './errors.ts';
import { atLeast, type Role, weaker } from './roles.ts';

/** What an OAuth grant allows at most, weakest first. */
export const SCOPES = ['read', 'write', 'admin'] as const;

export type Scope = (typeof SCOPES)[number];

/**
 * Who may call: anyone, whoever has an account, a member of the current organization with at least that role, or those
 * who run the service.
 */
export type Who = 'public' | 'account' | Role | 'operator';

/** Who may call an operation. */
export interface Rule {
  readonly who: Who;
  /** The OAuth scope a token needs; when absent `read` for operations that read and `write` for those that write. */
  readonly scope?: Scope;
  /** Not by an OAuth client: what is made would outlive its grant. */
  readonly client?: false;
  /** Only a person signed in with a browser: neither a key nor a token. */
  readonly session?: true;
}

/** The rule of every operation: nothing else decides who may call it. Finer rules stand below. */
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
  crosswalk: { who: 'viewer' },
  reverse_boundaries: { who: 'viewer' },
  list_neighbors: { who: 'viewer' },
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
  unshare_file: { who: 'member', scope: 'admin' },
  create_job: { who: 'member' },
  list_jobs: { who: 'viewer' },
  get_job: { who: 'viewer' },
  cancel_job: { who: 'member' },
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

/** Who is calling. Anonymous: all null, not an operator. The person at the machine itself has no account. */
export interface Caller {
  readonly account: { readonly id: string; readonly email: string; readonly name: string | null } | null;
  readonly org: { readonly id: string; readonly slug: string; readonly plan: string } | null;
  /** Effective in `org`: the person's role now, limited by what the credential allows. */
  readonly role: Role | null;
  readonly credential: Credential | null;
  readonly operator: boolean;
}

export const ANONYMOUS: Caller = { account: null, org: null, role: null, credential: null, operator: false };

/** The person at the machine itself: the control socket and local commands. Unmetered unless a key is named. */
export const LOCAL_OPERATOR: Caller = { ...ANONYMOUS, operator: true };

/** The role a key acts with: its creator's role now, at most admin (owners sign in for what only owners do). */
export function keyRole(role: Role): Role {
  return weaker(role, 'admin');
}

const SCOPE_ROLE = { read: 'viewer', write: 'member', admin: 'admin' } as const satisfies Record<Scope, Role>;

/** The role an OAuth grant acts with: the person's role now, at most what its scope allows. */
export function grantRole(role: Role, scope: Scope): Role {
  return weaker(role, SCOPE_ROLE[scope]);
}

/** Who sees a file of the library beside those it is shared with: every member, or its creator and admins alone. */
export const VISIBILITIES = ['org', 'restricted'] as const;

export type Visibility = (typeof VISIBILITIES)[number];

/** What someone may do with a file, each with all before it: read; rename and refresh; share, hide and delete. */
export const FILE_ACCESS = ['read', 'write', 'admin'] as const;

export type FileAccess = (typeof FILE_ACCESS)[number];

/** Whether access to a file is at least as strong as another. */
export function fileAccessAtLeast(access: FileAccess, wanted: FileAccess): boolean {
  return FILE_ACCESS.indexOf(access) >= FILE_ACCESS.indexOf(wanted);
}

/**
 * What a member with the role may do with a file of their organization: the most that their role, their being its
 * creator, its visibility and the strongest share with them or a team of theirs give. Null: for them it is not there.
 * Viewers read at most, whatever they created or were given.
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

/** Throws unauthorized unless the caller may use an operation with this rule and effect. */
export function authorize(rule: Rule, effect: 'read' | 'write', caller: Caller): void {
  const { who } = rule;
  if (who === 'public') return;
  // Who can open the control socket may read and write the database itself.
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
    throw problem('unauthorized', `This operation needs the role ${who} in the organization; yours is ${caller.role}.`);
  }
}

/** Who did something, as the audit log records it. */
export interface Actor {
  readonly type: 'person' | 'api_key' | 'oauth_client' | 'system';
  /** Whom a key or an OAuth client acts for. */
  readonly person?: { readonly id: string; readonly name: string };
  /** Of the account, key or grant; null for the system. */
  readonly id: string | null;
  readonly name: string;
  readonly requestId: string | null;
  /** The client's address; the log keeps its network only. */
  readonly address: string | null;
}

/** The actor behind a call. */
export function actorOf(call: { caller: Caller; requestId: string; address: string | null }): Actor {
  const { requestId, address } = call;
  const { account, credential } = call.caller;
  if (!account || !credential) return { type: 'system', id: null, name: 'operator', requestId, address };
  if (credential.kind === 'session') {
    return { type: 'person', id: account.id, name: account.name ?? account.email, requestId, address };
  }
  const actor = { type: credential.kind, id: credential.id, name: credential.name, requestId, address };
  const person = { id: account.id, name: account.name ?? account.email };
  return { ...actor, person };
}

/**
 * The actor as the log of an organization records it. Elsewhere than in the organization their credential acts in, a
 * key or client is no one's business: there the person acted.
 */
export function actorIn(org: string, call: { caller: Caller; requestId: string; address: string | null }): Actor {
  const actor = actorOf(call);
  const { account } = call.caller;
  if (!account || call.caller.org?.id === org) return actor;
  const { person: _, ...rest } = actor;
  return { ...rest, type: 'person', id: account.id, name: account.name ?? account.email };
}

/** What happens without a caller: sweeps, webhooks, the command line of those who run the service. */
export function systemActor(name: string): Actor {
  return { type: 'system', id: null, name, requestId: null, address: null };
}

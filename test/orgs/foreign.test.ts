import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authorize, type Caller, SCOPES } from '../../src/core/access.ts';
import { asProblem } from '../../src/core/errors.ts';
import type { AnyOp } from '../../src/core/op.ts';
import { ROLES } from '../../src/core/roles.ts';
import { ops } from '../../src/ops/index.ts';
import { type OrgHarness, openOrgHarness } from './org_harness.ts';
import { createScenarioFixture, type ScenarioFixture } from './scenarios.ts';

/**
 * Every operation, with inputs that name things of another organization; null: it takes nothing that belongs to one.
 * An operation that is not here fails the suite.
 */
const FOREIGN: Readonly<Record<string, ((other: ScenarioFixture) => readonly object[]) | null>> = {
  search_boundaries: null,
  reverse_boundaries: null,
  list_children: null,
  list_neighbors: null,
  list_versions: null,
  list_changes: null,
  get_boundary: null,
  union_boundaries: null,
  dissolve: null,
  crosswalk: null,
  convert_values: null,
  get_change_feed: null,
  create_subscription: ({ file }) => [{ file_id: file, mail: true }],
  list_subscriptions: null,
  delete_subscription: ({ subscription }) => [{ id: subscription }],
  cover_boundaries: null,
  draw_map: null,
  export_boundary: null,
  list_kinds: null,
  get_data_status: null,
  get_pricing: null,
  get_account: null,
  get_own_review: null,
  get_usage: null,
  list_api_keys: null,
  create_api_key: null,
  revoke_api_key: ({ key }) => [{ id: key }],
  list_oauth_grants: null,
  revoke_oauth_grant: ({ grant }) => [{ id: grant }],
  delete_account: null,
  change_plan: null,
  list_orgs: null,
  create_org: null,
  switch_org: ({ org, slug }) => [{ org }, { org: slug }],
  get_org: null,
  update_org: null,
  delete_org: null,
  list_members: null,
  update_member: ({ member }) => [{ user_id: member.id, role: 'viewer' }],
  remove_member: ({ member, owner }) => [{ user_id: member.id }, { user_id: owner.id }],
  list_invites: null,
  invite_member: null,
  revoke_invite: ({ invite }) => [{ id: invite }],
  accept_invite: ({ token }) => [{ token }],
  list_teams: null,
  create_team: null,
  update_team: ({ team, teamSlug }) => [
    { team, name: 'x' },
    { team: teamSlug, name: 'x' },
  ],
  delete_team: ({ team, teamSlug }) => [{ team }, { team: teamSlug }],
  add_team_member: ({ team, member }) => [{ team, user_id: member.id }],
  remove_team_member: ({ team, member }) => [{ team, user_id: member.id }],
  list_audit_log: null,
  save_file: null,
  list_files: null,
  get_file: ({ file }) => [{ id: file }],
  update_file: ({ file }) => [
    { id: file, name: 'x' },
    { id: file, visibility: 'org' },
    { id: file, refresh: true },
  ],
  delete_file: ({ file }) => [{ id: file }],
  share_file: ({ file, team, member }) => [
    { id: file, team },
    { id: file, user: member.email },
    { id: file, user: member.id, access: 'admin' },
  ],
  unshare_file: ({ file, share }) => [{ id: file, grant_id: share }],
};

let stock: OrgHarness;
let own: ScenarioFixture;
let other: ScenarioFixture;
const callers: { title: string; caller: Caller }[] = [];

beforeAll(async () => {
  stock = await openOrgHarness();
  own = await createScenarioFixture(stock, 'ours');
  other = await createScenarioFixture(stock, 'theirs');
  for (const role of ROLES) {
    const person = role === 'owner' ? own.owner : await stock.person(`ours-${role}@example.org`);
    if (role !== 'owner') await stock.join(own.org, own.owner, person, role);
    const add = (how: string, caller: Caller) => void callers.push({ title: `${role} by ${how}`, caller });
    const session = await stock.session(person, own.org);
    add('session', session);
    add('an operator’s session', { ...session, operator: true });
    add('key', (await stock.key(person, own.org)).caller);
    for (const scope of SCOPES) add(`token for ${scope}`, await stock.token(person, own.org, scope));
  }
});
afterAll(() => stock?.close());

function mayCall(op: AnyOp, input: object, caller: Caller): boolean {
  try {
    authorize(typeof op.access === 'function' ? op.access(input as never) : op.access, op.effect, caller);
    return true;
  } catch (error) {
    expect(asProblem(error)?.code).toBe('unauthorized');
    return false;
  }
}

describe('things of another organization', () => {
  test('every operation says whether it takes any', () => {
    expect(Object.keys(FOREIGN).filter((name) => !ops.some((op) => op.name === name))).toEqual([]);
    const missing = ops.filter((op) =>
      /^\/(orgs|invites|api-keys|oauth-grants|account|files|batch)/.test(op.route.path),
    );
    for (const op of missing) expect(Object.keys(FOREIGN), op.name).toContain(op.name);
  });

  const naming = ops.filter((op) => FOREIGN[op.name]);
  test.each(naming.map((op) => [op.name, op] as const))('%s: they are not there, whoever asks', async (name, op) => {
    const inputs = FOREIGN[name]?.(other) ?? [];
    expect(inputs.length).toBeGreaterThan(0);
    let notFound = 0;
    for (const input of inputs) {
      for (const { title, caller } of callers) {
        const { status, body } = await stock.call(name, input, caller);
        const allowed = mayCall(op, input, caller);
        expect([status, body.code], title).toEqual(allowed ? [404, 'not_found'] : [401, 'unauthorized']);
        expect(JSON.stringify(body)).not.toContain('theirs');
        if (allowed) notFound++;
      }
    }
    expect(notFound).toBeGreaterThan(0);
  });

  test('no list shows any of them', async () => {
    const lists = ops.filter(
      (op) =>
        op.effect === 'read' &&
        /^\/(orgs|api-keys|oauth-grants|account|files)/.test(op.route.path) &&
        !op.route.path.includes(':'),
    );
    expect(lists.length).toBeGreaterThan(6);
    for (const op of lists) {
      for (const { title, caller } of callers) {
        const { status, body } = await stock.call(op.name, {}, caller);
        // Who has written no review has none to read.
        const expected = op.name === 'get_own_review' ? [404, 401] : [200, 401];
        expect(expected, `${op.name} for ${title}`).toContain(status);
        expect(JSON.stringify(body)).not.toContain('theirs');
      }
    }
  });
});

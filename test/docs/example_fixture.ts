import { defined, only } from '../../src/common/elements.ts';
import { plainWordsIn } from '../../src/common/texts/tables.ts';
import { systemActor } from '../../src/core/access.ts';
import type { AnyOp, Rule } from '../../src/core/op.ts';
import { inviteMail } from '../../src/domain/people/invites.ts';
import { createOAuth } from '../../src/domain/people/oauth.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer, type Reply } from '../ops/boundary_test_server.ts';
import { exampleBoundaries } from './example_boundaries.ts';

export const ORIGIN = 'https://maps.example';
const SESSION = '__Host-boundary_session';

/** Starts a test server with the boundaries in the examples, named as in the seed data. */
export async function openExampleServer(): Promise<BoundaryTestServer> {
  const server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, exampleBoundaries());
  return server;
}

/** A signed-in person. */
export interface Actor {
  readonly id: string;
  readonly email: string;
  /** A key for the person's organization. */
  readonly key: string;
  ask(method: string, path: string, json?: unknown): Promise<Reply>;
  rpc(op: string, input: object): Promise<Reply>;
}

let people = 0;

/** Creates and signs in a person with a personal organization. */
export async function signUp(server: BoundaryTestServer, operator = false): Promise<Actor> {
  const email = `reader${++people}@example.org`;
  const { services } = server;
  const { account, org, key } = await services.keys.create({ email, plan: 'self_hosted', operator });
  const { cookie } = await services.db.transaction((tx) => services.sessions.start(tx, account.id, org.id));
  const headers = { Cookie: `${SESSION}=${cookie}`, Origin: ORIGIN };
  return {
    id: account.id,
    email,
    key,
    ask: (method, path, json) => server.ask(method, path, { json, headers }),
    rpc: (op, input) => server.ask('POST', `/v1/ops/${op}`, { json: input, headers }),
  };
}

/** Calls an operation and returns its response. @throws Error unless it succeeds */
export async function ok(actor: Actor, op: string, input: object = {}): Promise<Record<string, string>> {
  const reply = await actor.rpc(op, input);
  if (reply.status >= 300) throw new Error(`${op}: ${reply.status} ${reply.text}`);
  return reply.json as unknown as Record<string, string>;
}

/** An organization with an object of every kind, created for one example. */
export interface ExampleFixture {
  readonly owner: Actor;
  readonly member: Actor;
  readonly invited: Actor;
  readonly operator: Actor;
  readonly soloMember: Actor;
  /** The input with the placeholder ids of an example replaced by real ones. */
  withRealIds(op: AnyOp, input: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

const PLACEHOLDER = /^([a-z]{3,4})_[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * Creates such an organization, with real ids for the placeholders of examples.
 * @param hasSet whether it has the area set that examples name, which takes a second
 */
export async function createExampleFixture(server: BoundaryTestServer, hasSet = false): Promise<ExampleFixture> {
  const { services } = server;
  const [owner, member, invited, loner] = [
    await signUp(server),
    await signUp(server),
    await signUp(server),
    await signUp(server),
  ];
  const operator = await signUp(server, true);
  const org = await ok(owner, 'create_org', { name: `Shelf ${people}` });
  await ok(owner, 'switch_org', { org: org.id });
  const token = async (email: string): Promise<string> => {
    const row = only(await services.db.query<{ id: string }>('select id from invite where email = $1', [email]));
    return (
      /accept-invite (\S+)/.exec((await inviteMail(services.db, '')(row.id, plainWordsIn('en')))?.text ?? '')?.[1] ?? ''
    );
  };
  await ok(owner, 'invite_member', { email: member.email, role: 'member' });
  await ok(member, 'accept_invite', { token: await token(member.email) });
  const invite = await ok(owner, 'invite_member', { email: invited.email });
  const team = await ok(owner, 'create_team', { name: 'Shelf', slug: 'shelf' });
  await ok(owner, 'add_team_member', { team: team.id, user_id: member.id });
  const key = await ok(owner, 'create_api_key', { name: 'shelf' });
  const grant = `grant-${people}`;
  await createOAuth(services.db, []).grant(
    { id: grant, account: owner.id, org: defined(org.id), clientId: 'client', clientName: 'Client', scope: 'write' },
    systemActor('test'),
  );
  const { item } = (await ok(owner, 'request_feature', { title: 'A feature' })) as unknown as { item: { id: number } };
  const review = await ok(member, 'submit_review', { rating: 4, body: 'See https://example.org' });
  const file = await ok(owner, 'save_file', { boundary_id: 'iso:LI', detail: 'low' });
  await ok(owner, 'share_file', { id: file.id, team: 'shelf' });
  // The source of the example of remove_source; nothing is stored of it.
  await services.db.query(
    `insert into source (id, name, licence, attribution, seed) values ('my-communes', 'My communes', 'CC0-1.0', 'The publisher', false)
     on conflict do nothing`,
  );
  const ofOperator = await ok(operator, 'save_file', { boundary_id: 'iso:LI', detail: 'low' });
  const { shares } = (await ok(owner, 'get_file', { id: file.id })) as unknown as { shares: { grant_id: string }[] };
  const collection = { children_of: 'iso:ES-AN', format: 'geopackage' };
  const job = await ok(owner, 'create_job', { op: 'export_collection', input: collection } as object);
  const subscription = await ok(owner, 'create_subscription', { boundary: 'iso:LI', mail: true } as object);
  const ofSet = hasSet ? await createSet(owner) : null;
  const stored: Readonly<Record<string, unknown>> = {
    usr: member.id,
    key: key.id,
    inv: invite.id,
    rev: review.id,
    team: team.id,
    org: org.id,
    file: file.id,
    job: job.id,
    sub: subscription.id,
    shr: defined(shares[0]).grant_id,
  };
  const invitation = await token(invited.email);
  return {
    owner,
    member,
    invited,
    operator,
    soloMember: loner,
    withRealIds(op, input) {
      const [, root] = op.route.path.split('/');
      return Object.fromEntries(
        Object.entries(input).map(([name, value]) => {
          if (op.name === 'unshare_area_set' && name === 'grant_id') return [name, ofSet];
          if (op.name === 'import_file' && name === 'file_id') return [name, ofOperator.id];
          const [, prefix] = PLACEHOLDER.exec(String(value)) ?? [];
          if (prefix) {
            if (!stored[prefix]) throw new Error(`${op.name}: nothing on the shelf stands for ${value}`);
            return [name, stored[prefix]];
          }
          if (root === 'feedback' && name === 'id') return [name, item.id];
          if (op.name === 'revoke_oauth_grant') return [name, grant];
          if (op.name === 'accept_invite') return [name, invitation];
          if (op.name === 'switch_org') return [name, org.slug];
          if (op.name === 'share_file' && name === 'user') return [name, member.email];
          if (name === 'team') return [name, 'shelf'];
          return [name, value];
        }),
      );
    },
  };
}

/** Creates the set of the examples and shares it; returns the id of the share. */
async function createSet(owner: Actor): Promise<string> {
  const groups = { west: ['iso:ES-SE'], east: ['iso:ES-CO'] };
  await ok(owner, 'create_area_set', { name: 'territories', groups } as object);
  const { items } = (await ok(owner, 'share_area_set', { name: 'territories', team: 'shelf' })) as unknown as {
    items: { grant_id: string }[];
  };
  return defined(items[0]).grant_id;
}

/** The person who may make a call: the owner, except where the operation needs someone else. */
export function actorFor(shelf: ExampleFixture, op: AnyOp, rule: Rule): Actor {
  if (rule.who === 'operator') return shelf.operator;
  if (op.name === 'accept_invite') return shelf.invited;
  if (op.name === 'get_own_review') return shelf.member;
  if (op.name === 'delete_account') return shelf.soloMember;
  return shelf.owner;
}

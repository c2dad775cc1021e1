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

/** An organization, and an object of every kind that an example names, made when it is asked for. */
export interface ExampleFixture {
  readonly owner: Actor;
  readonly member: () => Promise<Actor>;
  readonly invited: () => Promise<Actor>;
  readonly operator: () => Promise<Actor>;
  readonly soloMember: () => Promise<Actor>;
  /** Makes an object of every kind, as what lists them finds. */
  makeAll(): Promise<void>;
  /** The input with the placeholder ids of an example replaced by those of real objects, which are made. */
  withRealIds(op: AnyOp, input: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
}

const PLACEHOLDER = /^([a-z]{3,4})_[0-9A-HJKMNP-TV-Z]{26}$/;

/** What makes something makes it once, when it is first asked for. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** Creates such an organization. */
export async function createExampleFixture(server: BoundaryTestServer): Promise<ExampleFixture> {
  const { services } = server;
  const owner = await signUp(server);
  const org = await ok(owner, 'create_org', { name: `Shelf ${people}` });
  await ok(owner, 'switch_org', { org: org.id });
  const invited = once(() => signUp(server));
  const soloMember = once(() => signUp(server));
  const operator = once(() => signUp(server, true));
  const tokenFor = async (email: string): Promise<string> => {
    const row = only(await services.db.query<{ id: string }>('select id from invite where email = $1', [email]));
    const mail = await inviteMail(services.db, '')(row.id, plainWordsIn('en'));
    return /accept-invite (\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  };
  const member = once(async () => {
    const person = await signUp(server);
    await ok(owner, 'invite_member', { email: person.email, role: 'member' });
    await ok(person, 'accept_invite', { token: await tokenFor(person.email) });
    return person;
  });
  const save = async (by: Actor) => (await ok(by, 'save_file', { boundary_id: 'iso:LI', detail: 'low' })).id;
  const made = {
    inv: once(async () => (await ok(owner, 'invite_member', { email: (await invited()).email })).id),
    team: once(async () => {
      const { id } = await ok(owner, 'create_team', { name: 'Shelf', slug: 'shelf' });
      await ok(owner, 'add_team_member', { team: id, user_id: (await member()).id });
      return id;
    }),
    usr: async () => (await member()).id,
    org: async () => org.id,
    key: once(async () => (await ok(owner, 'create_api_key', { name: 'shelf' })).id),
    rev: once(
      async () => (await ok(await member(), 'submit_review', { rating: 4, body: 'See https://example.org' })).id,
    ),
    file: once(() => save(owner)),
    shr: once(async () => {
      const [id] = [await made.file(), await made.team()];
      await ok(owner, 'share_file', { id, team: 'shelf' });
      const { shares } = (await ok(owner, 'get_file', { id })) as unknown as { shares: { grant_id: string }[] };
      return defined(shares[0]).grant_id;
    }),
    job: once(async () => {
      const collection = { children_of: 'iso:ES-AN', format: 'geopackage' };
      return (await ok(owner, 'create_job', { op: 'export_collection', input: collection })).id;
    }),
    sub: once(async () => (await ok(owner, 'create_subscription', { boundary: 'iso:LI', mail: true })).id),
  } satisfies Record<string, () => Promise<string | undefined>>;
  const grant = once(async () => {
    const id = `grant-${people}`;
    const client = { clientId: 'client', clientName: 'Client', scope: 'write' } as const;
    const given = { id, account: owner.id, org: defined(org.id), ...client };
    await createOAuth(services.db, []).grant(given, systemActor('test'));
    return id;
  });
  const feature = once(async () => {
    const { item } = (await ok(owner, 'request_feature', { title: 'A feature' })) as unknown as {
      item: { id: number };
    };
    return item.id;
  });
  const ofOperator = once(async () => save(await operator()));
  // The area set of the examples with its share, which take a second.
  const set = once(() => createSet(owner, made.team));
  // The source of the example of remove_source; nothing is stored of it.
  const source = once(async () => {
    await services.db.query(
      `insert into source (id, name, licence, attribution, seed)
       values ('my-communes', 'My communes', 'CC0-1.0', 'The publisher', false) on conflict do nothing`,
    );
    return 'my-communes';
  });

  async function real(op: AnyOp, name: string, value: unknown): Promise<unknown> {
    if (op.name === 'unshare_area_set' && name === 'grant_id') return set();
    if (op.name === 'import_file' && name === 'file_id') return ofOperator();
    if (op.name === 'remove_source') return source();
    const [, prefix] = PLACEHOLDER.exec(String(value)) ?? [];
    if (prefix) {
      const make = (made as Readonly<Record<string, () => Promise<unknown>>>)[prefix];
      if (!make) throw new Error(`${op.name}: nothing on the shelf stands for ${value}`);
      return make();
    }
    if (op.route.path.startsWith('/feedback') && name === 'id') return feature();
    if (op.name === 'revoke_oauth_grant') return grant();
    if (op.name === 'accept_invite') {
      await made.inv();
      return tokenFor((await invited()).email);
    }
    if (op.name === 'switch_org') return org.slug;
    if (op.name === 'share_file' && name === 'user') return (await member()).email;
    if (name !== 'team') return value;
    await made.team();
    return 'shelf';
  }
  return {
    ...{ owner, member, invited, operator, soloMember },
    async makeAll() {
      for (const make of [...Object.values(made), grant, feature, ofOperator, set]) await make();
    },
    async withRealIds(op, input) {
      if (op.route.path.startsWith('/sets/')) await set();
      const entries: [string, unknown][] = [];
      for (const [name, value] of Object.entries(input)) entries.push([name, await real(op, name, value)]);
      return Object.fromEntries(entries);
    },
  };
}

/** Creates the set of the examples and shares it with the team; returns the id of the share. */
async function createSet(owner: Actor, team: () => Promise<unknown>): Promise<string> {
  const groups = { west: ['iso:ES-SE'], east: ['iso:ES-CO'] };
  await ok(owner, 'create_area_set', { name: 'territories', groups });
  await team();
  const { items } = (await ok(owner, 'share_area_set', { name: 'territories', team: 'shelf' })) as unknown as {
    items: { grant_id: string }[];
  };
  return defined(items[0]).grant_id;
}

/** The person who may make a call: the owner, except where the operation needs someone else. */
export async function actorFor(shelf: ExampleFixture, op: AnyOp, rule: Rule): Promise<Actor> {
  if (rule.who === 'operator') return shelf.operator();
  if (op.name === 'accept_invite') return shelf.invited();
  if (op.name === 'get_own_review') return shelf.member();
  if (op.name === 'delete_account') return shelf.soloMember();
  return shelf.owner;
}

import { join } from 'node:path';
import { permanentBlobs } from '../../src/adapters/blobs.ts';
import { openFolder } from '../../src/adapters/folder.ts';
import type { Mail } from '../../src/adapters/mail.ts';
import type { Storage } from '../../src/adapters/storage.ts';
import { only } from '../../src/common/elements.ts';
import { createLogger } from '../../src/common/log.ts';
import { createMetrics } from '../../src/common/metrics.ts';
import { loadConfig } from '../../src/config.ts';
import { type Caller, grantRole, type Scope, systemActor } from '../../src/core/access.ts';
import { asProblem } from '../../src/core/errors.ts';
import { invoke } from '../../src/core/invoke.ts';
import type { AnyOp } from '../../src/core/op.ts';
import type { Role } from '../../src/core/roles.ts';
import type { Database } from '../../src/db/connect.ts';
import { createBilling } from '../../src/domain/billing/billing.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { createFileBlobs } from '../../src/domain/library/blobs.ts';
import { createFiles } from '../../src/domain/library/files.ts';
import { personalOrg, putAccount } from '../../src/domain/people/accounts.ts';
import { createSets } from '../../src/domain/sets/sets.ts';
import { createSubscriptions } from '../../src/domain/subscriptions/subscriptions.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { ops } from '../../src/ops/index.ts';
import type { Services } from '../../src/services.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { testPeople } from '../setup/people.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

/** The outcome of a call: status and body as a client would see them. */
export interface Outcome {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** The organization operations on a database, called by people with their current credentials. */
export interface OrgHarness {
  readonly test: TestDatabase;
  readonly services: Services;
  /** The storage of file contents. */
  readonly storage: Storage;
  /** Creates an account with its personal organization, as at a first sign-in. */
  person(email: string, name?: string): Promise<Person>;
  /** Creates an organization of the person; returns its id. */
  org(owner: Person, name: string, slug?: string): Promise<string>;
  /** Adds the person by an invitation from the owner. */
  join(org: string, owner: Person, person: Person, role: Role): Promise<void>;
  /** A caller signed in with a browser, in that organization. */
  session(person: Person, org: string): Promise<Caller>;
  /** A caller with a new key; also returns the secret. */
  key(person: Person, org: string, name?: string): Promise<{ id: string; secret: string; caller: Caller }>;
  /** A caller with an access token of that scope. */
  token(person: Person, org: string, scope: Scope): Promise<Caller>;
  /** The last mail written to an address. */
  mailTo(email: string): Promise<{ subject: string; text: string }>;
  /** The token of the last invitation sent to an address. */
  inviteToken(email: string): Promise<string>;
  /** Calls an operation, optionally with other services. */
  call(op: string, input: object, caller: Caller, more?: { requestId?: string; services?: Services }): Promise<Outcome>;
  /** Calls an operation that must succeed; returns the body. */
  ok<T = Record<string, never>>(op: string, input: object, caller: Caller): Promise<T>;
  close(): Promise<void>;
}

const byName = new Map<string, AnyOp>(ops.map((op) => [op.name, op]));
/** The last mail sent to each address, by database. */
const mailsOf = new WeakMap<Database, Map<string, Mail>>();
let requests = 0;

/**
 * Services on a database with accounts, organizations, boundaries, and files whose contents are in `storage`. Any other
 * service, except those in `more`, throws when used.
 */
export function peopleServices(db: Database, storage: Storage, more: Partial<Services> = {}): Services {
  const unused = new Proxy({}, { get: (_target, name) => () => Promise.reject(new Error(`no ${String(name)} here`)) });
  const fileBlobs = createFileBlobs(db, storage, permanentBlobs(storage));
  const mails = new Map<string, Mail>();
  mailsOf.set(db, mails);
  const here = {
    config: loadConfig({ NODE_ENV: 'test', BASE_URL: 'https://maps.example' }),
    log: createLogger('silent'),
    metrics: createMetrics(),
    db,
    ...testPeople(db, { mailer: { send: async (mail) => void mails.set(mail.to, mail), isFinal: () => false } }),
    billing: createBilling(db),
    areaSets: createSets(db),
    subscriptions: createSubscriptions(db, {
      ...{ outbox: unused as never, webhooks: unused as never, baseUrl: 'https://maps.example' },
      editionChanges: async () => null,
    }),
    boundaries: createBoundaries(db),
    files: createFiles(db, fileBlobs, (error) => Promise.reject(error)),
    fileBlobs,
    payments: null,
    upstream: null,
    sets: undefined,
    ops,
    admit: null,
    loading: () => null,
    ready: async () => ({ ready: true, checks: {} }),
    ...more,
  };
  return new Proxy(here as unknown as Services, {
    get: (target, name) => (name in target ? target[name as keyof Services] : unused),
  });
}

/** `world` adds boundaries (test/ops/fixture_world.ts) and an engine that exports them. */
export async function openOrgHarness({ world = false } = {}): Promise<OrgHarness> {
  const test = await testDatabase();
  const { db } = test;
  const storage = await openFolder(join(test.dataDir, 'library'));
  const engine = world
    ? new Engine(db, { threads: 1, arcBytes: 16e6, cache: createCache(16e6), maxResponseBytes: 64e6 })
    : undefined;
  if (engine) await storeBoundaries({ db, engine }, fixtureWorld());
  const services = peopleServices(db, storage, engine ? { engine, names: undefined } : {});

  async function session(person: Person, org: string): Promise<Caller> {
    const { cookie } = await db.transaction((tx) => services.sessions.start(tx, person.id, org));
    const caller = await services.sessions.authenticate(cookie);
    if (caller?.org?.id !== org) throw new Error(`${person.email} is not in ${org}`);
    return caller;
  }

  async function call(
    name: string,
    input: object,
    caller: Caller,
    more: { requestId?: string; services?: Services } = {},
  ): Promise<Outcome> {
    const op = byName.get(name);
    if (!op) throw new Error(`there is no operation ${name}`);
    const used = more.services ?? services;
    try {
      const answer = await invoke(op, input, {
        caller,
        requestId: more.requestId ?? `req_${++requests}`,
        address: '192.0.2.77',
        signal: new AbortController().signal,
        deadline: Date.now() + 60_000,
        transport: 'rpc',
        services: used,
        baseUrl: 'https://maps.example',
        headers: {},
      });
      return { status: answer.status, body: 'body' in answer ? (answer.body as Record<string, unknown>) : {} };
    } catch (error) {
      const known = asProblem(error);
      if (!known) throw error;
      return { status: known.status, body: { code: known.code, detail: known.message, ...known.extra } };
    }
  }

  async function ok<T>(name: string, input: object, caller: Caller): Promise<T> {
    const { status, body } = await call(name, input, caller);
    if (status >= 300) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
    return body as T;
  }

  // Serialized: a caller that finds nothing due would continue while another one is still delivering.
  let sending: Promise<unknown> = Promise.resolve();

  async function mailTo(email: string): Promise<{ subject: string; text: string }> {
    sending = sending.then(() => services.outbox.sendDue());
    await sending;
    const mail = mailsOf.get(db)?.get(email);
    if (!mail) throw new Error(`nothing was sent to ${email}`);
    return mail;
  }

  async function inviteToken(email: string): Promise<string> {
    return /accept-invite (\S+)/.exec((await mailTo(email)).text)?.[1] ?? '';
  }

  async function personalOf(person: Person): Promise<string> {
    const row = only(await db.query<{ id: string }>('select id from org where personal_of = $1', [person.id]));
    return row.id;
  }

  return {
    test,
    services,
    storage,
    async person(email, name) {
      return db.transaction(async (tx) => {
        const account = await putAccount(tx, email);
        await personalOrg(tx, account, 'self_hosted', systemActor('test'));
        await tx.query('update account set name = $2 where id = $1', [account.id, name ?? null]);
        return { id: account.id, email: account.email, name: name ?? null };
      });
    },
    async org(owner, name, slug) {
      const signedIn = await session(owner, await personalOf(owner));
      return (await ok<{ id: string }>('create_org', { name, ...(slug ? { slug } : {}) }, signedIn)).id;
    },
    async join(org, owner, person, role) {
      await ok('invite_member', { email: person.email, role }, await session(owner, org));
      const signedIn = await session(person, await personalOf(person));
      await ok('accept_invite', { token: await inviteToken(person.email) }, signedIn);
    },
    session,
    async key(person, org, name = 'key') {
      const made = await ok<{ id: string; api_key: string }>('create_api_key', { name }, await session(person, org));
      return { id: made.id, secret: made.api_key, caller: await services.keys.authenticate(made.api_key) };
    },
    async token(person, org, scope) {
      const caller = await session(person, org);
      const credential = { kind: 'oauth_client', id: `grant_${person.id}`, name: 'client', scope } as const;
      return { ...caller, role: grantRole(caller.role as Role, scope), credential, operator: false };
    },
    mailTo,
    inviteToken,
    call,
    ok,
    async close() {
      await engine?.close();
      await test.close();
    },
  };
}

import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { defined, only } from '../../src/common/elements.ts';
import { type Caller, FILE_ACCESS, SCOPES, VISIBILITIES } from '../../src/core/access.ts';
import { ROLES, type Role } from '../../src/core/roles.ts';
import { ops } from '../../src/ops/index.ts';
import { type OrgHarness, type Outcome, openOrgHarness, type Person } from './org_harness.ts';

/** How many calls, and from which seed: FUZZ_CALLS=10000 FUZZ_SEED=… repeats a long run. */
const CALLS = Number(process.env.FUZZ_CALLS ?? 400);
const SEED = Number(process.env.FUZZ_SEED ?? 20261121);
/** Units of a founder's pool: so few that they run out. */
const UNITS = 12;
/** Calls that run at once. */
const BURST = 4;

/** Whose something is: of one organization, of the other, or of the people who are in both. */
type Side = 'a' | 'b' | 'both';
/**
 * Every name, slug and address that a side makes up holds its mark, whose hyphen no random id or key has; those who are
 * in both have none.
 */
const MARK: Record<Side, string> = { a: 'zq-a', b: 'zq-b', both: 'common' };
const OTHER: Record<Side, readonly string[]> = { a: [MARK.b], b: [MARK.a], both: [MARK.a, MARK.b] };

interface Actor {
  person: Person;
  readonly side: Side;
  cookie: string;
}
interface Secret {
  readonly secret: string;
  readonly account: string;
  readonly org: string;
  readonly id: string;
  /** The key that made it. */
  readonly madeBy: string | null;
}

const next = seeded(SEED);
const pick = <T>(list: readonly T[]): T => defined(list[Math.floor(next() * list.length)]);

let stock: OrgHarness;
beforeAll(async () => {
  stock = await openOrgHarness({ world: true });
  await stock.test.db.query("update plan set included_units = $1, price_month = 0 where id = 'free'", [UNITS]);
  await stock.test.db.query(
    "insert into plan (id, name, price_month, included_units, position) values ('paid', 'Paid', 5, $1, 9)",
    [UNITS],
  );
});
afterAll(() => stock?.close());

const ID = /\b(?:org|usr|team|key|inv|aud|ses|mail|file|shr)_[0-9A-HJKMNP-TV-Z]{26}\b|\bbnd_live_[0-9A-Za-z]{8,}/g;

test(`${CALLS} calls of six people in two organizations, seed ${SEED}`, { timeout: 3_600_000 }, async () => {
  const actors: Actor[] = [];
  const main: Record<'a' | 'b', string> = { a: '', b: '' };
  /** To which side an organization belongs. */
  const sideOf = new Map<string, Side>();
  const secrets: Secret[] = [];
  const dead = new Set<string>();
  /** Keys that were revoked with all they made. */
  const cascaded = new Set<string>();
  /** The pool of each organization as it was last seen, and what came out of it. */
  const pools = new Map<string, string>();
  const delivered = new Map<string, number>();
  /** Ids, slugs and tokens by kind, each with whose it is: the organization, or the address it was sent to. */
  const known: Record<string, { id: string; of: string }[]> = {};
  /** Ids of people who are in both organizations, and of the organizations they have of their own. */
  const common = new Set<string>();
  const firstSeen = new Map<string, { side: Side; op: string }>();
  const requests = new Map<string, { op: string; status: number }>();
  const counts: Record<string, number> = {};
  let serial = 0;

  const remember = (kind: string, id: string, of: string): void => {
    known[kind] ??= [];
    known[kind].push({ id, of });
  };

  async function enter(side: Side): Promise<Actor> {
    const person = await stock.person(`${MARK[side]}-${++serial}@example.org`, `${MARK[side]} person ${serial}`);
    await stock.test.db.query("update org set plan = 'free' where personal_of = $1", [person.id]);
    const { id } = only(
      await stock.test.db.query<{ id: string }>('select id from org where personal_of = $1', [person.id]),
    );
    sideOf.set(id, side);
    const { cookie } = await stock.test.db.transaction((tx) => stock.services.sessions.start(tx, person.id, id));
    if (side === 'both') for (const one of [person.id, id]) common.add(one);
    remember('user', person.id, side);
    return { person, side, cookie };
  }

  /** Puts someone into an organization whoever is in it, as `boundary key create --org` does, which asks no one. */
  async function seat(actor: Actor, org: string, role: Role): Promise<void> {
    await stock.test.db.query('insert into membership (org, account, role) values ($1, $2, $3)', [
      org,
      actor.person.id,
      role,
    ]);
    stock.services.orgs.forget();
  }

  for (const side of ['a', 'b'] as const) {
    const owner = await enter(side);
    main[side] = await stock.org(owner.person, `${MARK[side]} server`, `${MARK[side]}-server`);
    await stock.test.db.query('update org set plan = $2 where id = $1', [main[side], side === 'a' ? 'free' : 'paid']);
    sideOf.set(main[side], side);
    remember('org', main[side], side);
    actors.push(owner, await enter(side));
    await seat(defined(actors[actors.length - 1]), main[side], 'admin');
  }
  for (let i = 0; i < 2; i++) {
    const actor = await enter('both');
    actors.push(actor);
    for (const side of ['a', 'b'] as const) await seat(actor, main[side], i === 0 ? 'owner' : 'member');
  }

  /** Someone with a credential that works now. Null: what was chosen does not. */
  async function someCaller(actor: Actor): Promise<Caller | null> {
    const dice = next();
    if (dice < 0.5) return stock.services.sessions.authenticate(actor.cookie);
    const own = secrets.filter(({ account }) => account === actor.person.id);
    if (dice < 0.85 && own.length > 0) {
      return stock.services.keys.authenticate(pick(own).secret).catch(() => null);
    }
    const home = actor.side === 'both' ? main[pick(['a', 'b'] as const)] : main[actor.side];
    return stock.token(actor.person, home, pick(SCOPES)).catch(() => null);
  }

  /** Mostly one that is of `of`, otherwise any there is. */
  const anyId = (kind: string, of: string): string => {
    const all = known[kind] ?? [];
    const own = all.filter((one) => one.of === of || one.of === 'both');
    const from = next() < 0.65 && own.length > 0 ? own.slice(-8) : all.slice(-80);
    return from.length > 0 ? pick(from).id : `${kind}_unknown`;
  };
  /** An area that is there, or is not, or says too much. */
  const someArea = (): object =>
    pick([
      { description: 'Atlantis' },
      { description: 'Atlantis without Province 1' },
      { description: 'Province 1 and its neighbors' },
      { description: 'Atlantis without Nowhere' },
      { description: `${'('.repeat(40)}Atlantis` },
      { plan: { steps: [{ op: 'place', id: pick(['r100', 'r300', 'r9']) }] } },
      { plan: { steps: [{ op: 'union', of: [0] }] } },
      { description: 'Atlantis', plan: { steps: [{ op: 'place', id: 'r100' }] } },
    ]);
  const label = (side: Side): string => `${MARK[side]} ${++serial}`;

  /** Names of operations with how often they are tried, and the input of a call by someone of that side. */
  const INPUTS: Record<string, [number, (side: Side, actor: Actor, org: string) => object]> = {
    get_account: [1, () => ({})],
    get_usage: [1, () => ({})],
    list_api_keys: [3, () => ({ revoked: next() < 0.5 })],
    create_api_key: [5, (side) => ({ name: label(side) })],
    revoke_api_key: [2, (_side, _actor, org) => ({ id: anyId('key', org), cascade: next() < 0.5 })],
    reverse_boundaries: [3, () => ({ lat: 1, lon: 1 })],
    get_own_review: [0.5, () => ({})],
    delete_account: [0.05, () => ({})],
    list_orgs: [2, () => ({})],
    create_org: [0.5, (side) => ({ name: label(side), ...(next() < 0.3 ? { slug: `${MARK[side]}-server` } : {}) })],
    switch_org: [
      8,
      (_side, actor) => ({
        org: next() < 0.9 ? anyId('org', actor.side) : pick([`${MARK.a}-server`, `${MARK.b}-server`]),
      }),
    ],
    get_org: [2, () => ({})],
    update_org: [1, (side) => ({ name: label(side) })],
    delete_org: [0.3, () => ({})],
    list_members: [4, () => ({ limit: 100 })],
    update_member: [5, (side) => ({ user_id: anyId('user', side), role: pick(ROLES) })],
    remove_member: [2, (side, actor) => ({ user_id: next() < 0.2 ? actor.person.id : anyId('user', side) })],
    list_invites: [3, () => ({})],
    invite_member: [
      4,
      (side) => {
        // Strangers, and people of the same side: who is of the other is not named by this one.
        const mates = actors.filter((one) => one.side === side || one.side === 'both');
        const email = next() < 0.6 ? pick(mates).person.email : `${MARK[side]}-${++serial}@example.org`;
        return { email, role: pick(ROLES) };
      },
    ],
    revoke_invite: [1, (_side, _actor, org) => ({ id: anyId('inv', org) })],
    accept_invite: [6, (_side, actor) => ({ token: anyId('token', actor.person.email) })],
    list_teams: [4, () => ({})],
    create_team: [2, (side) => ({ name: label(side) })],
    update_team: [2, (side, _actor, org) => ({ team: anyId('team', org), name: label(side) })],
    delete_team: [1, (_side, _actor, org) => ({ team: anyId('team', org) })],
    add_team_member: [4, (side, _actor, org) => ({ team: anyId('team', org), user_id: anyId('user', side) })],
    remove_team_member: [2, (side, _actor, org) => ({ team: anyId('team', org), user_id: anyId('user', side) })],
    list_audit_log: [4, () => ({ limit: 100 })],
    save_file: [
      5,
      (side) => ({
        ...(next() < 0.8
          ? { boundary_id: pick(['r100', 'r101', 'r102', 'w500', 'r300', 'r9']) }
          : { area: someArea() }),
        detail: 'low',
        format: pick(['wkt', 'svg']),
        name: label(side),
        visibility: pick(VISIBILITIES),
      }),
    ],
    create_area: [3, () => ({ ...someArea(), detail: 'low', dry_run: next() < 0.3 })],
    list_files: [4, () => ({ limit: 100 })],
    get_file: [4, (_side, _actor, org) => ({ id: anyId('file', org) })],
    update_file: [
      3,
      (side, _actor, org) => ({
        id: anyId('file', org),
        ...pick([{ name: label(side) }, { visibility: pick(VISIBILITIES) }, { refresh: true }]),
      }),
    ],
    delete_file: [1, (_side, _actor, org) => ({ id: anyId('file', org) })],
    share_file: [
      6,
      (side, _actor, org) => ({
        id: anyId('file', org),
        access: pick(FILE_ACCESS),
        ...(next() < 0.5 ? { team: anyId('team', org) } : { user: anyId('user', side) }),
      }),
    ],
    unshare_file: [
      2,
      (_side, _actor, org) => {
        const [id, grant_id = 'shr_unknown'] = anyId('grant', org).split(' ');
        return { id, grant_id };
      },
    ],
  };
  const lottery = Object.entries(INPUTS).flatMap(([name, [weight]]) => Array(Math.ceil(weight * 20)).fill(name));

  /** Fails when an answer holds anything of the other organization. */
  function inspect(op: string, actor: Actor, side: Side, outcome: Outcome): void {
    // These answer about the person, who may be in several organizations.
    const personal = ['list_orgs', 'switch_org', 'accept_invite'].includes(op);
    if (personal && actor.side === 'both') return;
    const text = JSON.stringify(outcome.body);
    for (const mark of OTHER[side]) expect(text, `${op} in ${side}`).not.toContain(mark);
    for (const [found] of text.matchAll(ID)) {
      const id = found.startsWith('bnd_live_') ? found.slice(0, 17) : found;
      if (common.has(id)) continue;
      const first = firstSeen.get(id);
      if (!first) firstSeen.set(id, { side, op });
      else expect(side, `${id}, first seen in ${first.op}, in the answer of ${op}`).toBe(first.side);
    }
  }

  /** Notes what a call has made or ended. */
  async function learn(op: string, actor: Actor, caller: Caller, input: object, { body }: Outcome): Promise<void> {
    const org = caller.org?.id ?? '';
    const id = String(body.id);
    const kill = (which: (one: Secret) => boolean): void => {
      for (const one of secrets.filter(which)) dead.add(one.secret);
    };
    const removed = (input as { user_id?: string }).user_id;
    if (op === 'create_api_key') {
      const madeBy = caller.credential?.kind === 'api_key' ? caller.credential.id : null;
      expect(body.created_by_key).toBe(madeBy);
      secrets.push({ secret: String(body.api_key), account: actor.person.id, org, id, madeBy });
      remember('key', id, org);
    }
    if (op === 'create_team') for (const one of [id, String(body.slug)]) remember('team', one, org);
    if (op === 'save_file') remember('file', id, org);
    if (op === 'share_file') {
      const { items } = body as { items: { grant_id: string }[] };
      const { id: file } = input as { id: string };
      for (const { grant_id } of items) remember('grant', `${file} ${grant_id}`, org);
    }
    if (op === 'create_org') {
      sideOf.set(id, actor.side);
      remember('org', id, actor.side);
    }
    if (op === 'invite_member') {
      remember('inv', id, org);
      // A day's invitations are few; here everybody invites everybody.
      await stock.test.db.query('delete from attempt');
      remember('token', await stock.inviteToken(String(body.email)), String(body.email));
    }
    if (op === 'revoke_api_key') {
      const { prefix } = only(
        await stock.test.db.query<{ prefix: string }>('select prefix from api_key where id = $1', [id]),
      );
      kill(({ secret }) => secret.startsWith(prefix));
      if ((input as { cascade: boolean }).cascade) cascaded.add(id);
    }
    if (op === 'remove_member') kill((one) => one.org === org && one.account === removed);
    if (op === 'delete_org') kill((one) => one.org === org);
    if (op === 'delete_account') {
      kill((one) => one.account === actor.person.id);
      const place = actors.indexOf(actor);
      actors[place] = await enter(actor.side);
      for (const side of ['a', 'b'] as const) {
        if (actor.side === side || actor.side === 'both') await seat(actors[place], main[side], 'member');
      }
    }
  }

  /** What an organization pays out of; of one that is gone, what it paid out of last. */
  async function poolOf(org: string): Promise<string | null> {
    const [row] = await stock.test.db.query<{ pool: string }>('select pool from org_budget where org = $1', [org]);
    if (row) pools.set(org, row.pool);
    return pools.get(org) ?? null;
  }

  async function oneCall(): Promise<void> {
    const actor = pick(actors);
    const op = pick(lottery);
    const caller = await someCaller(actor);
    if (!caller) return oneCall();
    // The two organizations themselves last as long as the run.
    if (op === 'delete_org' && (caller.org === null || Object.values(main).includes(caller.org.id))) return oneCall();
    // Who is in both makes no organization: it would be of no side.
    if (op === 'create_org' && actor.side === 'both') return oneCall();
    const side = caller.org ? (sideOf.get(caller.org.id) ?? actor.side) : actor.side;
    const pool = caller.org ? await poolOf(caller.org.id) : null;
    const input = defined(INPUTS[op])[1](side, actor, caller.org?.id ?? '');
    const requestId = `fuzz-${++serial}`;
    const outcome = await stock.call(op, input, caller, { requestId });
    const key = `${op} ${outcome.status}`;
    counts[key] = (counts[key] ?? 0) + 1;
    requests.set(requestId, { op, status: outcome.status });
    inspect(op, actor, side, outcome);
    const { area, dry_run, refresh } = input as { area?: object; dry_run?: boolean; refresh?: boolean };
    const paid =
      (op === 'save_file' && outcome.status === 201) ||
      (outcome.status === 200 &&
        (op === 'reverse_boundaries' || refresh === true || (op === 'create_area' && !dry_run)));
    const units = area || op === 'create_area' ? 5 : 1;
    if (paid && pool) delivered.set(pool, (delivered.get(pool) ?? 0) + units);
    if (outcome.status === 402) expect(outcome.body).toMatchObject({ limit: UNITS });
    if (outcome.status < 300) await learn(op, actor, caller, input, outcome);
  }

  async function invariants(): Promise<void> {
    const orphans = await stock.test.db.query(
      `select o.id from org o
       where not exists (select 1 from membership m where m.org = o.id and m.role = 'owner')`,
    );
    expect(orphans, 'an organization without an owner').toEqual([]);
    const lost = await stock.test.db.query(
      `select o.id from org o where o.personal_of is not null
         and not exists (select 1 from membership m where m.org = o.id and m.account = o.personal_of and m.role = 'owner')`,
    );
    expect(lost, 'a personal organization whose person is not its owner').toEqual([]);
    const heirs = await stock.test.db.query(
      `with recursive tree as (
         select id from api_key where id = any ($1::text[])
         union select k.id from api_key k join tree t on k.created_by_key = t.id
       )
       select k.id from api_key k join tree t on t.id = k.id where k.revoked_at is null`,
      [[...cascaded]],
    );
    expect(heirs, 'a key that outlived the cascade of the one that made it').toEqual([]);
    const over = await stock.test.db.query('select pool from unit_month where used + reserved > $1', [UNITS]);
    expect(over, 'more units than a pool has').toEqual([]);
    for (const [pool, units] of delivered) expect(units, pool).toBeLessThanOrEqual(UNITS);
    const bare = await stock.test.db.query<{ name: string; bytes: number }>(
      `select b.sha256 || '.' || b.format as name, b.bytes from file f join file_blob b on b.sha256 = f.sha256`,
    );
    for (const { name, bytes } of bare) expect(await stock.storage.size(name), name).toBe(bytes);
    for (const secret of dead) {
      const outcome = await stock.services.keys.authenticate(secret).then(
        () => 'works',
        (error: { code: string }) => error.code,
      );
      expect(outcome).toBe('invalid_key');
    }
    for (const actor of actors) {
      const caller = await stock.services.sessions.authenticate(actor.cookie);
      expect(caller?.account?.id, 'a session ended').toBe(actor.person.id);
    }
  }

  // Who is first of those that call at once is chance: it goes on until all that is to be seen has been.
  const toSucceed = [
    'create_api_key',
    'list_members',
    'switch_org',
    'accept_invite',
    'update_member',
    'save_file',
    'share_file',
  ];
  const unseen = () => [
    ...toSucceed.filter((op) => !Object.keys(counts).some((key) => key.startsWith(`${op} 2`))),
    ...(dead.size > 0 ? [] : ['a credential that is dead']),
    ...(cascaded.size > 0 ? [] : ['a cascade']),
    ...(secrets.some(({ madeBy }) => madeBy !== null) ? [] : ['a key made by a key']),
    ...([...delivered.values()].includes(UNITS) ? [] : ['a pool that is empty']),
  ];
  const isEnough = () => CALLS < 400 || unseen().length === 0;
  for (let done = 0; done < CALLS || (!isEnough() && done < 5 * CALLS); done += BURST) {
    await Promise.all(Array.from({ length: BURST }, oneCall));
    if (done % 100 === 0) await invariants();
    // Both organizations go on having members to remove.
    if (done % 200 === 0) {
      for (const actor of actors) {
        for (const side of ['a', 'b'] as const) {
          if (actor.side !== side && actor.side !== 'both') continue;
          const { length } = await stock.test.db.query('select 1 from membership where org = $1 and account = $2', [
            main[side],
            actor.person.id,
          ]);
          if (length === 0) await seat(actor, main[side], pick(ROLES));
        }
      }
    }
  }
  await invariants();
  // What was delivered was paid for, and nothing else.
  const months = await stock.test.db.query<{ pool: string; used: number; reserved: number }>(
    'select * from unit_month',
  );
  for (const { pool, used, reserved } of months) expect([used, reserved], pool).toEqual([delivered.get(pool) ?? 0, 0]);

  // What failed has left no entry, and what succeeded none but those it declares.
  const logged = await stock.test.db.query<{ request_id: string; action: string; actor_type: string; details: object }>(
    'select request_id, action, actor_type, details from audit_log where request_id is not null',
  );
  for (const { request_id, action, actor_type, details } of logged) {
    const call = requests.get(request_id);
    if (!call) continue;
    expect(call.status, `${call.op} failed and wrote ${action}`).toBeLessThan(300);
    expect(ops.find((op) => op.name === call.op)?.audit, call.op).toContain(action);
    // No one becomes an owner but by one who is signed in.
    if (action === 'member.update' && (details as { to: Role }).to === 'owner') expect(actor_type).toBe('person');
  }
  // Entries of one side name nothing of the other.
  const entries = await stock.test.db.query<{ org: string; text: string }>(
    'select org, row_to_json(l)::text as text from audit_log l',
  );
  for (const { org, text } of entries) {
    for (const mark of OTHER[sideOf.get(org) ?? 'both']) {
      if (sideOf.has(org)) expect(text).not.toContain(mark);
    }
  }
  expect(isEnough(), `never seen: ${unseen()}; ${JSON.stringify(counts)}`).toBe(true);
  if (process.env.FUZZ_CALLS) process.stderr.write(`${JSON.stringify(counts, Object.keys(counts).sort(), 1)}\n`);
});

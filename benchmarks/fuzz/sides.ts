import type { App } from '../../src/app/app.ts';
import { pick } from '../../src/bench/random.ts';
import { only } from '../../src/common/elements.ts';
import { plainWordsIn } from '../../src/common/texts/tables.ts';
import { systemActor } from '../../src/core/access.ts';
import { inviteMail } from '../../src/domain/people/invites.ts';

const SELF = systemActor('fuzz');

/** The owner of an object: one organization or the other, the operators, or no one. */
export type Side = 'a' | 'b' | 'operators' | 'neither';

/** Every name, slug and address that a side generates contains its mark; random ids and keys have no hyphen. */
export const MARKS = { a: 'zq-a', b: 'zq-b' } as const;

/** The marks that responses to a side must not contain. */
const marksOfOthers = (side: Side): readonly string[] =>
  Object.entries(MARKS)
    .filter(([one]) => one !== side)
    .map(([, mark]) => mark);

/** A caller. */
export interface Actor {
  readonly side: Side;
  readonly what: 'owner' | 'member' | 'viewer' | 'operator' | 'anonymous' | 'guest';
  readonly account: string;
  readonly email: string;
  readonly role: string;
  /** The organization that calls act in; empty for the personal one. */
  readonly org: string;
  /** Empty when there is none. */
  key: string;
  cookie: string;
}

/** Ids of objects in a service, with their prefixes. */
const ID = /\b(?:org|usr|team|key|inv|aud|ses|mail|file|shr|job|rev)_[0-9A-HJKMNP-TV-Z]{26}\b/g;
/** Most ids of a kind remembered per side. */
const KEPT = 60;

/** Two organizations of the service, with their people and objects. */
export class TwoOrganizations {
  readonly actors: Actor[] = [];
  private readonly app: App;
  private readonly orgs: Record<'a' | 'b', string> = { a: '', b: '' };
  private readonly known = new Map<string, string[]>();
  private readonly firstSeen = new Map<string, Side>();
  private count = 0;

  private constructor(app: App) {
    this.app = app;
  }

  static async open(app: App): Promise<TwoOrganizations> {
    const sides = new TwoOrganizations(app);
    for (const side of ['a', 'b'] as const) {
      const owner = await sides.person(side, 'owner', `${MARKS[side]}-server`);
      sides.orgs[side] = owner.org;
      sides.actors.push(owner);
      for (const what of ['member', 'viewer'] as const) {
        sides.actors.push(await sides.person(side, what, `${MARKS[side]}-server`));
      }
      const id = `grant-${MARKS[side]}`;
      const client = { clientId: `client-${side}`, clientName: `${MARKS[side]} client`, scope: 'write' as const };
      await app.services.oauth.grant({ id, account: owner.account, org: owner.org, ...client }, SELF);
      sides.remember(side, 'grant', id);
    }
    const email = 'operator@example.org';
    const made = await app.services.keys.create({ email, plan: 'self_hosted', operator: true });
    const account = made.account.id;
    const none = { role: '', org: '', cookie: '' };
    sides.actors.push({ ...none, side: 'operators', what: 'operator', account, email, key: made.key });
    sides.actors.push({ ...none, side: 'neither', what: 'anonymous', account: '', email: '', key: '' });
    await sides.refresh();
    return sides;
  }

  /** Resets all actors: calls take away roles and keys, and use up daily limits. */
  async refresh(): Promise<void> {
    const { services } = this.app;
    const people = this.actors.map(({ account }) => account);
    const houses = Object.values(this.orgs);
    await services.db.query('delete from attempt');
    await services.db.query('delete from invite');
    const teams = 'select id from team where org = any ($1) order by created_at desc limit 40';
    await services.db.query(`delete from team where org = any ($1) and id not in (${teams})`, [houses]);
    const founded = 'select org from membership where account = any ($2)';
    const others = `delete from org where personal_of is null and not id = any ($1) and id in (${founded})`;
    await services.db.query(others, [houses, people]);
    for (const actor of this.actors) {
      if (actor.what === 'anonymous') continue;
      const { side, account, role } = actor;
      if (side === 'a' || side === 'b') {
        const seat = `insert into membership (org, account, role) values ($1, $2, $3)
          on conflict (org, account) do update set role = excluded.role`;
        await services.db.query(seat, [this.orgs[side], account, role]);
      }
      const works = await services.keys.authenticate(actor.key).then(
        () => true,
        () => false,
      );
      const [{ active }] = await services.db.query<{ active: number }>(
        'select count(*)::int as active from api_key where account = $1 and revoked_at is null',
        [account],
      );
      if (!works || active > 10) {
        await services.db.query('update api_key set revoked_at = now() where account = $1 and revoked_at is null', [
          account,
        ]);
        actor.key = (await this.newKey(actor)).key;
      }
      if (actor.cookie === '' || (await services.sessions.authenticate(actor.cookie)) === null) {
        actor.cookie = await this.session(account, actor.org || null);
      }
    }
  }

  /** Creates a person of a side: an owner with a new organization of that slug, or anyone else in the existing one. */
  private async person(side: 'a' | 'b', what: Actor['what'], slug: string): Promise<Actor> {
    const { keys, orgs } = this.app.services;
    const email = what === 'guest' ? `${slug}-person@example.org` : `${MARKS[side]}-${what}@example.org`;
    const isFounder = what === 'owner' || what === 'guest';
    const first = isFounder ? await keys.create({ email, plan: 'self_hosted' }) : null;
    if (first) {
      await orgs.create(first.account.id, { name: `${slug} name`, slug, plan: 'self_hosted' }, () => SELF);
    }
    const { account, org, key } = await keys.create({ email, orgSlug: slug });
    const cookie = await this.session(account.id, org.id);
    return { side, what, role: isFounder ? 'owner' : what, account: account.id, email, org: org.id, key, cookie };
  }

  /** Creates a person with an organization of their own, for calls that delete either. */
  guest(side: 'a' | 'b'): Promise<Actor> {
    return this.person(side, 'guest', `${MARKS[side]}-guest-${++this.count}`);
  }

  /** Invites an email to the organization of a side and returns the token. */
  async invite(side: 'a' | 'b', email: string): Promise<string> {
    const { invites, db } = this.app.services;
    const by = { account: this.actors.find((one) => one.side === side)?.account ?? '', org: this.orgs[side] };
    const { id } = await invites.create(
      { ...by, role: 'owner', actor: SELF },
      { email, role: 'viewer', language: 'en' },
    );
    return tokenIn(await inviteMail(db, '')(id, plainWordsIn('en'))) ?? '';
  }

  private async session(account: string, org: string | null): Promise<string> {
    const { db, sessions } = this.app.services;
    const own = org ?? only(await db.query<{ id: string }>('select id from org where personal_of = $1', [account])).id;
    return (await db.transaction((tx) => sessions.start(tx, account, own))).cookie;
  }

  /** The slug of their organization may have changed. */
  private newKey({ account, email, org }: Actor): Promise<{ key: string }> {
    const { keys } = this.app.services;
    return org === '' ? keys.create({ email, operator: true }) : keys.add(account, org, 'key', SELF);
  }

  private remember(side: Side, kind: string, id: string): void {
    const name = `${side} ${kind}`;
    const list = this.known.get(name) ?? [];
    if (!list.includes(id)) list.push(id);
    if (list.length > KEPT) list.shift();
    this.known.set(name, list);
  }

  /** The value of a placeholder in a generated input of a call by a side. */
  value(placeholder: string, side: Side, isPublic: boolean, next: () => number): unknown {
    const kind = placeholder.slice(1);
    const own = side === 'b' ? 'b' : 'a';
    const mark = isPublic || side === 'operators' || side === 'neither' ? 'common' : MARKS[own];
    if (kind === 'mark') return `${mark}-${Math.floor(next() * 1e6)}`;
    const stranger = `${mark}-s${Math.floor(next() * 1e6)}@example.org`;
    if (kind === 'stranger') return stranger;
    if (kind === 'mail') {
      const mates = this.actors.filter((one) => one.side === side && one.email !== '');
      return next() < 0.5 || mates.length === 0 ? stranger : pick(next, mates).email;
    }
    if (kind === 'item') return 1 + Math.floor(next() * 40);
    const dice = next();
    // Sometimes ids of the other organization, which must not reveal anything.
    const of = dice < 0.7 ? own : dice < 0.95 ? (own === 'a' ? 'b' : 'a') : 'neither';
    const list = this.known.get(`${of} ${kind}`) ?? [];
    return list.length === 0 ? `${kind}_01JD0000000000000000000000` : pick(next, list.slice(-20));
  }

  /**
   * Remembers the ids in a response, and returns the marks that it must not contain. `asked` is the request, which may
   * have contained them.
   */
  async checkResponse(actor: Actor, op: string, asked: string, answered: string, json: unknown): Promise<string[]> {
    const { side } = actor;
    const wrong = marksOfOthers(side)
      .filter((mark) => answered.includes(mark) && !asked.includes(mark))
      .map((mark) => `holds ${mark}`);
    if (PUBLIC.test(op)) {
      for (const [id] of answered.matchAll(ID)) if (id.startsWith('rev_')) this.remember('a', 'rev', id);
      return wrong;
    }
    for (const id of new Set(answered.match(ID))) {
      if (asked.includes(id)) continue;
      const first = this.firstSeen.get(id);
      if (first === undefined) this.firstSeen.set(id, side);
      else if (first !== side) wrong.push(`holds ${id}, which is of ${first}`);
      if (first === undefined) this.remember(side, id.slice(0, id.indexOf('_')), id);
    }
    await this.rememberObjects(side, op, asked, json);
    return wrong;
  }

  /** Remembers objects that a call created but that its response does not name with a single id. */
  private async rememberObjects(side: Side, op: string, asked: string, json: unknown): Promise<void> {
    const { id, items } = (json ?? {}) as { id?: string; items?: { grant_id?: string }[] };
    const input = JSON.parse(asked) as { id?: string; team?: string; user_id?: string };
    if (op === 'invite_member' && String(id).startsWith('inv_')) {
      const token = tokenIn(await inviteMail(this.app.services.db, '')(String(id), plainWordsIn('en')));
      if (token) this.remember(side, 'token', token);
    }
    for (const { grant_id } of op === 'share_file' ? (items ?? []) : []) {
      this.remember(side, 'share', JSON.stringify({ id: input.id, grant_id }));
    }
    if (op === 'add_team_member' && json && !('code' in (json as object))) {
      this.remember(side, 'seat', JSON.stringify({ team: input.team, user_id: input.user_id }));
    }
  }

  /** An input of two ids that belong together, of a share or of a team membership; null while there is none. */
  pair(kind: 'share' | 'seat', side: Side, next: () => number): object | null {
    const list = this.known.get(`${next() < 0.8 ? side : 'b'} ${kind}`) ?? [];
    return list.length === 0 ? null : JSON.parse(pick(next, list));
  }
}

const tokenIn = (mail: { text: string } | null): string | undefined =>
  /accept-invite (\S+)/.exec(mail?.text ?? '')?.[1];

/** Operations whose objects everyone sees, but whose authors no one sees. */
export const PUBLIC = /feedback|feature|issue|review/;

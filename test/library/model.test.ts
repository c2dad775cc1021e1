import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { FILE_ACCESS, type FileAccess, VISIBILITIES, type Visibility } from '../../src/core/access.ts';
import { ROLES, type Role } from '../../src/core/roles.ts';
import { newId } from '../../src/domain/new_id.ts';
import { type OrgHarness, openOrgHarness, type Person } from '../orgs/org_harness.ts';
import { roundsIfEmbedded } from '../proof/rounds.ts';

/** How many sequences, and from which seed: MODEL_RUNS=1000 MODEL_SEED=… repeats a long run. */
const RUNS = Number(process.env.MODEL_RUNS ?? roundsIfEmbedded(25));
const SEED = Number(process.env.MODEL_SEED ?? 20261121);

interface ModelFile {
  readonly id: string;
  readonly boundary: string;
  readonly creator: number;
  visibility: Visibility;
  /** By `team 1` or `user 2`. */
  readonly shares: Map<string, FileAccess>;
}
/** The first person owns the organization throughout. */
interface Model {
  readonly roles: Map<number, Role>;
  readonly teams: Map<number, Set<number>>;
  readonly files: ModelFile[];
}

/** The whole of who may do what. */
function modelAccess({ roles, teams }: Model, who: number, file: ModelFile): FileAccess | null {
  const role = roles.get(who);
  if (role === undefined) return null;
  const given = new Set<FileAccess | undefined>([file.shares.get(`user ${who}`)]);
  for (const [team, people] of teams) if (people.has(who)) given.add(file.shares.get(`team ${team}`));
  if (file.creator === who || role === 'owner' || role === 'admin') given.add('admin');
  if (file.visibility === 'org') given.add(role === 'viewer' ? 'read' : 'write');
  const most = (['admin', 'write', 'read'] as const).find((access) => given.has(access)) ?? null;
  return most && role === 'viewer' ? 'read' : most;
}

const PEOPLE = 5;
const TEAMS = 3;
const who = fc.nat(PEOPLE - 1);
const file = fc.nat(7);
const team = fc.nat(TEAMS - 1);
const visibility = fc.constantFrom(...VISIBILITIES);
const act = <T extends string, R extends Record<string, fc.Arbitrary<unknown>>>(does: T, fields: R) =>
  fc.record({ does: fc.constant(does), ...fields }) as fc.Arbitrary<
    { does: T } & { [K in keyof R]: R[K] extends fc.Arbitrary<infer V> ? V : never }
  >;
const action = fc.oneof(
  { weight: 5, arbitrary: act('save', { who, boundary: fc.constantFrom('r101', 'r102', 'w500'), visibility }) },
  {
    weight: 6,
    arbitrary: act('share', {
      who,
      file,
      team,
      to: who,
      isTeam: fc.boolean(),
      access: fc.constantFrom(...FILE_ACCESS),
    }),
  },
  { weight: 2, arbitrary: act('unshare', { who, file, at: fc.nat(3) }) },
  { weight: 2, arbitrary: act('hide', { who, file, visibility }) },
  { weight: 1, arbitrary: act('delete', { who, file }) },
  { weight: 4, arbitrary: act('join', { who, team }) },
  { weight: 1, arbitrary: act('leave', { who, team }) },
  { weight: 1, arbitrary: act('disband', { team }) },
  { weight: 3, arbitrary: act('role', { who, role: fc.constantFrom(...ROLES) }) },
  { weight: 1, arbitrary: act('fire', { who }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

let stock: OrgHarness;
const people: Person[] = [];
beforeAll(async () => {
  stock = await openOrgHarness({ world: true });
  for (let i = 0; i < PEOPLE; i++) people.push(await stock.person(`model${i}@example.org`));
});
afterAll(() => stock?.close());

/** An organization, and what it should be like. */
class Run {
  readonly model: Model = { roles: new Map([[0, 'owner']]), teams: new Map(), files: [] };
  readonly teamIds = new Map<number, string>();
  private readonly org: string;

  constructor(org: string) {
    this.org = org;
  }

  async call(by: number, op: string, input: object) {
    return stock.call(op, input, await stock.session(defined(people[by]), this.org));
  }

  private async teamId(index: number): Promise<string> {
    const known = this.teamIds.get(index);
    if (known) return known;
    const { body } = await this.call(0, 'create_team', { name: `team ${index}` });
    this.teamIds.set(index, String(body.id));
    this.model.teams.set(index, new Set());
    return String(body.id);
  }

  /** Does something in the service and in the model, and compares whether it was allowed. */
  async take(action: Action): Promise<void> {
    const { roles, teams, files } = this.model;
    switch (action.does) {
      case 'role': {
        if (action.who === 0) return;
        const first = !roles.has(action.who);
        roles.set(action.who, action.role);
        const values = [this.org, defined(people[action.who]).id, action.role];
        if (first) await stock.test.db.query('insert into membership (org, account, role) values ($1, $2, $3)', values);
        else
          await stock.ok(
            'update_member',
            { user_id: values[1], role: values[2] },
            await stock.session(defined(people[0]), this.org),
          );
        return stock.services.orgs.forget();
      }
      case 'fire': {
        if (action.who === 0 || !roles.delete(action.who)) return;
        for (const people of teams.values()) people.delete(action.who);
        for (const { shares } of files) shares.delete(`user ${action.who}`);
        expect((await this.call(0, 'remove_member', { user_id: defined(people[action.who]).id })).status).toBe(200);
        return;
      }
      case 'join': {
        if (!roles.has(action.who)) return;
        const id = await this.teamId(action.team);
        teams.get(action.team)?.add(action.who);
        await this.call(0, 'add_team_member', { team: id, user_id: defined(people[action.who]).id });
        return;
      }
      case 'leave': {
        if (!teams.get(action.team)?.delete(action.who)) return;
        const gone = { team: await this.teamId(action.team), user_id: defined(people[action.who]).id };
        expect((await this.call(0, 'remove_team_member', gone)).status).toBe(200);
        return;
      }
      case 'disband': {
        if (!teams.delete(action.team)) return;
        for (const { shares } of files) shares.delete(`team ${action.team}`);
        expect((await this.call(0, 'delete_team', { team: this.teamIds.get(action.team) })).status).toBe(200);
        this.teamIds.delete(action.team);
        return;
      }
      default:
        if (roles.has(action.who)) await this.takeWithFiles(action);
    }
  }

  private async takeWithFiles(action: Exclude<Action, { does: 'role' | 'fire' | 'join' | 'leave' | 'disband' }>) {
    const { roles, teams, files } = this.model;
    const viewer = roles.get(action.who) === 'viewer';
    if (action.does === 'save') {
      const { boundary, visibility: wanted } = action;
      const input = { boundary_id: boundary, visibility: wanted, format: 'wkt', detail: 'low' };
      const { status, body } = await this.call(action.who, 'save_file', input);
      if (viewer) return expect(status).toBe(401);
      const mine = (one: ModelFile) => one.visibility === 'org' || one.creator === action.who;
      const found = files.filter((one) => one.boundary === boundary && mine(one));
      const existing = found.find((one) => one.visibility === wanted) ?? found[0];
      expect([status, existing?.id ?? body.id]).toEqual([existing ? 200 : 201, body.id]);
      if (existing) return;
      files.push({ id: String(body.id), boundary, creator: action.who, visibility: wanted, shares: new Map() });
      return;
    }
    const chosen = files[action.file % Math.max(1, files.length)];
    if (!chosen) return;
    const access = modelAccess(this.model, action.who, chosen);
    const refused = viewer ? 401 : access === null ? 404 : access === 'admin' ? null : 401;
    const { id } = chosen;
    if (action.does === 'delete') {
      expect((await this.call(action.who, 'delete_file', { id })).status).toBe(refused ?? 200);
      if (refused === null) files.splice(files.indexOf(chosen), 1);
    } else if (action.does === 'hide') {
      const { status } = await this.call(action.who, 'update_file', { id, visibility: action.visibility });
      const inTheWay = files.some(
        (one) =>
          one !== chosen &&
          one.boundary === chosen.boundary &&
          one.visibility === action.visibility &&
          (one.visibility === 'org' || one.creator === chosen.creator),
      );
      expect(status).toBe(refused ?? (inTheWay ? 400 : 200));
      if (status === 200) chosen.visibility = action.visibility;
    } else if (action.does === 'share') {
      const there = action.isTeam ? teams.has(action.team) : roles.has(action.to);
      const to = action.isTeam
        ? { team: this.teamIds.get(action.team) ?? 'none' }
        : { user: defined(people[action.to]).id };
      const { status } = await this.call(action.who, 'share_file', { id, ...to, access: action.access });
      expect(status).toBe(refused ?? (there ? 200 : 404));
      // Who made a file has all there is to give: no share is made.
      if (status === 200 && (action.isTeam || action.to !== chosen.creator)) {
        chosen.shares.set(action.isTeam ? `team ${action.team}` : `user ${action.to}`, action.access);
      }
    } else {
      const shown = await this.call(0, 'get_file', { id });
      const shares = shown.body.shares as {
        grant_id: string;
        team: { id: string } | null;
        user: { id: string } | null;
      }[];
      const share = shares[action.at % Math.max(1, shares.length)];
      const { status } = await this.call(action.who, 'unshare_file', { id, grant_id: share?.grant_id ?? 'none' });
      expect(status).toBe(refused ?? (share ? 200 : 404));
      if (status === 200) chosen.shares.delete(this.granteeOf(defined(share)));
    }
  }

  private granteeOf({ team, user }: { team: { id: string } | null; user: { id: string } | null }): string {
    if (user) return `user ${people.findIndex(({ id }) => id === user.id)}`;
    return `team ${[...this.teamIds].find(([, id]) => id === team?.id)?.[0]}`;
  }

  /** A search and an order show the same files as the list: those of a name, and all of them sorted. */
  private async checkFound(person: number, items: readonly { id: string; access: string }[]): Promise<void> {
    type Found = { readonly id: string; readonly access: string; readonly name: string; readonly bytes: number };
    const find = async (input: object) =>
      (await this.call(person, 'list_files', { limit: 100, ...input })).body as unknown as {
        items: Found[];
        total: number;
      };
    const plain = (list: readonly { id: string; access: string }[]) =>
      list.map(({ id, access }) => `${id} ${access}`).sort();
    const byName = await find({ sort: 'name' });
    expect(plain(byName.items)).toEqual(plain(items));
    expect(byName.total).toBe(items.length);
    const sizes = (await find({ sort: 'largest' })).items.map(({ bytes }) => bytes);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    const [first] = byName.items;
    if (first === undefined) return;
    const part = first.name.slice(1, 4).toUpperCase();
    const found = await find({ q: part });
    const wanted = byName.items.filter(({ name }) => name.toUpperCase().includes(part));
    expect(plain(found.items)).toEqual(plain(wanted));
    expect((await find({ q: part, offset: 99 })).total).toBe(wanted.length);
  }

  /** What everybody is shown is what the model says. */
  async check(): Promise<void> {
    const { roles, files } = this.model;
    for (const person of roles.keys()) {
      const visible = files
        .map((one) => ({ id: one.id, access: modelAccess(this.model, person, one), visibility: one.visibility }))
        .filter(({ access }) => access !== null)
        .reverse();
      const { body } = await this.call(person, 'list_files', { limit: 100 });
      const items = body.items as { id: string; access: string; visibility: string }[];
      expect(items.map(({ id, access, visibility: seen }) => ({ id, access, visibility: seen }))).toEqual(visible);
      expect(body.total).toBe(visible.length);
      await this.checkFound(person, items);
      for (const one of files) {
        const expected = visible.find(({ id }) => id === one.id)?.access;
        const got = await this.call(person, 'get_file', { id: one.id });
        expect([got.status, got.body.access]).toEqual(expected ? [200, expected] : [404, undefined]);
        const shares = got.body.shares as Parameters<typeof this.granteeOf>[0][] | null;
        const shown = shares
          ?.map((share) => `${this.granteeOf(share)} ${(share as { access?: string }).access}`)
          .sort();
        const kept = [...one.shares].map(([to, access]) => `${to} ${access}`).sort();
        expect(shown).toEqual(expected === 'admin' ? kept : undefined);
      }
    }
  }
}

test(`${RUNS} random sequences, seed ${SEED}: list_files and get_file show what the model says`, {
  timeout: 3_600_000,
}, async () => {
  let shown = 0;
  const sequence = fc.array(action, { minLength: 20, maxLength: 60 });
  const property = fc.asyncProperty(sequence, async (actions) => {
    const id = newId('org');
    await stock.test.db.query("insert into org (id, slug, name, plan) values ($1, 'model', 'Model', 'self_hosted')", [
      id,
    ]);
    await stock.test.db.query("insert into membership (org, account, role) values ($1, $2, 'owner')", [
      id,
      defined(people[0]).id,
    ]);
    const run = new Run(id);
    // Everybody is there to begin with, one in each role.
    for (let i = 1; i < PEOPLE; i++) await run.take({ does: 'role', who: i, role: defined(ROLES[i % ROLES.length]) });
    for (const one of actions) await run.take(one);
    await run.check();
    shown += run.model.files.length;
    await stock.test.db.query('delete from org where id = $1', [id]);
  });
  await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true });
  expect(shown).toBeGreaterThan(RUNS);
});

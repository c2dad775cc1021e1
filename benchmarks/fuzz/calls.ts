import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { pick, seeded } from '../../src/bench/random.ts';
import { QueueError } from '../../src/common/semaphore.ts';
import type { AnyOp } from '../../src/core/op.ts';
import { DatabaseError } from '../../src/db/database_error.ts';
import { ops } from '../../src/ops/index.ts';
import { DESTRUCTIVE_OPS, type Input, inputs, writable } from '../../test/setup/inputs.ts';
import { type CallRoute, call, type Server } from './call.ts';
import { seedOf } from './seed.ts';
import { type Actor, MARKS, PUBLIC, type TwoOrganizations } from './sides.ts';

/** Inputs of each operation per block; fewer where each starts a program. */
const PER_BLOCK = (route: CallRoute): number => (route === 'starts' ? 1 : 16);
export const BLOCK = (route: CallRoute): number => PER_BLOCK(route) * ops.length;

/** Concurrent calls. */
const AT_ONCE: Readonly<Record<CallRoute, number>> = { http: 8, rpc: 8, mcp: 8, cli: 4, starts: 2 };
/** Number of calls after which all actors are reset. */
const REFRESH = 260;
/** The outcome of a block. */
export interface Tally {
  /** Calls by status; on the command line success is 200. */
  readonly statuses: Record<string, number>;
  /** Successes by operation. */
  readonly succeeded: Record<string, number>;
  /** Responses that contain the mark of the caller's own organization. */
  readonly ownMarks: number;
  readonly longestMs: number;
  readonly longestOp: string;
  readonly findings: readonly Finding[];
}

/** A response that must not occur. */
export interface Finding {
  readonly route: CallRoute;
  readonly block: number;
  readonly op: string;
  readonly actor: string;
  readonly input: Input;
  readonly wrong: readonly string[];
  readonly answer: string;
}

/** The id prefixes in examples, which show what a member refers to. */
const PLACEHOLDER = /^([a-z]{3,4})_[0-9A-HJKMNP-TV-Z]{26}$/;
const NAMED: Readonly<Record<string, string>> = {
  team: '@team',
  org: '@org',
  user: '@mail',
  email: '@mail',
  token: '@token',
};

/** The placeholder for a member that refers to an object of the running service, or names one. */
function knownOf(op: AnyOp): (member: string) => fc.Arbitrary<unknown> | null {
  return (member) => {
    if (['name', 'slug', 'title', 'body', 'details', 'comment'].includes(member)) return fc.constant('@mark');
    if (op.route.path.startsWith('/feedback/') && member === 'id') return fc.constant('@item');
    if (op.name === 'revoke_oauth_grant') return fc.constant('@grant');
    // In seconds: all calls of a block would wait that long.
    if (member === 'wait') return fc.constantFrom(0, 1);
    const values = op.examples.map(({ input }) => input[member]);
    const [, prefix] = values.map((value) => PLACEHOLDER.exec(String(value))).find(Boolean) ?? [];
    const named = prefix ? `@${prefix}` : NAMED[member];
    return named ? fc.constant(named) : null;
  };
}

const generators = new Map(ops.map((op) => [op.name, inputs(op, knownOf(op))]));

/** The inputs of a block in sending order, each with its own seed. */
function planOf(route: CallRoute, seed: number, block: number): { op: AnyOp; input: Input; seed: number }[] {
  const count = PER_BLOCK(route);
  const plan = ops.flatMap((op) => {
    const own = seedOf(seed, route, block, op.name);
    const generated = generators.get(op.name) as fc.Arbitrary<Input>;
    const sendable = route === 'http' ? generated.filter((input) => writable(op, input)) : generated;
    const sampled = fc.sample(sendable, { seed: own, numRuns: count });
    return sampled.map((input, i) => ({ op, input, seed: seedOf(own, i) }));
  });
  const next = seeded(seedOf(seed, route, block));
  for (let i = plan.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [plan[i], plan[j]] = [plan[j], plan[i]];
  }
  return plan;
}

/** Sends a block of calls. The same seed gives the same inputs, with the ids that exist at the time. */
export async function sendBlock(
  server: Server,
  sides: TwoOrganizations,
  route: CallRoute,
  seed: number,
  block: number,
): Promise<Tally> {
  const plan = planOf(route, seed, block);
  const statuses: Record<string, number> = {};
  const succeeded: Record<string, number> = {};
  let ownMarks = 0;
  const findings: Finding[] = [];
  let [longestMs, longestOp] = [0, ''];
  for (let from = 0; from < plan.length; from += REFRESH) {
    await again(() => createObjects(server, sides, from === 0));
    const queue = plan.slice(from, from + REFRESH);
    const sender = async (): Promise<void> => {
      for (let one = queue.pop(); one; one = queue.pop()) {
        const { op } = one;
        const next = seeded(one.seed);
        const actor = await pickActor(sides, op, route, next);
        const value = (text: string) => sides.value(text, actor.side, PUBLIC.test(op.name), next);
        const input = { ...(resolved(one.input, value) as Input), ...(await relatedMembers(sides, op, actor, next)) };
        const began = performance.now();
        const { status, wrong, answer } = await call(server, sides, route, actor, op, input);
        const took = performance.now() - began;
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (Number(status) < 300) succeeded[op.name] = (succeeded[op.name] ?? 0) + 1;
        if (actor.side in MARKS && answer.includes(MARKS[actor.side as keyof typeof MARKS])) ownMarks++;
        if (took > longestMs) [longestMs, longestOp] = [took, op.name];
        if (wrong.length === 0) continue;
        const who = `${actor.what} of ${actor.side}`;
        findings.push({ route, block, op: op.name, actor: who, input, wrong, answer: answer.slice(0, 2000) });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE[route] }, sender));
  }
  return { statuses, succeeded, ownMarks, longestMs: Math.round(longestMs), longestOp, findings };
}

class Refused extends Error {}

/** Retries up to five times when the server was busy or another call's work was in the way. */
async function again(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof Refused || error instanceof DatabaseError || error instanceof QueueError;
      if (!isPassing || tries === 5) throw error;
      process.stderr.write(`${error}\n`);
      await sleep(1000);
    }
  }
}

/** Resets all actors, and creates new objects in both organizations, of each kind that calls delete. */
async function createObjects(server: Server, sides: TwoOrganizations, withJob: boolean): Promise<void> {
  await sides.refresh();
  for (const owner of sides.actors.filter(({ what }) => what === 'owner')) {
    const make = async (name: string, input: Input): Promise<string> => {
      const op = ops.find((one) => one.name === name) as AnyOp;
      const next = seeded(seedOf(name, performance.now()));
      const filled = resolved(input, (text) => sides.value(text, owner.side, false, next)) as Input;
      const { status, answer, wrong } = await call(server, sides, 'rpc', { ...owner, cookie: '' }, op, filled);
      if (wrong.length > 0 || Number(status) >= 300)
        throw new Refused(`${name} answered ${status}: ${wrong} ${answer}`);
      return /"id":"(\w+)"/.exec(answer)?.[1] ?? '';
    };
    const member = sides.actors.find(({ side, what }) => side === owner.side && what === 'member');
    for (const visibility of ['org', 'restricted']) {
      const file = await make('save_file', { boundary_id: 'iso:LI', detail: 'low', name: '@mark', visibility });
      await make('share_file', { id: file, user: member?.email, access: 'read' });
    }
    const team = await make('create_team', { name: '@mark' });
    await make('add_team_member', { team, user_id: member?.account });
    await make('invite_member', { email: '@stranger' });
    if (!withJob) continue;
    const pair = { a: ['iso:ES-SE'], b: ['iso:ES-CO'] };
    await make('create_job', { op: 'crosswalk', input: pair });
  }
}

/** Picks the caller: mostly owners. A new person makes calls that delete an account or an organization. */
async function pickActor(sides: TwoOrganizations, op: AnyOp, route: CallRoute, next: () => number): Promise<Actor> {
  const { actors } = sides;
  const dice = next();
  const what =
    dice < 0.6 ? 'owner' : dice < 0.75 ? 'member' : dice < 0.83 ? 'viewer' : dice < 0.93 ? 'operator' : 'anonymous';
  const actor = pick(
    next,
    actors.filter((one) => one.what === what),
  );
  const byCookie = (route === 'http' || route === 'rpc') && actor.cookie !== '' && next() < 0.5;
  if (!byCookie) return { ...actor, cookie: '' };
  const isFinal = DESTRUCTIVE_OPS.includes(op.name) || op.name === 'accept_invite';
  if (!isFinal) return { ...actor, key: '' };
  const guest = await sides.guest(actor.side === 'b' ? 'b' : 'a');
  return { ...guest, key: '' };
}

/** Members of an input that only make sense together or for this caller; often none. */
async function relatedMembers(
  sides: TwoOrganizations,
  op: AnyOp,
  actor: Actor,
  next: () => number,
): Promise<object | null> {
  if (next() < 0.5) return null;
  if (op.name === 'unshare_file') return sides.pair('share', actor.side, next);
  if (op.name === 'remove_team_member') return sides.pair('seat', actor.side, next);
  if (actor.what !== 'guest' || (actor.side !== 'a' && actor.side !== 'b')) return null;
  if (op.name === 'switch_org') return { org: actor.org };
  return op.name === 'accept_invite' ? { token: await sides.invite(actor.side, actor.email) } : null;
}

/** The input with its placeholders replaced. */
function resolved(input: unknown, value: (placeholder: string) => unknown): unknown {
  if (typeof input === 'string') return /^@[a-z]{3,8}$/.test(input) ? value(input) : input;
  if (Array.isArray(input)) return input.map((one) => resolved(one, value));
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(Object.entries(input).map(([name, one]) => [name, resolved(one, value)]));
}

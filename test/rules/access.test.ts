import { describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import {
  ANONYMOUS,
  authorize,
  type Caller,
  type Credential,
  grantRole,
  keyRole,
  LOCAL_OPERATOR,
  RULES,
  type Rule,
  SCOPES,
  type Scope,
} from '../../src/core/access.ts';
import { asProblem } from '../../src/core/errors.ts';
import { parseInput } from '../../src/core/input.ts';
import { invoke } from '../../src/core/invoke.ts';
import type { AnyOp } from '../../src/core/op.ts';
import { atLeast, holdsAllKeys, mayChange, mayGrant, mayRemove, ROLES, type Role } from '../../src/core/roles.ts';
import { ops } from '../../src/ops/index.ts';
import type { Services } from '../../src/services.ts';

const rows = new Map<string, Rule>(Object.entries(RULES));

/** Operations that are logged, and change what members make. */
const CONTENT = ['create_subscription', 'delete_subscription', 'delete_file', 'create_area_set', 'delete_area_set'];

/** The inputs that decide which rule of an operation holds: its examples, and those of the cases below. */
const MORE_INPUTS: Readonly<Record<string, readonly object[]>> = {
  get_boundary: [{ id: 'r1' }, { id: 'r1', detail: 'full' }, { id: 'r1', tolerance_m: 64 }],
};

/** Every input with its rule, for operations whose rule depends on it; one input otherwise. */
function rulesOf(op: AnyOp): { input: object; rule: Rule }[] {
  const inputs = [...op.examples.map((example) => example.input as object), ...(MORE_INPUTS[op.name] ?? [])];
  return inputs.map((input) => {
    const { access } = op;
    return { input, rule: typeof access === 'function' ? access(parseInput(op.input, input)) : access };
  });
}

/** What is wrong between the table and a registry, in words. */
function faults(registry: readonly AnyOp[], table: ReadonlyMap<string, Rule>): string[] {
  const found: string[] = [];
  const used = new Set<Rule>();
  for (const op of registry) {
    const own = [...table].filter(([name]) => name === op.name || name.startsWith(`${op.name}_`)).map(([, row]) => row);
    if (!table.has(op.name)) found.push(`${op.name} has no row`);
    if (typeof op.access !== 'function' && op.access !== table.get(op.name)) found.push(`${op.name} uses another row`);
    for (const { rule } of rulesOf(op)) {
      if (!own.includes(rule)) found.push(`${op.name} uses a rule that is not a row of its own`);
      used.add(rule);
    }
  }
  for (const [name, row] of table) if (!used.has(row)) found.push(`the row ${name} is used by no operation`);
  return found;
}

const ACCOUNT = { id: 'usr_1', email: 'someone@example.org', name: null };
const ORG = { id: 'org_1', slug: 'one', plan: 'self_hosted' };

interface Someone {
  readonly title: string;
  readonly caller: Caller;
  /** What this caller is, in the words the expectations below are written in. */
  readonly role: Role | null;
  readonly kind: Credential['kind'] | 'none' | 'local';
  readonly scope: Scope | null;
}

/** Everyone there is: every credential of a person in every role and in none, operators, and those without a credential. */
function everyone(): Someone[] {
  const all: Someone[] = [
    { title: 'anonymous', caller: ANONYMOUS, role: null, kind: 'none', scope: null },
    { title: 'at the machine', caller: LOCAL_OPERATOR, role: null, kind: 'local', scope: null },
  ];
  for (const operator of [false, true]) {
    for (const person of [...ROLES, null]) {
      const add = (credential: Credential, role: Role | null, scope: Scope | null = null): void => {
        const org = role === null ? null : ORG;
        const title = `${operator ? 'operator, ' : ''}${person ?? 'in no organization'}, by ${credential.kind} ${scope ?? ''}`;
        const caller = { account: ACCOUNT, org, role, credential, operator };
        all.push({ title, caller, role, kind: credential.kind, scope });
      };
      add({ kind: 'session', id: 'ses_1' }, person);
      add({ kind: 'api_key', id: 'key_1', name: 'key' }, person && keyRole(person));
      if (operator) continue;
      for (const scope of SCOPES) {
        add({ kind: 'oauth_client', id: 'g', name: 'c', scope }, person && grantRole(person, scope), scope);
      }
    }
  }
  return all;
}

/** Who is let in, written out once more and in other words than the code that decides it. */
function expected(rule: Rule, effect: 'read' | 'write', who: Someone): 'allowed' | 'unauthorized' {
  const no = 'unauthorized';
  if (rule.who === 'public') return 'allowed';
  if (who.kind === 'none') return no;
  if (rule.session && who.kind !== 'session') return no;
  if (who.kind === 'local') return 'allowed';
  if (who.kind === 'oauth_client') {
    if (rule.client === false) return no;
    const enough = { read: ['read', 'write', 'admin'], write: ['write', 'admin'], admin: ['admin'] };
    if (!enough[rule.scope ?? effect].includes(who.scope as Scope)) return no;
  }
  const { operator } = who.caller;
  const roles: Record<Exclude<Rule['who'], 'public' | 'account' | 'operator'>, readonly (Role | null)[]> = {
    viewer: ['viewer', 'member', 'admin', 'owner'],
    member: ['member', 'admin', 'owner'],
    admin: ['admin', 'owner'],
    owner: ['owner'],
  };
  if (rule.who === 'account') return 'allowed';
  if (rule.who === 'operator') return operator ? 'allowed' : no;
  return roles[rule.who].includes(who.role) ? 'allowed' : no;
}

class Reached extends Error {}

/** Whether invoke() lets the call in: it is stopped at whatever the operation touches first, before it does anything. */
async function attempt(op: AnyOp, input: object, caller: Caller): Promise<string> {
  const stop = (): never => {
    throw new Reached();
  };
  const untouched = new Proxy({}, { get: stop });
  const services = new Proxy(
    {
      metrics: { called: () => undefined },
      log: { info: () => undefined, warn: () => undefined },
      billing: new Proxy({}, { get: stop }),
      config: { CHECK_OUTPUT: false, MAX_RESPONSE_BYTES: 1 },
    },
    { get: (target, name) => (name in target ? target[name as keyof typeof target] : untouched) },
  );
  try {
    await invoke(op, input, {
      caller,
      requestId: 'req',
      address: null,
      signal: new AbortController().signal,
      deadline: Date.now() + 10_000,
      transport: 'rpc',
      services: services as unknown as Services,
      baseUrl: 'https://maps.example',
      headers: {},
    });
    return 'allowed';
  } catch (error) {
    const known = asProblem(error);
    // Whatever else the operation says, it was let in to say it.
    return known?.code === 'unauthorized' && !MEMBERLESS.test(known.message) ? 'unauthorized' : 'allowed';
  }
}
/** The operation itself says that it needs an account or an organization: to the person at the machine, who has none. */
const MEMBERLESS = /This call has no account|Units belong to an organization|costs units and needs/;

describe('the table of rules', () => {
  test('every operation has a row, every row an operation', () => {
    expect(faults(ops, rows)).toEqual([]);
  });

  test('the check notices what it is for', () => {
    const [found, ...others] = ops;
    const first = defined(found);
    expect(faults([...ops, { ...first, name: 'new_op' }], rows).join()).toMatch(/new_op has no row/);
    expect(faults(others, rows)).toEqual([`the row ${first.name} is used by no operation`]);
    const stray = ops.map((op) => (op === first ? { ...op, access: { ...RULES.search_boundaries } } : op));
    expect(faults(stray, rows).join()).toMatch(/uses another row/);
  });

  test('every operation lets in exactly whom its row names, by every credential', async () => {
    let calls = 0;
    for (const op of ops) {
      for (const { input, rule } of rulesOf(op)) {
        for (const someone of everyone()) {
          calls++;
          const outcome = await attempt(op, input, someone.caller);
          expect(outcome, `${op.name} ${JSON.stringify(input)} for ${someone.title}`).toBe(
            expected(rule, op.effect, someone),
          );
        }
      }
    }
    expect(calls).toBeGreaterThan(ops.length * 30);
  });

  test('no rule lets a stronger caller do less', () => {
    const may = (rule: Rule, effect: 'read' | 'write', caller: Caller): boolean => {
      try {
        authorize(rule, effect, caller);
        return true;
      } catch {
        return false;
      }
    };
    for (const op of ops) {
      for (const { rule } of rulesOf(op)) {
        for (const kind of ['session', 'api_key'] as const) {
          const credential: Credential = kind === 'session' ? { kind, id: 's' } : { kind, id: 'k', name: 'k' };
          const allowed = ROLES.map((role) =>
            may(rule, op.effect, { account: ACCOUNT, org: ORG, role, credential, operator: false }),
          );
          // Strongest first: once refused, all weaker ones are.
          expect(allowed.join(), op.name).toBe([...allowed].sort((a, b) => Number(b) - Number(a)).join());
        }
      }
    }
  });

  test('what changes an organization needs a token with the scope admin, what only owners do no key can', () => {
    for (const op of ops) {
      const rule = rows.get(op.name) as Rule;
      // Files, sets and subscriptions are content of the organization, which members make and delete.
      if (op.audit && !rule.session && rule.client !== false && !CONTENT.includes(op.name)) {
        // Where the rule depends on the input, the one of what is logged.
        const own = [...rows].filter(([name]) => name === op.name || name.startsWith(`${op.name}_`));
        expect(
          own.map(([, { scope }]) => scope),
          op.name,
        ).toContain('admin');
      }
      // The plan is changed, and logged, when the payment provider says so.
      if (rule.scope === 'admin' && op.name !== 'change_plan') expect(op.audit, op.name).toBeDefined();
      if (rule.who === 'owner') {
        const key = everyone().find(({ caller, kind }) => kind === 'api_key' && caller.role === 'admin') as Someone;
        expect(() => authorize(rule, op.effect, key.caller)).toThrow();
      }
    }
  });
});

describe('the finer rules', () => {
  const reach: Record<Role, readonly Role[]> = {
    owner: ['owner', 'admin', 'member', 'viewer'],
    admin: ['admin', 'member', 'viewer'],
    member: [],
    viewer: [],
  };

  test('no one grants, changes or removes above themselves', () => {
    for (const acting of ROLES) {
      for (const one of ROLES) {
        expect(mayGrant(acting, one), `${acting} grants ${one}`).toBe(reach[acting].includes(one));
        if (mayGrant(acting, one)) expect(atLeast(acting, one)).toBe(true);
        expect(mayRemove(acting, one, false)).toBe(reach[acting].includes(one));
        expect(mayRemove(acting, one, true)).toBe(atLeast(acting, one));
        for (const other of ROLES) {
          expect(mayChange(acting, one, other)).toBe(reach[acting].includes(one) && reach[acting].includes(other));
        }
      }
    }
    expect(ROLES.filter(holdsAllKeys)).toEqual(['owner', 'admin']);
  });

  test('a key acts as an admin at most, a grant as its scope allows, and neither as more than the person', () => {
    expect(ROLES.map(keyRole)).toEqual(['admin', 'admin', 'member', 'viewer']);
    expect(SCOPES.map((scope) => ROLES.map((role) => grantRole(role, scope)))).toEqual([
      ['viewer', 'viewer', 'viewer', 'viewer'],
      ['member', 'member', 'member', 'viewer'],
      ['admin', 'admin', 'member', 'viewer'],
    ]);
  });
});

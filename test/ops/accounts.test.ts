import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { systemActor } from '../../src/core/access.ts';
import { newId } from '../../src/domain/new_id.ts';
import type { Accounts } from '../../src/domain/people/accounts.ts';
import { hashKey, isKey, newKey } from '../../src/domain/people/api_keys.ts';
import { createKeys, type Keys, MAX_KEYS } from '../../src/domain/people/keys.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { testPeople } from '../setup/people.ts';

let database: TestDatabase;
let accounts: Accounts;
let keys: Keys;
const actor = systemActor('test');
beforeAll(async () => {
  database = await testDatabase();
  ({ accounts, keys } = testPeople(database.db));
});
afterEach(() => void vi.useRealTimers());
afterAll(() => database.close());

describe('the form of a key', () => {
  test('any one wrong character is noticed without a database', () => {
    const { key } = newKey();
    expect(key).toMatch(/^bnd_live_[0-9A-Za-z]{36}$/);
    expect(isKey(key)).toBe(true);
    for (let i = 0; i < key.length; i++) {
      const other = key[i] === 'a' ? 'b' : 'a';
      expect(isKey(key.slice(0, i) + other + key.slice(i + 1)), `character ${i}`).toBe(false);
    }
    for (const text of ['', 'bnd_live_', key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()]) {
      expect(isKey(text)).toBe(false);
    }
  });

  test('keys differ, and only a hash and a prefix are kept', async () => {
    expect(new Set(Array.from({ length: 500 }, () => newKey().key)).size).toBe(500);
    const made = await keys.create({ email: 'kept@example.org' });
    const row = only(
      await database.db.query<{ hash: Buffer; text: string }>(
        'select hash, row_to_json(k)::text as text from api_key k where id = $1',
        [made.id],
      ),
    );
    expect(row.hash.toString('hex')).toBe(hashKey(made.key));
    expect(row.text).toContain(made.prefix);
    expect(row.text).not.toContain(made.key.slice(made.prefix.length));
  });

  test('ids sort by time of making', async () => {
    const first = newId('key');
    await new Promise((resolve) => setTimeout(resolve, 2));
    const second = newId('key');
    expect(first).toMatch(/^key_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(first < second).toBe(true);
  });
});

describe('making keys', () => {
  test('the first makes account, personal organization and membership; the next finds them', async () => {
    const first = await keys.create({ email: ' Grace.Hopper@Example.org ' });
    expect(first).toMatchObject({
      account: { email: 'grace.hopper@example.org' },
      org: { slug: 'grace-hopper', plan: 'self_hosted' },
      name: 'command line',
    });
    const second = await keys.create({ email: 'grace.hopper@example.org', plan: 'pro' });
    expect([second.account.id, second.org]).toEqual([first.account.id, { ...first.org, plan: 'pro' }]);
    expect(await keys.authenticate(second.key)).toEqual({
      account: { id: first.account.id, email: 'grace.hopper@example.org', name: null },
      org: second.org,
      credential: { kind: 'api_key', id: second.id, name: 'command line' },
      operator: false,
      role: 'admin',
    });
  });

  test('people of one name get slugs of their own', async () => {
    const slugs = await Promise.all(
      ['a.example', 'b.example', 'c.example'].map(
        async (host) => (await keys.create({ email: `sam@${host}` })).org.slug,
      ),
    );
    expect(new Set(slugs).size).toBe(3);
    for (const slug of slugs) expect(slug).toMatch(/^sam(-[a-z0-9]{6})?$/);
    expect((await keys.create({ email: '___@x.example' })).org.slug).toMatch(/^org/);
    expect((await keys.create({ email: `${'q-'.repeat(30)}@x.example` })).org.slug).toMatch(/^[a-z0-9-]{1,40}$/);
  });

  test('an organization named that is not there is made and owned; one that is there is joined', async () => {
    const owner = await keys.create({ email: 'boss@example.org', orgSlug: 'acme', plan: 'business' });
    const member = await keys.create({ email: 'worker@example.org', orgSlug: 'acme' });
    expect(member.org).toEqual(owner.org);
    const roles = await Promise.all([owner, member].map(({ account, org }) => accounts.profile(account.id, org.id)));
    expect(roles.map((profile) => profile?.org.role)).toEqual(['owner', 'member']);
    expect((await keys.authenticate(member.key)).role).toBe('member');
    expect(await accounts.profile(member.account.id, 'org_none')).toBeNull();
  });

  test('the same first key asked for many times at once makes one account', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => keys.create({ email: 'race@example.org', orgSlug: 'racers' })),
    );
    expect(new Set(made.map((key) => key.account.id)).size).toBe(1);
    expect(new Set(made.map((key) => key.org.id)).size).toBe(1);
  });

  test('what cannot be is refused as invalid_input, and leaves nothing behind', async () => {
    for (const email of ['', 'unknown', 'a b@c.de', 'a@b', '<x@y.z>', `${'x'.repeat(250)}@y.example`]) {
      await expect(keys.create({ email })).rejects.toMatchObject({ code: 'invalid_input' });
    }
    for (const orgSlug of ['-a', 'A', 'a_b', 'x'.repeat(41)]) {
      await expect(keys.create({ email: 'left@example.org', orgSlug })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    }
    for (const plan of ['gold', 'anonymous']) {
      await expect(keys.create({ email: 'left@example.org', plan })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    }
    expect(await database.db.query("select id from account where email = 'left@example.org'")).toEqual([]);
  });

  test('a person has at most so many active keys, however fast they are asked for', async () => {
    const first = await keys.create({ email: 'many@example.org' });
    const results = await Promise.allSettled(
      Array.from({ length: MAX_KEYS + 10 }, (_, i) => keys.add(first.account.id, first.org.id, `key ${i}`, actor)),
    );
    expect(results.filter((result) => result.status === 'fulfilled').length).toBe(MAX_KEYS - 1);
    await expect(keys.create({ email: 'many@example.org' })).rejects.toMatchObject({
      code: 'too_many_keys',
      status: 409,
    });
    expect(
      await keys.revoke(first.id, { account: first.account.id, org: first.org.id, role: 'member' }, actor),
    ).toEqual([first.id]);
    await keys.add(first.account.id, first.org.id, 'again', actor);
    const holder = { account: first.account.id, org: first.org.id, role: 'member' } as const;
    const page = await keys.list(holder, { revoked: false, limit: 100, offset: 0 });
    expect([page.items.length, page.total]).toEqual([MAX_KEYS, MAX_KEYS]);
  });
});

describe('using keys', () => {
  test('a revoked key, a lost membership and an unknown key are all invalid_key', async () => {
    const a = await keys.create({ email: 'left1@example.org', orgSlug: 'leavers' });
    await keys.authenticate(a.key);
    expect(await keys.revoke(a.id, { account: a.account.id, org: 'org_other', role: 'member' }, actor)).toEqual([]);
    expect(await keys.revoke(a.id, { account: a.account.id, org: a.org.id, role: 'member' }, actor)).toEqual([a.id]);
    expect(await keys.revoke(a.id, { account: a.account.id, org: a.org.id, role: 'member' }, actor)).toEqual([]);
    await expect(keys.authenticate(a.key)).rejects.toMatchObject({ code: 'invalid_key', status: 401 });
    const b = await keys.create({ email: 'left2@example.org', orgSlug: 'leavers' });
    await database.db.query('delete from membership where account = $1', [b.account.id]);
    await expect(keys.authenticate(b.key)).rejects.toMatchObject({ code: 'invalid_key' });
    await expect(keys.authenticate(newKey().key)).rejects.toMatchObject({ code: 'invalid_key' });
  });

  test('a change made by another process is noticed when it is announced', async () => {
    const here = createKeys(database.db);
    const key = await keys.create({ email: 'cached@example.org' });
    await here.authenticate(key.key);
    await keys.revoke(key.id, { account: key.account.id, org: key.org.id, role: 'member' }, actor);
    await expect(here.authenticate(key.key)).rejects.toMatchObject({ code: 'invalid_key' });
  });

  test('an unknown key is not remembered: it works as soon as it is there', async () => {
    const key = await keys.create({ email: 'soon@example.org' });
    await database.db.query('update api_key set revoked_at = now() where id = $1', [key.id]);
    await expect(keys.authenticate(key.key)).rejects.toMatchObject({ code: 'invalid_key' });
    await database.db.query('update api_key set revoked_at = null where id = $1', [key.id]);
    expect((await keys.authenticate(key.key)).credential?.id).toBe(key.id);
  });

  test('use is noted at most once a minute', async () => {
    const fresh = () => createKeys(database.db);
    const { key, id } = await keys.create({ email: 'used@example.org' });
    const lastUsed = async () =>
      only(await database.db.query<{ at: Date | null }>('select last_used_at as at from api_key where id = $1', [id]))
        .at;
    expect(await lastUsed()).toBeNull();
    await fresh().authenticate(key);
    const first = await lastUsed();
    expect(first).not.toBeNull();
    await fresh().authenticate(key);
    expect(await lastUsed()).toEqual(first);
    await database.db.query("update api_key set last_used_at = now() - interval '2 minutes' where id = $1", [id]);
    const old = await lastUsed();
    await fresh().authenticate(key);
    expect(await lastUsed()).not.toEqual(old);
  });

  test('the look-up goes by the index on the hash', async () => {
    await database.db.query(
      `insert into api_key (id, account, org, name, prefix, hash)
       select 'key_' || i, a.id, o.id, 'x', 'x', decode(md5(i::text), 'hex')
       from generate_series(1, 5000) i, (select id from account limit 1) a, (select id from org limit 1) o`,
    );
    await database.db.query('analyze api_key');
    const { loadQuery } = await import('../../src/db/query.ts');
    const plan = await database.db.query(`explain ${loadQuery('keys_by_hash')}`, [hashKey('x')]);
    expect(JSON.stringify(plan)).toContain('api_key_hash_key');
  });
});

import { deserialize, serialize } from 'node:v8';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatabaseError } from '../../src/db/connect.ts';
import { type Borrowed, borrow, type Lender, lend } from '../../src/db/lent.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';

let owner: TestDatabase;
let lender: Lender;
let borrowed: Borrowed;

/** Copies a message as the channel between two processes does. */
const copy = <T>(message: T): T => deserialize(serialize(message)) as T;

function begin(): void {
  lender = lend(owner.db, (reply) => borrowed.receive(copy(reply)));
  borrowed = borrow(owner.db.kind, (asked) => lender.receive(copy(asked)));
}

beforeAll(async () => {
  owner = await testDatabase();
  await owner.db.exec('create table lent (id integer primary key, data bytea, at timestamptz, tags jsonb)');
  begin();
}, 120_000);
afterAll(async () => {
  await lender?.close();
  await owner?.db.exec('drop table if exists lent');
  await owner?.close();
});

const count = async (): Promise<number> => (await owner.db.query('select id from lent')).length;
const put = 'insert into lent values ($1, $2, $3, $4::jsonb)';
const one = (id: number) => [id, Uint8Array.of(1, 2, 3), new Date(0), '{"a": "b"}'];

test('statements, values and rows are those of the owner', async () => {
  const { db } = borrowed;
  await db.query(put, one(1));
  const query = 'select id, data, at, tags from lent where id = any($1::integer[])';
  expect(await db.query(query, [Int32Array.of(1)])).toEqual(await owner.db.query(query, [[1]]));
  await expect(db.query(put, one(1))).rejects.toMatchObject({ code: '23505', table: 'lent', name: 'DatabaseError' });
  await expect(db.query('select 1 / 0')).rejects.toBeInstanceOf(DatabaseError);
  await expect(db.query('begin')).rejects.toMatchObject({ code: 'value' });
});

test('a transaction commits as a whole, or not at all', async () => {
  const { db } = borrowed;
  const before = await count();
  expect(await db.transaction((tx) => tx.query(put, one(2)).then(() => 'done'))).toBe('done');
  expect(await count()).toBe(before + 1);
  const failing = db.transaction(async (tx) => {
    await tx.query(put, one(3));
    throw new Error('mine');
  });
  await expect(failing).rejects.toThrow('mine');
  const swallowed = db.transaction(async (tx) => {
    await tx.query(put, one(4));
    await tx.query('select 1 / 0').catch(() => undefined);
  });
  await expect(swallowed).rejects.toMatchObject({ code: 'transaction_doomed' });
  expect(await count()).toBe(before + 1);
});

test('announcements are heard before the commit returns', async () => {
  let heard = 0;
  const stop = borrowed.db.listen('boundary_data', () => heard++);
  await borrowed.db.query('select pg_notify($1, $2)', ['boundary_data', '']);
  stop();
  expect(heard).toBe(1);
});

test('a lock excludes others while it is held', async () => {
  const order: string[] = [];
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const first = borrowed.db.withLock('lent', async () => {
    order.push('borrower');
    await held;
    await borrowed.db.query('select 1');
    order.push('borrower ends');
  });
  await expect.poll(() => order.length).toBe(1);
  const second = owner.db.withLock('lent', async () => void order.push('owner'));
  letGo();
  await Promise.all([first, second]);
  expect(order).toEqual(['borrower', 'borrower ends', 'owner']);
});

test('the death of a borrower rolls back what it began and gives back its lock', async () => {
  const before = await count();
  await new Promise<void>((written) => {
    void borrowed.db.withLock('lent', () =>
      borrowed.db.transaction(async (tx) => {
        await tx.query(put, one(9));
        written();
        await new Promise(() => undefined);
      }),
    );
  });
  await lender.close();
  expect(await count()).toBe(before);
  expect(await owner.db.withLock('lent', async () => 'free')).toBe('free');
  begin();
  expect(await borrowed.db.query('select 1 as one')).toEqual([{ one: 1 }]);
});

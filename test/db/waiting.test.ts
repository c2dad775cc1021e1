import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countIn, readiness } from '../../src/app/readiness.ts';
import { isComputing } from '../../src/common/computing.ts';
import { only } from '../../src/common/elements.ts';
import { asProblem } from '../../src/core/errors.ts';
import type { Database } from '../../src/db/connect.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';

let test: TestDatabase;
let db: Database;
const SESSIONS = isNative ? 3 : 1;

beforeAll(async () => {
  test = await testDatabase({ poolSize: SESSIONS });
  db = test.db;
  await db.exec('create table item (id bigint primary key)');
});
beforeEach(() => db.query('delete from item').then(() => undefined));
afterAll(() => test?.close());

let release = (): void => undefined;
let held: Promise<unknown> = Promise.resolve();
afterEach(async () => {
  release();
  await held;
});

/** Takes every session there is until release(). */
async function holdAll(sessions = SESSIONS): Promise<void> {
  const free = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = 0;
  await new Promise<void>((all) => {
    const one = () =>
      db.transaction(async (tx) => {
        await tx.query('select 1');
        if (++begun === sessions) all();
        await free;
      });
    held = Promise.all(Array.from({ length: sessions }, one));
  });
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error: unknown) => error,
  );
const put = 'insert into item (id) values ($1)';
const stored = async () => (await db.query<{ id: number }>('select id from item order by id')).map(({ id }) => id);

describe('no session is free', () => {
  it('a call whose time passes leaves the queue, and nothing of it is sent', async () => {
    await holdAll();
    const late = await failure(db.query(put, [1], { timeoutMs: 200 }));
    expect(late).toMatchObject({ code: 'waited' });
    expect(asProblem(late)).toMatchObject({ code: 'rate_limited', status: 429, extra: { retry_after: 1 } });
    const after = db.query(put, [2]);
    release();
    await after;
    expect(await stored()).toEqual([2]);
  });

  it('whoever gives up leaves at once, alone and in a transaction, and says why', async () => {
    await holdAll();
    const [one, two] = [new AbortController(), new AbortController()];
    const waiting = [
      failure(db.query(put, [1], { signal: one.signal })),
      failure(db.transaction((tx) => tx.query(put, [2]), { signal: two.signal })),
    ];
    const behind = db.query(put, [3]);
    expect([one, two].map(({ signal }) => isComputing(signal))).toEqual([false, false]);
    const [gone, closed] = [new Error('gone'), new Error('closed')];
    one.abort(gone);
    two.abort(closed);
    expect(await Promise.all(waiting)).toEqual([gone, closed]);
    release();
    await behind;
    expect(await stored()).toEqual([3]);
    expect(await failure(db.query(put, [4], { signal: one.signal }))).toBe(gone);
  });

  it('whoever holds a lock waits as long as it takes', async () => {
    await holdAll();
    const order: string[] = [];
    const locked = db.withLock('import', async () => {
      await db.query(put, [1], { timeoutMs: 350 }).catch(() => order.push('refused'));
      order.push('imported');
    });
    expect(await failure(db.query(put, [2], { timeoutMs: 400 }))).toMatchObject({ code: 'waited' });
    order.push('released');
    release();
    await locked;
    expect(order).toEqual(['released', 'imported']);
  });

  it('/readyz says so within its time, and is ready again afterwards', async () => {
    const look = () => readiness((signal) => countIn(db, signal), { isFull: false });
    await holdAll();
    expect(await look()).toEqual({
      ready: false,
      checks: { database: 'The database does not answer.', pool: 'ok', data: 'unknown' },
    });
    release();
    await held;
    expect((await look()).checks).toMatchObject({ database: 'ok' });
  });

  it('/readyz is not kept by a database that never answers at all', async () => {
    const never = () => new Promise<number>(() => undefined);
    expect((await readiness(never, { isFull: true })).checks).toEqual({
      database: 'The database does not answer.',
      pool: 'The queue of the geometry workers is full.',
      data: 'unknown',
    });
  });
});

describe.skipIf(!isNative)('a statement that runs, given up (an embedded database cannot end one)', () => {
  const running = async (like: string): Promise<number> => {
    const { n } = only(
      await db.query<{ n: number }>(
        `select count(*)::integer as n from pg_stat_activity
       where datname = current_database() and state = 'active' and query like $1 and pid <> pg_backend_pid()`,
        [like],
      ),
    );
    return n;
  };

  it('is ended on the server, and ten of them do not exhaust the sessions', async () => {
    for (let round = 0; round < 5; round++) {
      const controllers = Array.from({ length: 2 }, () => new AbortController());
      const sleeping = controllers.map(({ signal }) => failure(db.query('select pg_sleep(25)', [], { signal })));
      await expect.poll(() => running('select pg_sleep%'), { timeout: 10_000 }).toBe(2);
      expect(controllers.map(({ signal }) => isComputing(signal))).toEqual([true, true]);
      const gone = new Error('gone');
      for (const controller of controllers) controller.abort(gone);
      expect(await Promise.all(sleeping)).toEqual([gone, gone]);
      expect(controllers.map(({ signal }) => isComputing(signal))).toEqual([false, false]);
      // The server may list a statement for a moment after its error was sent.
      await expect.poll(() => running('select pg_sleep%'), { timeout: 10_000 }).toBe(0);
    }
    await holdAll();
  });

  it('rolls its transaction back', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const inside = failure(
      db.transaction(async (tx) => {
        await tx.query(put, [1]);
        await tx.query('select pg_sleep(25)', [], { signal });
      }),
    );
    await expect.poll(() => running('select pg_sleep%'), { timeout: 10_000 }).toBe(1);
    controller.abort(new Error('gone'));
    expect(await inside).toMatchObject({ message: 'gone' });
    expect(await stored()).toEqual([]);
  });
});

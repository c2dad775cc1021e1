import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import type { Database, Queryable } from '../../src/db/connect.ts';
import { loadQuery } from '../../src/db/query.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';

let test: TestDatabase;
let db: Database;

beforeAll(async () => {
  test = await testDatabase();
  db = test.db;
  await db.exec('create table item (id bigint primary key, data bytea, note text)');
});
beforeEach(() => db.query('delete from item').then(() => undefined));
afterAll(() => test?.close());

async function ids(from: Queryable = db): Promise<number[]> {
  const rows = await from.query<{ id: number }>('select id from item order by id');
  return rows.map((row) => row.id);
}

/** What comes back for a value sent as `type`. */
async function roundTrip(type: string, value: unknown): Promise<unknown> {
  const rows = await db.query<{ v: unknown }>(`select $1::${type} as v`, [value]);
  return defined(rows[0]).v;
}

async function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: { code?: string }) => error.code ?? String(error),
  );
}

describe('values', () => {
  const when = new Date('2026-11-21T03:04:05.678Z');
  it.each([
    ['text', 'quote \' " \\ ünïcødé 𝄞 \n {a,b} NULL', undefined],
    ['text', '', undefined],
    ['integer', -2147483648, undefined],
    ['bigint', Number.MAX_SAFE_INTEGER, undefined],
    ['bigint', Number.MIN_SAFE_INTEGER, undefined],
    ['bigint', 12n, 12],
    ['float8', 0.1 + 0.2, undefined],
    ['float8', 5e-324, undefined],
    ['float8', -1.7976931348623157e308, undefined],
    ['boolean', true, undefined],
    ['boolean', false, undefined],
    ['text', null, undefined],
    ['bytea', null, undefined],
    ['text', undefined, null],
    ['timestamptz', when, undefined],
    ['numeric', '12345678901234567890.123', undefined],
    ['date', '2026-02-28', undefined],
    ['jsonb', '{"a":[1,null,"x"]}', { a: [1, null, 'x'] }],
    ['text[]', ['a,b', 'c"d', 'e\\f', '{}', '', 'NULL', null, ' x '], undefined],
    ['text[]', [], undefined],
    ['bigint[]', [1, -2, Number.MAX_SAFE_INTEGER, null], undefined],
    ['bigint[]', [], undefined],
    ['int[]', new Int32Array([1, -2, 3]), [1, -2, 3]],
    ['bigint[]', new BigInt64Array([1n, -2n]), [1, -2]],
    ['float8[]', [0.1, 1e300, -0.5, null], undefined],
    ['boolean[]', [true, false, null], undefined],
    ['timestamptz[]', [when, null], undefined],
  ])('%s %s', async (type, value, back) => {
    expect(await roundTrip(type, value)).toEqual(back === undefined ? value : back);
  });

  it('bytes', async () => {
    const all = Uint8Array.from({ length: 256 }, (_, i) => i);
    const view = new Uint8Array(all.buffer, 3, 7);
    for (const value of [all, view, new Uint8Array(0), Buffer.from([0, 255])]) {
      const back = await roundTrip('bytea', value);
      expect(back).toBeInstanceOf(Uint8Array);
      expect(Array.from(back as Uint8Array)).toEqual(Array.from(value));
    }
    const list = [all, null, new Uint8Array(0), view];
    const back = (await roundTrip('bytea[]', list)) as (Uint8Array | null)[];
    expect(back.map((item) => item && Array.from(item))).toEqual(list.map((item) => item && Array.from(item)));
    expect(await roundTrip('bytea[]', [])).toEqual([]);
    expect(await roundTrip('bytea[]', [null])).toEqual([null]);
  });

  it('what cannot be represented is refused', async () => {
    expect(await failure(db.query('select 9007199254740993::bigint'))).toBe('value');
    expect(await failure(db.query('select array[9007199254740993::bigint]'))).toBe('value');
    for (const value of [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      new Date(Number.NaN),
      {},
      [{}],
      [1, [new Uint8Array(1)]],
    ]) {
      expect(await failure(db.query('select $1::text', [value])), String(value)).toBe('value');
    }
    expect(await failure(db.query('select $1::text', ['a\0b']))).toBe('22021');
    // The session is still good.
    expect(await roundTrip('int', 7)).toBe(7);
  });

  it('100,000 rows go in by unnest and come back', async () => {
    const n = 100_000;
    const numbers = Float64Array.from({ length: n }, (_, i) => i);
    const data = Array.from({ length: n }, (_, i) => Buffer.alloc(i % 200, i & 255));
    await db.query('insert into item select * from unnest($1::bigint[], $2::bytea[])', [numbers, data]);
    const rows = await db.query<{ id: number; data: Buffer }>('select id, data from item order by id');
    expect(rows.length).toBe(n);
    expect(rows.every((row, i) => row.id === i && row.data.equals(defined(data[i])))).toBe(true);
  });

  it('50 MB come back, in one value and in an array', async () => {
    const data = Buffer.alloc(50_000_000);
    for (let i = 0; i < data.length; i += 997) data[i] = i & 255;
    const { back } = only(await db.query<{ back: Buffer }>('select $1::bytea as back', [data]));
    expect(back.equals(data)).toBe(true);
    const { list } = only(
      await db.query<{ list: Buffer[] }>(
        "select array_agg(set_byte('\\x00'::bytea, 0, i % 256)) as list from generate_series(1, 200000) i",
      ),
    );
    expect(list.length).toBe(200_000);
    expect(defined(list[299])[0]).toBe(300 % 256);
  });
});

describe('statements', () => {
  it('a failure carries its SQLSTATE and hides the values from loggers', async () => {
    await db.query('insert into item (id, note) values (1, $1)', ['secret']);
    const error = await db.query('insert into item (id) values (1)').catch((e) => e);
    expect(error).toMatchObject({ name: 'DatabaseError', code: '23505', constraint: 'item_pkey', table: 'item' });
    expect(error.detail).toContain('(id)=(1)');
    expect(JSON.stringify(error)).not.toContain('(id)=(1)');
  });

  it('a statement that a session has prepared outlives a change of its tables', async () => {
    const ask = () => db.query(loadQuery('keys_by_hash'), ['00']);
    const names = () => db.query<{ name: string }>('select name from pg_prepared_statements');
    expect(await ask()).toEqual([]);
    expect(await names()).toContainEqual({ name: 'keys_by_hash' });
    await db.exec('alter table api_key alter column name type varchar(500)');
    try {
      expect(await ask()).toEqual([]);
      await db.transaction(async (tx) => void (await tx.query(loadQuery('keys_by_hash'), ['00'])));
    } finally {
      await db.exec('alter table api_key alter column name type text');
    }
    expect(await ask()).toEqual([]);
  });

  it('one statement a query, several an exec', async () => {
    expect(await failure(db.query('select 1; select 2'))).toBe('42601');
    await db.exec("insert into item (id) values (1);\ninsert into item (id, note) values (2, ';') -- the last\n");
    expect(await ids()).toEqual([1, 2]);
    expect(await failure(db.exec('insert into item (id) values (3); insert into item (id) values (1)'))).toBe('23505');
    expect(await ids()).toEqual([1, 2]);
    expect(await failure(db.query(''))).toBe('no_command_complete');
  });

  it('transactions are not begun by statements', async () => {
    for (const sql of ['begin', ' COMMIT', '-- a comment\nrollback', 'savepoint a']) {
      expect(await failure(db.query(sql)), sql).toBe('value');
    }
  });

  it('a deadline ends a statement, and the next one works', async () => {
    const endless = 'select count(*) from generate_series(1, 10000000000)';
    expect(await failure(db.query(endless, [], { timeoutMs: 300 }))).toBe('deadline');
    expect(await roundTrip('int', 1)).toBe(1);
    const inside = db.transaction(async (tx) => {
      await tx.query('insert into item (id) values (9)');
      await tx.query(endless, [], { timeoutMs: 300 });
    });
    expect(await failure(inside)).toBe('deadline');
    expect(await ids()).toEqual([]);
  });

  it('many at once all get their own answer', async () => {
    const answers = await Promise.all(Array.from({ length: 300 }, (_, i) => roundTrip('int', i)));
    expect(answers).toEqual(Array.from({ length: 300 }, (_, i) => i));
  });
});

describe('transactions', () => {
  it('commit, and give the result', async () => {
    const result = await db.transaction(async (tx) => {
      await tx.query('insert into item (id) values (1)');
      await Promise.all([2, 3, 4].map((id) => tx.query('insert into item (id) values ($1)', [id])));
      return ids(tx);
    });
    expect(result).toEqual([1, 2, 3, 4]);
    expect(await ids()).toEqual([1, 2, 3, 4]);
  });

  it('roll back when the work throws', async () => {
    const work = db.transaction(async (tx) => {
      await tx.query('insert into item (id) values (1)');
      throw new RangeError('changed my mind');
    });
    await expect(work).rejects.toThrow(RangeError);
    expect(await ids()).toEqual([]);
  });

  it('roll back when the error of a statement is swallowed', async () => {
    const work = db.transaction(async (tx) => {
      await tx.query('insert into item (id) values (3)');
      await tx.query('insert into item (id) values (3)').catch(() => undefined);
      await tx.query('insert into item (id) values (5)').catch(() => undefined);
      return 'done';
    });
    expect(await failure(work)).toBe('transaction_doomed');
    expect(await ids()).toEqual([]);
  });

  it('roll back when a value is refused before it is sent', async () => {
    const work = db.transaction(async (tx) => {
      await tx.query('insert into item (id) values (3)');
      await tx.query('insert into item (id) values ($1)', [Number.NaN]).catch(() => undefined);
    });
    expect(await failure(work)).toBe('transaction_doomed');
    expect(await ids()).toEqual([]);
  });

  it('a deferred constraint fails the commit', async () => {
    await db.exec('create table child (item bigint references item deferrable initially deferred)');
    const work = db.transaction(async (tx) => {
      await tx.query('insert into child values (77)');
    });
    expect(await failure(work)).toBe('23503');
    expect(await db.query('select * from child')).toEqual([]);
    await db.exec('drop table child');
  });

  it('the database cannot be used from inside, the transaction not from outside', async () => {
    let leaked: Queryable | undefined;
    let after: Promise<string> | undefined;
    await db.transaction(async (tx) => {
      leaked = tx;
      expect(await failure(db.query('select 1'))).toBe('in_transaction');
      expect(await failure(db.exec('select 1'))).toBe('in_transaction');
      expect(await failure(db.transaction(async () => 1))).toBe('in_transaction');
      expect(await failure(db.withLock('x', async () => 1))).toBe('in_transaction');
      // What was started here but runs when the transaction is over is free again.
      after = new Promise<void>((resolve) => setTimeout(resolve, 200)).then(() => failure(db.query('select 1')));
      await tx.query('insert into item (id) values (1)');
    });
    expect(await failure(leaked!.query('select 1'))).toBe('transaction_over');
    expect(await after).toBe('no error');
    expect(await ids()).toEqual([1]);
  });

  it('the second and those that overlap are guarded as the first', async () => {
    const inside = async () => {
      expect(await failure(db.query('select 1'))).toBe('in_transaction');
      return 'guarded';
    };
    expect(await db.transaction(inside)).toBe('guarded');
    expect(await failure(db.query('select 1'))).toBe('no error');
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const outer = db.withLock('long', async () => {
      expect(await db.transaction(inside)).toBe('guarded');
      end();
      // The lock is held while transactions of others end.
      expect(await failure(db.withLock('long', async () => 1))).toBe('in_lock');
      return db.transaction(inside);
    });
    await ended;
    expect(await Promise.all([outer, db.transaction(inside)])).toEqual(['guarded', 'guarded']);
  });

  it('statements that no one waited for count', async () => {
    let late: Promise<unknown> | undefined;
    const work = db.transaction(async (tx) => {
      await tx.query('insert into item (id) values (1)');
      late = tx.query('insert into item (id) values (1)').catch(() => undefined);
    });
    expect(await failure(work)).toBe('transaction_doomed');
    await late;
    expect(await ids()).toEqual([]);
  });

  it('concurrent ones lose no update', async () => {
    await db.query("insert into item (id, note) values (1, '0')");
    await Promise.all(
      Array.from({ length: 20 }, () =>
        db.transaction(async (tx) => {
          const { note } = only(await tx.query<{ note: string }>('select note from item where id = 1 for update'));
          await tx.query('update item set note = $1 where id = 1', [String(Number(note) + 1)]);
        }),
      ),
    );
    expect(await db.query('select note from item')).toEqual([{ note: '20' }]);
  });
});

describe('locks', () => {
  it('exclude one another by name', async () => {
    const order: string[] = [];
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));
    const hold = (name: string, mark: string): Promise<void> =>
      db.withLock(name, async () => {
        order.push(`${mark}+`);
        await db.query('select 1');
        await pause();
        order.push(`${mark}-`);
      });
    await Promise.all([hold('a', '1'), hold('a', '2'), hold('a', '3')]);
    expect(order).toEqual(['1+', '1-', '2+', '2-', '3+', '3-']);
    await db.withLock('a', () => hold('b', 'inner'));
    expect(await failure(db.withLock('a', () => hold('a', 'again')))).toBe('in_lock');
  });

  it('are let go when the work throws', async () => {
    await expect(db.withLock('a', () => Promise.reject(new RangeError('no')))).rejects.toThrow(RangeError);
    expect(await db.withLock('a', async () => 'free')).toBe('free');
  });
});

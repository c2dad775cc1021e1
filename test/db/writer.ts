/** Writes transactions into the given data directory, and prints each one when it has committed. */
import { defined, only } from '../../src/common/elements.ts';
import { openDatabase } from '../../src/db/connect.ts';

const db = await openDatabase({ dataDir: defined(process.argv[2]) });
await db.exec(`create table if not exists ledger_a (n bigint primary key, pad bytea);
  create table if not exists ledger_b (n bigint primary key)`);
const { last } = only(await db.query<{ last: number }>('select coalesce(max(n), 0) as last from ledger_a'));
for (let n = last + 1; ; n++) {
  await db.transaction(async (tx) => {
    await tx.query('insert into ledger_a values ($1, $2)', [n, Buffer.alloc(20_000, n & 255)]);
    await tx.query('insert into ledger_b values ($1)', [n]);
    if (n % 10 === 0) await tx.query('update ledger_a set pad = null where n < $1', [n - 5]);
  });
  process.stdout.write(`${n}\n`);
}

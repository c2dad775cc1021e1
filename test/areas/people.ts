import { readFile } from 'node:fs/promises';
import type { Queryable } from '../../src/db/connect.ts';

/**
 * Makes the table `area_people` of a database: the people in each stored boundary whose ISO code the committed table has.
 * Expected areas ask it (`expected.ts`).
 */
export async function putPeople(db: Queryable): Promise<void> {
  const table = JSON.parse(await readFile('data/populations.json', 'utf8')) as {
    tables: { people: Record<string, number> }[];
  };
  const people = table.tables.flatMap((one) =>
    Object.entries(one.people).map(([iso, count]) => ({ iso, people: count })),
  );
  await db.query('drop table if exists area_people');
  await db.query('create table area_people (id text, people bigint)');
  await db.query(
    `insert into area_people select b.id, t.people from jsonb_to_recordset($1::jsonb) as t (iso text, people bigint)
     join boundary b on b.iso = t.iso or b.country_code = t.iso`,
    [JSON.stringify(people)],
  );
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../src/common/elements.ts';
import type { Queryable } from '../../src/db/connect.ts';

/** A table as text, with what each row means: the id of a boundary, or null for several or none. */
export interface TableWithIds {
  readonly name: string;
  readonly csv: string;
  readonly expect: readonly (string | null)[];
}

const FOLDER = join(import.meta.dirname, 'by_hand');

/**
 * The tables of the folder by_hand. Their first column, `=`, says what a row means, and is taken away: an ISO code
 * (US-IL), a country and a code (US 17031), a name and the ISO code of what is around it (DeKalb@US-GA), or - for several
 * places or none that is stored.
 * @throws for a key that is not one stored boundary
 */
export async function tablesByHand(db: Queryable): Promise<TableWithIds[]> {
  const files = readdirSync(FOLDER).sort();
  const made: TableWithIds[] = [];
  for (const file of files) {
    const lines = readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n');
    const separator = defined(lines[0]?.[1]);
    const split = lines.map((line) => {
      const at = line.indexOf(separator);
      return { key: line.slice(0, at), row: line.slice(at + 1) };
    });
    const expect: (string | null)[] = [];
    for (const { key } of split.slice(1)) expect.push(key === '-' ? null : await idOf(db, key, file));
    made.push({ name: file.replace('.csv', ''), csv: `${split.map(({ row }) => row).join('\n')}\n`, expect });
  }
  return made;
}

async function idOf(db: Queryable, key: string, file: string): Promise<string> {
  const [name, around] = key.split('@');
  const [country, code] = key.split(' ');
  const rows = around
    ? await db.query<{ id: string }>(
        `select b.id from boundary b where b.name = $1 and exists (
           select from boundary_parent p join boundary q on q.id = p.parent where p.child = b.id and q.iso = $2)`,
        [name, around],
      )
    : code
      ? await db.query<{ id: string }>('select id from boundary where country = $1 and $2 = any (codes)', [
          country,
          code,
        ])
      : await db.query<{ id: string }>('select id from boundary where iso = $1', [key]);
  if (rows.length !== 1) throw new Error(`${file}: ${key} is ${rows.length} boundaries`);
  return defined(rows[0]).id;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Statement } from './queryable.ts';
import { packageRoot } from './root.ts';
import type { Statements } from './statements.ts';

/** A file in sql/queries without its ending. */
export type StatementName = keyof Statements;

const NAME = /^(?:native\/)?[a-z][a-z0-9_]*$/;
const loaded = new Map<string, string>();

/**
 * The statement in sql/queries/<name>.sql, read once. Names are `boundary_get` or, for what runs GEOS and therefore only
 * on a native database, `native/boundary_union`. Throws Error when there is no such file.
 */
export function loadQuery<N extends StatementName>(name: N): Statement<Statements[N]['row'], Statements[N]['values']> {
  type Loaded = Statement<Statements[N]['row'], Statements[N]['values']>;
  const known = loaded.get(name);
  if (known !== undefined) return known as Loaded;
  if (!NAME.test(name)) throw new Error(`${name} is not a name of a query.`);
  const sql = readFileSync(join(packageRoot(), 'sql', 'queries', `${name}.sql`), 'utf8');
  loaded.set(name, sql);
  return sql as Loaded;
}

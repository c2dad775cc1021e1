import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../common/package_root.ts';
import type { Statements } from './generated/statements.ts';
import type { Statement } from './queryable.ts';

/** The name of a statement in sql/queries. */
export type StatementName = keyof Statements;

/** A statement as its file has it. */
export interface ParsedStatement {
  readonly name: string;
  /** Its header: parameters and columns, in words. */
  readonly header: string;
  readonly sql: string;
  /** Whether a session prepares it once and keeps the plan. */
  readonly prepared: boolean;
}

const NAME = /^(?:native\/)?[a-z][a-z0-9_]*$/;
const loaded = new Map<string, string>();
/** Names of the prepared statements by their text. */
const prepared = new Map<string, string>();
const names = new Map<string, string>();

/**
 * The statement of this name, read once. It is in the file of its module, sql/queries/<first word>.sql, under the line
 * `-- name: …`: `boundary_names` is in boundary.sql. Statements that need a native database are in native.sql, such as
 * `native/migrate_apart`.
 * @throws Error when there is no such statement
 */
export function loadQuery<N extends StatementName>(name: N): Statement<Statements[N]['row'], Statements[N]['values']> {
  type Loaded = Statement<Statements[N]['row'], Statements[N]['values']>;
  const known = loaded.get(name);
  if (known !== undefined) return known as Loaded;
  if (!NAME.test(name)) throw new Error(`${name} is not a name of a query.`);
  const [module] = name.split(/[/_]/, 1);
  const text = readFileSync(join(packageRoot(), 'sql', 'queries', `${module}.sql`), 'utf8');
  for (const one of parseStatements(text)) {
    loaded.set(one.name, one.sql);
    names.set(one.sql, one.name);
    if (one.prepared) prepared.set(one.sql, one.name);
  }
  const sql = loaded.get(name);
  if (sql === undefined) throw new Error(`There is no statement ${name} in ${module}.sql.`);
  return sql as Loaded;
}

/** The statements of a file in sql/queries, in order. */
export function parseStatements(text: string): ParsedStatement[] {
  return text
    .split(/^-- name: /m)
    .slice(1)
    .map((part) => {
      const [name = ''] = part.split('\n', 1);
      const rest = part.slice(name.length + 1);
      const [header] = /^(?:--.*\n)*/.exec(rest) ?? [''];
      return { name, header, sql: rest.slice(header.length).trim(), prepared: /^-- prepared: /m.test(header) };
    });
}

/**
 * The name under which a session prepares a statement from loadQuery(): one whose header has `-- prepared:`, because
 * planning it takes longer than running it. Undefined for any other text.
 */
export function preparedName(sql: string): string | undefined {
  return prepared.get(sql);
}

/** The name of a statement from loadQuery(); undefined for any other text. */
export function statementName(sql: string): string | undefined {
  return names.get(sql);
}

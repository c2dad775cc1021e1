import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { packageRoot } from '../../src/common/package_root.ts';
import { type ParsedStatement, parseStatements } from '../../src/db/query.ts';
import { databaseUrlOf, dropLeftovers, ensureTemplate, newRunName } from './native.ts';

/** The committed file with the types of the statements. */
export const statementsFile = join(packageRoot(), 'src', 'db', 'generated', 'statements.ts');

const folder = join(packageRoot(), 'sql', 'queries');

/** Types of columns and parameters by type oid (pg_type.dat), as src/db/values.ts reads and writes them. */
const TYPES: ReadonlyMap<number, readonly [gives: string, takes: string]> = new Map<number, readonly [string, string]>([
  [16, ['boolean', 'Flag']],
  [17, ['Buffer', 'Bytes']],
  // int8, int2, int4, oid, float4, float8
  ...[20, 21, 23, 26, 700, 701].map((oid) => [oid, ['number', 'Numeric']] as const),
  // json, jsonb: parsed, and written by JSON.stringify
  ...[114, 3802].map((oid) => [oid, ['any', 'Text']] as const),
  [1184, ['Date', 'Moment']],
  [1000, ['readonly boolean[]', 'Flags']],
  [1001, ['readonly Buffer[]', 'Blobs']],
  // int2[], int4[], int8[], float4[], float8[]
  ...[1005, 1007, 1016, 1021, 1022].map((oid) => [oid, ['readonly number[]', 'Numbers']] as const),
  [1185, ['readonly Date[]', 'Moments']],
  [3807, ['readonly any[]', 'Texts']],
  // name[], text[], bpchar[], varchar[], uuid[]
  ...[1003, 1009, 1014, 1015, 2951].map((oid) => [oid, ['readonly string[]', 'Texts']] as const),
  // numeric
  [1700, ['string', 'Numeric | Text']],
]);

interface Field {
  readonly name: string;
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
}

interface Described {
  readonly parameters: readonly number[];
  readonly fields: readonly Field[];
}

/** The types of a statement's parameters and columns, which the server reports without running it. @throws its error */
function describeStatement(client: pg.Client, text: string): Promise<Described> {
  // biome-ignore lint/suspicious/noExplicitAny: pg has no types for what it sends.
  const connection = (client as any).connection;
  return new Promise((resolve, reject) => {
    let parameters: readonly number[] = [];
    let fields: readonly Field[] = [];
    let failure: Error | null = null;
    const onParameters = (message: { dataTypeIDs: readonly number[] }) => {
      parameters = message.dataTypeIDs;
    };
    connection.once('parameterDescription', onParameters);
    client.query({
      submit() {
        connection.parse({ text, name: '', types: [] });
        connection.describe({ type: 'S', name: '' });
        connection.sync();
      },
      handleRowDescription(message: { fields: readonly Field[] }) {
        fields = message.fields;
      },
      handleError(error: Error) {
        failure = error;
        connection.off('parameterDescription', onParameters);
        connection.sync();
        reject(failure);
      },
      handleReadyForQuery() {
        if (failure === null) resolve({ parameters, fields });
      },
    } as unknown as pg.Submittable);
  });
}

/** All statements of sql/queries, by name. */
export function writtenStatements(): ParsedStatement[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  const all = files.flatMap((file) => parseStatements(readFileSync(join(folder, file), 'utf8')));
  return all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Not-null table columns, as `oid.number`. */
async function notNullOf(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query('select attrelid, attnum from pg_attribute where attnotnull and attnum > 0');
  return new Set(rows.map(({ attrelid, attnum }) => `${attrelid}.${attnum}`));
}

/** Columns that hold certain texts: those that their CHECK lists, or names of formats. Their types, by `oid.number`. */
async function unionsOf(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query(
    "select conrelid, conkey[1] as attnum, pg_get_constraintdef(oid) as text from pg_constraint where contype = 'c' and cardinality(conkey) = 1",
  );
  const unions = new Map<string, string>();
  for (const { conrelid, attnum, text } of rows) {
    const [, list] = /^CHECK \(\(\w+ = ANY \(ARRAY\[((?:'[\w-]+'::text(?:, )?)+)\]\)\)\)$/.exec(text) ?? [];
    if (list !== undefined) unions.set(`${conrelid}.${attnum}`, list.replaceAll('::text', '').replaceAll(', ', ' | '));
  }
  const formats = await client.query(
    "select conrelid, conkey[1] as attnum from pg_constraint where contype = 'f' and confrelid = 'file_format'::regclass",
  );
  for (const { conrelid, attnum } of formats.rows) unions.set(`${conrelid}.${attnum}`, 'FileFormat');
  return unions;
}

/** What the header of a statement says of its columns: `-- not null: …` and `-- types: column Type; …`. */
function saidOf(header: string): {
  readonly notNull: ReadonlySet<string>;
  readonly types: ReadonlyMap<string, string>;
} {
  const said = (key: string): string =>
    (new RegExp(`^-- ${key}: (.+\\n(?:-- {3}.+\\n)*)`, 'm').exec(header)?.[1] ?? '')
      .replace(/\s*\n(?:-- {3})?/g, ' ')
      .trim();
  const types = said('types')
    .split('; ')
    .filter(Boolean)
    .map((one): [string, string] => {
      const [column = ''] = one.split(' ', 1);
      return [column, one.slice(column.length + 1)];
    });
  return { notNull: new Set(said('not null').split(', ').filter(Boolean)), types: new Map(types) };
}

/** The text of src/db/generated/statements.ts for the migrated database at `url`. */
export async function describeStatements(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const notNull = await notNullOf(client);
    const unions = await unionsOf(client);
    const members: string[] = [];
    for (const { name, header, sql: text } of writtenStatements()) {
      const { parameters, fields } = await describeStatement(client, text).catch((error: Error) => {
        throw new Error(`${name}: ${error.message}`);
      });
      const outer = /\b(left|right|full)\s+(outer\s+)?join\b/i.test(text);
      const said = saidOf(header);
      const other = [...said.notNull, ...said.types.keys()].find((one) => !fields.some((field) => field.name === one));
      if (other !== undefined)
        throw new Error(`${name}: its header describes a column ${other} that it does not return.`);
      const row = fields.map((field) => {
        const source = `${field.tableID}.${field.columnID}`;
        const type = TYPES.get(field.dataTypeID)?.[0] ?? 'string';
        const gives = said.types.get(field.name) ?? unions.get(source) ?? type;
        // The types of jsonb say themselves whether they may be null.
        const sure = type === 'any' || said.notNull.has(field.name) || (!outer && notNull.has(source));
        return `${field.name}: ${sure ? gives : `${gives} | null`}`;
      });
      const values = parameters.map((oid) => TYPES.get(oid)?.[1] ?? 'Text');
      const quoted = /^\w+$/.test(name) ? name : `'${name}'`;
      members.push(
        `  ${quoted}: {\n    row: {${row.map((one) => `\n      ${one};`).join('')}\n    };\n    values: readonly [${values.join(', ')}];\n  };`,
      );
    }
    return `// The rows and parameters of sql/queries, by test/setup/describe_statements.ts; not to be edited.
// biome-ignore-all lint/suspicious/noExplicitAny: a jsonb column holds whatever was written.

import type { FileFormat } from '../../../workers/formats/registry.ts';

type None = null | undefined;
type Text = string | None;
type Texts = readonly (string | null)[] | None;
type Flag = boolean | None;
type Flags = readonly boolean[] | None;
type Numeric = number | bigint | None;
type Numbers = readonly (number | bigint | null)[] | Exclude<NodeJS.TypedArray, Uint8Array> | None;
type Bytes = Uint8Array | None;
type Blobs = readonly (Uint8Array | null)[] | None;
type Moment = Date | string | None;
type Moments = readonly (Date | string)[] | None;

/** What each statement gives and takes. A column is null unless its table or the statement's header says that it cannot be. */
export interface Statements {
${members.join('\n')}
}
`;
  } finally {
    await client.end();
  }
}

/** Writes src/db/generated/statements.ts, using a fresh database on the server of TEST_DATABASE_URL. */
async function main(): Promise<void> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('Set TEST_DATABASE_URL to a native PostgreSQL whose user may create databases.');
  const name = newRunName();
  try {
    const template = await ensureTemplate(server, name);
    await writeFile(statementsFile, await describeStatements(databaseUrlOf(server, template)));
  } finally {
    await dropLeftovers(server, name);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();

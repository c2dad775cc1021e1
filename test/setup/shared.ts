import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '../../src/db/database.ts';
import { openEmbedded } from '../../src/db/embedded.ts';
import type { Database } from '../../src/db/queryable.ts';
import { keepCompiled } from './compiled.ts';
import { copyTemplate } from './embedded.ts';

/** An embedded database shared by test files in turn, because opening one takes three seconds of processor time. */
interface Shared {
  readonly folder: string;
  readonly backend: Awaited<ReturnType<typeof openEmbedded>>;
  /** The state to restore before each file. */
  readonly clean: Clean;
  lent: number;
}

interface Clean {
  /** A digest of its schema and roles. */
  readonly schema: string;
  /** The tables that have rows, with their writable columns. */
  readonly filled: readonly { readonly name: string; readonly columns: string }[];
  /** Statements that reset the sequences. */
  readonly sequences: readonly string[];
}

const DEADLINE_MS = 30_000;
/** The database is reopened after this many files, because an instance never frees memory. */
const MOST_FILES = 40;

let shared: Shared | null = null;

/** Lends this process's database, clean and migrated. The borrower closes it and then calls giveBack(). */
export async function borrow(): Promise<Database> {
  shared ??= await open();
  shared.lent++;
  return lend(shared);
}

/** Cleans the lent database. If that fails, closes it, and the next file gets a new one. */
export async function giveBack(): Promise<void> {
  if (shared === null) return;
  const isClean = shared.lent < MOST_FILES && (await clean(shared).catch(() => false));
  if (!isClean) await dropShared();
}

/** Closes this process's database, if any, because another one needs as much memory. */
export async function dropShared(): Promise<void> {
  const left = shared;
  shared = null;
  if (left === null) return;
  await left.backend.close().catch(() => undefined);
  await rm(left.folder, { recursive: true, force: true });
}

async function open(): Promise<Shared> {
  const folder = await mkdtemp(join(tmpdir(), 'boundary-shared-'));
  await copyTemplate(folder);
  const backend = await openEmbedded({ dataDir: folder, deadlineMs: DEADLINE_MS, log: () => undefined });
  await keepCompiled();
  const db = lend({ backend });
  const filled = await filledTables(db);
  await db.exec(
    [
      'create schema kept',
      ...filled.map(({ name }) => `create table kept.${name} as table public.${name}`),
      'create table kept.pg_class as select oid, relpages, reltuples from pg_class',
      ...PLANNED_BEFORE,
    ].join(';\n'),
  );
  const sequences = await db.query<{ set: string }>(SEQUENCES);
  const schema = await schemaOf(db);
  await db.close();
  return { folder, backend, clean: { schema, filled, sequences: sequences.map(({ set }) => set) }, lent: 0 };
}

/** A database handle whose close() leaves the instance open. */
function lend({ backend }: Pick<Shared, 'backend'>): Database {
  return createDatabase({ ...backend, close: async () => undefined });
}

/** Restores the clean state; returns whether that succeeded. */
async function clean({ backend, clean: { schema, filled, sequences } }: Shared): Promise<boolean> {
  const db = lend({ backend });
  try {
    const written = (await filledTables(db)).map(({ name }) => `public.${name}`);
    await db.exec(
      [
        'reset all',
        'discard temp',
        // Disables the triggers, of the audit log's guard and of notifications.
        'set session_replication_role = replica',
        ...(written.length > 0 ? [`truncate ${written.join(', ')} restart identity cascade`] : []),
        ...filled.map(({ name, columns }) => {
          return `insert into public.${name} (${columns}) overriding system value select ${columns} from kept.${name}`;
        }),
        ...sequences,
        ...PLANNED_BEFORE,
        'reset session_replication_role',
        'select pg_advisory_unlock_all()',
      ].join(';\n'),
    );
    return (await schemaOf(db)) === schema;
  } finally {
    await db.close();
  }
}

/** Our tables that have pages, if of deleted rows alone (plans depend on them), with their writable columns. */
function filledTables(db: Database): Promise<{ name: string; columns: string }[]> {
  return db.query<{ name: string; columns: string }>(TABLES);
}

async function schemaOf(db: Database): Promise<string> {
  const [row] = await db.query<{ digest: string }>(SCHEMA);
  return row?.digest ?? '';
}

const TABLES = `
  select quote_ident(c.relname) as name,
         (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_relation_size(c.oid) > 0
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by c.relname`;

/** Statements after which the planner knows what it knew when the database was opened, without statistics of columns. */
const PLANNED_BEFORE = [
  `delete from pg_statistic where starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
  `update pg_class c set relpages = k.relpages, reltuples = k.reltuples from kept.pg_class k
   where k.oid = c.oid and c.relnamespace = 'public'::regnamespace
     and (c.relpages, c.reltuples) is distinct from (k.relpages, k.reltuples)`,
];

const SEQUENCES = `
  select format('select setval(%L, %s, %L)', 'public.' || quote_ident(sequencename),
                coalesce(last_value, start_value), last_value is not null) as set
  from pg_sequences where schemaname = 'public'`;

const SCHEMA = `
  select md5(string_agg(line, E'\\n' order by line)) as digest from (
    select concat_ws(' ', 'column', c.relnamespace::regnamespace, c.relname, c.relkind, c.relacl, c.reloptions, a.attname,
                     a.atttypid, a.attnotnull, a.attacl)
    from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
    union all select concat_ws(' ', 'function', pronamespace, proname, md5(prosrc), proacl) from pg_proc
    union all select concat_ws(' ', 'trigger', tgrelid, tgname, tgenabled) from pg_trigger where not tgisinternal
    union all select concat_ws(' ', 'constraint', conrelid, conname) from pg_constraint
    union all select concat_ws(' ', 'role', rolname) from pg_roles
    union all select concat_ws(' ', 'setting', setdatabase, setrole, setconfig) from pg_db_role_setting
    union all select concat_ws(' ', 'schema', nspname, nspacl) from pg_namespace where nspname !~ '^pg_'
  ) as lines (line)`;

/**
 * A process that makes files again that follow their boundaries: `follow_child.ts <step>…` does one after the other in the
 * database of its environment. `make` stores boundaries and saves a file that follows one; `change` renames that; `renew`
 * makes files again, as a server does. With a place more (`renew:put`) it gets a SIGKILL there. After each step it prints a
 * line of JSON: what is stored.
 */
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openApp } from '../../src/app/app.ts';
import { renewFollowed } from '../../src/app/followed_files.ts';
import { only } from '../../src/common/elements.ts';
import { createLogger } from '../../src/common/log.ts';
import { loadConfig } from '../../src/config.ts';
import { invoke } from '../../src/core/invoke.ts';
import type { AnyOp } from '../../src/core/op.ts';
import type { FileBlobs } from '../../src/domain/library/blobs.ts';
import { ops } from '../../src/ops/index.ts';
import type { Services } from '../../src/services.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';

const app = await openApp(loadConfig(), createLogger('silent'));
const { services } = app;
const signal = new AbortController().signal;

const kill = (): never => {
  process.kill(process.pid, 'SIGKILL');
  // The signal is pending: nothing after this line runs.
  for (;;);
};

/** Parts of statements after which it is killed, by place; the others are calls of the store of files. */
const STATEMENTS: Readonly<Record<string, string>> = {
  claimed: 'update file_follow w',
  updated: 'update file\nset name',
  settled: 'insert into audit_log',
};

/** The services of a process that is killed at a place. */
function killedAt(place: string | undefined): Services {
  const { db, fileBlobs } = services;
  const watched = <T extends typeof db.query>(query: T): T =>
    (async (sql: string, ...more: []) => {
      const rows = await query(sql, ...more);
      if (place !== undefined && STATEMENTS[place] !== undefined && sql.includes(STATEMENTS[place])) kill();
      return rows;
    }) as unknown as T;
  const putAndKill = async <T>(put: Promise<T>): Promise<T> => {
    const done = await put;
    return place === 'put' ? kill() : done;
  };
  const blobs: FileBlobs = {
    ...fileBlobs,
    put: (blob, content) => putAndKill(fileBlobs.put(blob, content)),
    draft: async () => {
      const draft = await fileBlobs.draft();
      return { path: draft.path, drop: () => draft.drop(), put: (blob) => putAndKill(draft.put(blob)) };
    },
    release: (blob) => (place === 'committed' ? kill() : fileBlobs.release(blob)),
  };
  const transaction: typeof db.transaction = (work, options) =>
    db.transaction((tx) => work({ ...tx, query: watched(tx.query) }), options);
  return { ...services, db: { ...db, query: watched(db.query), transaction }, fileBlobs: blobs };
}

async function make(): Promise<void> {
  await storeBoundaries(services, fixtureWorld());
  const { account, org } = await services.keys.create({ email: 'follow@example.org', name: 'follow' });
  const op = ops.find(({ name }) => name === 'save_file') as AnyOp;
  await invoke(
    op,
    { boundary_id: 'r101', detail: 'low', follow: true },
    {
      caller: {
        account: { ...account, name: null },
        org,
        role: 'owner',
        credential: { kind: 'api_key', id: 'key', name: 'follow' },
        operator: false,
      },
      ...{ address: null, requestId: 'follow', signal, deadline: Date.now() + 60_000, transport: 'rpc', services },
      ...{ baseUrl: 'https://maps.example', headers: {} },
    },
  );
}

async function report(): Promise<object> {
  const file = only(
    await services.db.query<{ sha256: string; format: string; error: object | null; renewals: number; used: number }>(
      `select f.sha256, f.format, w.error,
              (select count(*)::integer from audit_log where action = 'file.renew') as renewals,
              (select coalesce(sum(used), 0)::integer from unit_month) as used
       from file f join file_follow w on w.file = f.id`,
    ),
  );
  const { sha256, format, ...rest } = file;
  const bytes = await services.fileBlobs.get({ sha256, format, bytes: 0 } as Parameters<FileBlobs['get']>[0]);
  const isWhole = createHash('sha256').update(bytes).digest('hex') === sha256;
  const text = Buffer.from(bytes).toString();
  return { ...rest, isWhole, name: /"name":"([^"]*)"/.exec(text)?.[1] ?? null };
}

for (const step of process.argv.slice(2)) {
  const [what, place] = step.split(':');
  if (what === 'make') await make();
  if (what === 'change') {
    await services.db.query("update boundary set name = $1, version = version + 1 where id = 'r101'", [place]);
  }
  if (what === 'renew') await renewFollowed(killedAt(place), signal);
  if (what === 'sweep') await services.fileBlobs.sweep(0);
  let strays = 0;
  for await (const _ of services.fileBlobs.orphans()) strays++;
  // At once, for the next step may kill it.
  writeSync(1, `${JSON.stringify({ ...(await report()), strays })}\n`);
}
await app.close();

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { defined } from '../../src/common/elements.ts';
import type { PrivatePostgis } from '../postgis.ts';
import { fillDisk } from './disk.ts';
import { startRelay } from './proxy.ts';
import { type FaultEnvironment, injectFault, type Outcome, serve } from './stage.ts';

/** A fault of a native database: applies it to a server that uses `database`, and reports the outcome. */
export type Fault = (stage: FaultEnvironment, database: PrivatePostgis) => Promise<Outcome>;

/** Applies a fault to a server started for it. */
export async function withServer(
  stage: FaultEnvironment,
  harm: () => Promise<unknown>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const server = await serve(stage, settings);
  try {
    return await injectFault(stage, server, harm);
  } finally {
    await server.stop();
  }
}

/** Runs statements as an operator. */
async function asOperator(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const one of statements) await client.query(one);
  await client.end();
}

/** Applies a fault to a server that reaches its database through a relay. */
async function relayed(
  stage: FaultEnvironment,
  harm: (relay: Awaited<ReturnType<typeof startRelay>>) => Promise<unknown>,
) {
  const url = new URL(stage.env.DATABASE_URL);
  const relay = await startRelay(Number(url.port));
  url.port = String(relay.port);
  try {
    return await withServer({ ...stage, env: { ...stage.env, DATABASE_URL: url.href } }, () => harm(relay));
  } finally {
    await relay.close();
  }
}

export const POSTGRES_FAULTS: Readonly<Record<string, Fault>> = {
  'PostgreSQL restarted': (stage, database) =>
    withServer(stage, async () => {
      database.shutdown('fast');
      await sleep(3000);
      database.start();
    }),

  'PostgreSQL crashed': (stage, database) =>
    withServer(stage, async () => {
      database.shutdown('immediate');
      database.start();
    }),

  'PostgreSQL unreachable': (stage) =>
    relayed(stage, async (relay) => {
      relay.shut();
      await sleep(5000);
      relay.open();
    }),

  'PostgreSQL slow, 300 ms a statement': (stage) =>
    relayed(stage, async (relay) => {
      relay.delay(300);
      await sleep(8000);
      relay.delay(0);
    }),

  'PostgreSQL out of connections': (stage) =>
    withServer(stage, async () => {
      const others: pg.Client[] = [];
      // The service reconnects while others connect: end its sessions until none is left.
      for (let round = 0; round < 10; round++) {
        await fillUp(stage.env.DATABASE_URL, others);
        await endOurs(defined(others[0]));
      }
      await sleep(5000);
      await Promise.all(others.map((one) => one.end()));
    }),

  'PostgreSQL disk full': (stage, database) =>
    withServer(stage, async () => {
      const free = fillDisk(database.data);
      await sleep(6000);
      free();
    }),

  'PostgreSQL read-only': (stage) =>
    withServer(stage, async () => {
      const name = new URL(stage.env.DATABASE_URL).pathname.slice(1);
      const home = new URL(stage.env.DATABASE_URL);
      home.pathname = '/postgres';
      await asOperator(home.href, `alter database ${name} set default_transaction_read_only = on`);
      await asOperator(home.href, killOf(name));
      await sleep(6000);
      await asOperator(home.href, `alter database ${name} reset default_transaction_read_only`);
      await asOperator(home.href, killOf(name));
    }),
};

/** Ends every other session of a database, so that new settings take effect. */
const killOf = (name: string): string =>
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`;

/** Opens connections until the server refuses more. */
async function fillUp(url: string, others: pg.Client[]): Promise<void> {
  for (;;) {
    const other = new pg.Client({ connectionString: url, application_name: 'others' });
    other.on('error', () => undefined);
    const isIn = await other.connect().then(
      () => true,
      () => false,
    );
    if (!isIn) return;
    others.push(other);
  }
}

/** Ends the sessions of the service. */
async function endOurs(by: pg.Client): Promise<void> {
  await by.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'boundary-lookup%'",
  );
}

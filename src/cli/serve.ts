import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type App, openApp } from '../app.ts';
import { runCommand } from '../commands/index.ts';
import type { Config } from '../config.ts';
import { createLogger } from '../log.ts';
import { ops } from '../ops/index.ts';
import type { ImportSummary } from '../sources/import.ts';
import { controlListener } from '../transports/control.ts';
import { createHttpApp } from '../transports/http.ts';
import { type Listening, listen } from '../transports/listen.ts';
import { readVersion } from '../version.ts';
import { summaryLine } from './import.ts';
import { progressLine } from './terminal.ts';

const FIRST_KEY_EMAIL = 'you@localhost.localdomain';

/** Runs the server until a signal ends it. */
export async function serve(config: Config): Promise<void> {
  const log = createLogger(config.LOG_LEVEL);
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  await mkdir(config.DATA_DIR, { recursive: true });
  if (!config.DATABASE_URL) {
    say(`Embedded database in ${resolve(config.DATA_DIR)}: it survives a crash of the process, not power loss.`);
  }
  const app = await openApp(config, log);
  const open: Listening[] = [];
  try {
    say(await listenAll(app, open, say));
  } catch (error) {
    // A port that is taken, for one: what is open already would keep the process alive.
    await Promise.all(open.map((one) => one.close(0)));
    await app.close();
    throw error;
  }

  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    Promise.all(open.map((one) => one.close(config.SHUTDOWN_MS)))
      .then(() => app.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'could not stop cleanly');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Loads what an empty database needs and listens; adds to `open` what is open, and gives the words of welcome. */
async function listenAll(app: App, open: Listening[], say: (text: string) => void): Promise<string> {
  const { services } = app;
  const { config } = services;
  if ((await app.countBoundaries()) === 0) await loadStarter(app, say);
  const main = await listen(
    createHttpApp(services, ops).callback(),
    { host: config.HOST, port: config.PORT },
    config.BASE_URL,
  );
  open.push(main);
  if (services.db.kind === 'embedded') {
    const trusted = createHttpApp(services, ops, { trusted: true }).callback();
    const run = (name: string, input: unknown, progress: (message: string) => void) =>
      runCommand(app, name, input, progress);
    const path = join(config.DATA_DIR, 'control.sock');
    open.push(await listen(controlListener(services, run, trusted), { path }, config.BASE_URL));
  }
  return welcome(config, main.address, await firstKey(app));
}

async function loadStarter(app: App, say: (text: string) => void): Promise<void> {
  say('The database is empty: loading the starter set (the world, the United States, Spain) …');
  const line = progressLine();
  const summaries = (await runCommand(app, 'starter', {}, line.show)) as ImportSummary[];
  line.end();
  for (const summary of summaries) say(summaryLine(summary));
}

/** A key to start with, made once; a terminal shows it, otherwise it is written where only the owner reads. */
async function firstKey(app: App): Promise<string | null> {
  const { keys, config } = app.services;
  if (await keys.exist()) return null;
  const { key } = await keys.create({ email: FIRST_KEY_EMAIL, name: 'first key' });
  if (process.stderr.isTTY) return key;
  const path = join(config.DATA_DIR, 'first-key');
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  return resolve(path);
}

function welcome(config: Config, address: string, key: string | null): string {
  const base = config.PORT === 0 ? address : config.BASE_URL;
  const shown = key?.startsWith('bnd_') ? key : key ? `$(cat ${key})` : '<your key>';
  const auth = `-H "Authorization: Bearer ${shown}"`;
  return [
    `Boundary Lookup ${readVersion()} at ${base}`,
    key ? `First key: ${key}` : 'More keys: boundary key create --email you@example.org',
    'Try:',
    `  curl '${base}/v1/boundaries/search?q=Luxembourg&limit=1'`,
    `  curl ${auth} -H 'Content-Type: application/json' -d '{"include":["iso:LU","iso:BE"],"detail":"low"}' ${base}/v1/boundaries/union`,
    `  curl ${auth} -o luxembourg.kml '${base}/v1/boundaries/iso:LU/export?format=kml'`,
  ].join('\n');
}

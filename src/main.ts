#!/usr/bin/env node
import { existsSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { type App, openApp } from './app.ts';
import { type CommandName, runCommand } from './commands.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { ownerOf } from './db/lock.ts';
import type { NewKey } from './domain/keys.ts';
import { PROBLEMS, ProblemError } from './errors.ts';
import { createLogger } from './log.ts';
import { ops } from './ops/index.ts';
import type { ImportSummary } from './sources/import.ts';
import { localTarget, serverTarget } from './transports/call.ts';
import { type CallTarget, opCommands } from './transports/cli.ts';
import { callControl, controlListener } from './transports/control.ts';
import { createHttpApp } from './transports/http.ts';
import { type Listening, listen } from './transports/listen.ts';
import { readVersion } from './version.ts';

const FIRST_KEY_EMAIL = 'you@localhost.localdomain';

/** Writes one line over the last on a terminal, nothing elsewhere. */
function progressLine(): { show(message: string): void; end(): void } {
  const { stderr } = process;
  if (!stderr.isTTY) return { show: () => {}, end: () => {} };
  return {
    show: (message) => void stderr.write(`\r\x1b[K${message.slice(0, (stderr.columns ?? 80) - 1)}`),
    end: () => void stderr.write('\r\x1b[K'),
  };
}

/** Work of this process alone: opens the application, runs `work`, closes it again. */
async function withApp<T>(config: Config, work: (app: App) => Promise<T>): Promise<T> {
  const app = await openApp(config, createLogger(config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL));
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** The control socket of the server that owns DATA_DIR, or null when none runs. */
async function controlSocket(config: Config): Promise<string | null> {
  if (config.DATABASE_URL) return null;
  const path = join(config.DATA_DIR, 'control.sock');
  return existsSync(path) && (await ownerOf(config.DATA_DIR)) ? path : null;
}

/** Runs a command where the database is: in the server that owns DATA_DIR, or here when none does. */
async function command(config: Config, name: CommandName, input: object): Promise<unknown> {
  const line = progressLine();
  try {
    const socket = await controlSocket(config);
    if (socket) return await callControl(socket, name, input, line.show);
    return await withApp(config, (app) => runCommand(app, name, input, line.show));
  } finally {
    line.end();
  }
}

/** Where the commands of operations go: a server by URL, the server that owns DATA_DIR, or this process. */
function operationTarget(config: Config): { target: () => Promise<CallTarget>; close: () => Promise<void> } {
  let app: App | null = null;
  return {
    async target() {
      if (config.BOUNDARY_BASE_URL) {
        return serverTarget({ baseUrl: config.BOUNDARY_BASE_URL, apiKey: config.BOUNDARY_API_KEY });
      }
      const socket = await controlSocket(config);
      if (socket) return serverTarget({ socketPath: socket });
      app = await openApp(config, createLogger('warn'));
      const { services } = app;
      const local = localTarget(services, ops, new AbortController().signal);
      return {
        call: local.call,
        async download(url) {
          const [, sha256, extension] = /\/v1\/exports\/([0-9a-f]{64})\.(\w+)$/.exec(url) ?? [];
          const body = sha256 ? await services.blobs.get(sha256, extension) : null;
          if (!body) throw new Error(`the export is not there: ${url}`);
          return { status: 200, contentType: extension, headers: {}, body };
        },
      };
    },
    close: async () => app?.close(),
  };
}

async function serve(config: Config): Promise<void> {
  const log = createLogger(config.LOG_LEVEL);
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  await mkdir(config.DATA_DIR, { recursive: true });
  if (!config.DATABASE_URL) {
    say(`Embedded database in ${resolve(config.DATA_DIR)}: it survives a crash of the process, not power loss.`);
  }
  const app = await openApp(config, log);
  const { services } = app;
  if ((await app.countBoundaries()) === 0) await loadStarter(app, say);
  const main = await listen(
    createHttpApp(services, ops).callback(),
    { host: config.HOST, port: config.PORT },
    config.BASE_URL,
  );
  const open: Listening[] = [main];
  if (services.db.kind === 'embedded') {
    const trusted = createHttpApp(services, ops, { trusted: true }).callback();
    const run = (name: string, input: unknown, progress: (message: string) => void) =>
      runCommand(app, name, input, progress);
    const path = join(config.DATA_DIR, 'control.sock');
    open.push(await listen(controlListener(services, run, trusted), { path }, config.BASE_URL));
  }
  const key = await firstKey(app);
  say(welcome(config, main.address, key));

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

function summaryLine(summary: ImportSummary): string {
  const parts = [
    `${summary.read} read`,
    `${summary.added} added`,
    `${summary.replaced} replaced`,
    `${summary.unchanged} unchanged`,
  ];
  if (summary.older > 0) parts.push(`${summary.older} older than what is stored`);
  if (summary.reassembled > 0) parts.push(`${summary.reassembled} made anew`);
  if (summary.retiered > 0) parts.push(`${summary.retiered} arcs near them simplified anew`);
  if (summary.mended > 0) parts.push(`${summary.mended} mended`);
  if (summary.aliased > 0) parts.push(`${summary.aliased} starter shapes replaced`);
  if (summary.doubles > 0) parts.push(`${summary.doubles} starter shapes beside them`);
  if (summary.skipped.length > 0) parts.push(`${summary.skipped.length} skipped`);
  if (summary.broken.length > 0) parts.push(`${summary.broken.length} without a polygon`);
  const memory = Math.round(summary.peakRss / 2 ** 20);
  return `${summary.file}: ${parts.join(', ')}; ${summary.arcs} arcs, ${summary.seconds} s, peak memory ${memory} MiB`;
}

/** What an import left out, and why: each boundary once, the place where it is to be mended. */
function troubles(summary: ImportSummary): string {
  const lines = summary.broken.map(({ id, name, reason, lat, lon }) => {
    const place = lat === null || lon === null ? '' : ` at ${lat},${lon}`;
    return `  ${id} ${name}: ${reason}${place}`;
  });
  for (const { id, reason } of summary.skipped) lines.push(`  ${id} skipped: ${reason}`);
  const most = 20;
  if (lines.length > most) lines.splice(most, lines.length, `  … and ${lines.length - most} more (--json lists all)`);
  return lines.map((line) => `${line}\n`).join('');
}

function showImport(summaries: readonly ImportSummary[], json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(summaries)}\n`);
    return;
  }
  for (const summary of summaries) {
    process.stdout.write(`${summaryLine(summary)}\n`);
    process.stderr.write(troubles(summary));
  }
}

interface KeyFlags {
  email: string;
  org?: string;
  plan?: string;
  name?: string;
  operator?: boolean;
  json?: boolean;
}

interface ImportFlags {
  source?: string;
  name?: string;
  url?: string;
  licence?: string;
  attribution?: string;
  map?: string;
  adminLevel?: string;
  country?: string;
  type?: 'administrative' | 'postal_code';
  object?: string;
  json?: boolean;
}

/** `id=code,name=nom` as an object. */
function readMap(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [key, ...rest] = part.split('=');
      return [key.trim(), rest.join('=').trim()];
    }),
  );
}

function coverageOf(flags: ImportFlags): object | null {
  const { json: _json, map, adminLevel, ...rest } = flags;
  if (!flags.source) return null;
  return {
    ...rest,
    licence: flags.licence ?? 'unknown',
    attribution: flags.attribution ?? flags.name ?? flags.source,
    ...(map === undefined ? {} : { map: readMap(map) }),
    ...(adminLevel === undefined ? {} : { adminLevel: Number(adminLevel) }),
  };
}

function program(config: Config, exit: (code: number) => void): { cli: Command; close: () => Promise<void> } {
  const cli = new Command('boundary')
    .description('Administrative boundaries: search, reverse, children, exact unions and exports.')
    .version(readVersion())
    .showHelpAfterError();
  cli
    .command('serve')
    .description('run the server')
    .action(() => serve(config));
  cli
    .command('migrate')
    .description('bring the database up to date')
    .action(() => withApp(config, async () => void process.stdout.write('The database is up to date.\n')));
  cli
    .command('import')
    .description('import boundaries: .osm.pbf, .osm, .osm.gz, Overpass JSON or XML; with --source GeoJSON or TopoJSON')
    .argument('<file...>')
    .option('--source <id>', 'the file is a coverage (GeoJSON, TopoJSON) of this source, a short name')
    .option('--name <name>', 'full name of the source')
    .option('--url <url>', 'address of the source or its licence')
    .option('--licence <licence>', 'licence of the data')
    .option('--attribution <text>', 'attribution that goes into every file')
    .option('--map <pairs>', 'which property is what: id=code,name=nom')
    .option('--admin-level <level>', 'admin_level of all features')
    .option('--country <code>', 'ISO 3166-1 alpha-2 country of all features')
    .option('--type <type>', 'administrative (default) or postal_code')
    .option('--object <name>', 'the object of a TopoJSON file')
    .option('--json', 'print the summary as JSON')
    .action(async (files: string[], flags: ImportFlags) => {
      const summaries: ImportSummary[] = [];
      for (const file of files) {
        const input = { file: resolve(file), coverage: coverageOf(flags) };
        summaries.push((await command(config, 'import', input)) as ImportSummary);
      }
      showImport(summaries, flags.json === true);
    });
  cli
    .command('starter')
    .description('load the starter set: the world, the United States, Spain')
    .option('--json', 'print the summaries as JSON')
    .action(async (flags: { json?: boolean }) => {
      showImport((await command(config, 'starter', {})) as ImportSummary[], flags.json === true);
    });
  const key = cli.command('key').description('API keys');
  key
    .command('create')
    .description('make an account, its organization and a key; prints the key')
    .requiredOption('--email <email>')
    .option('--org <slug>')
    .option('--plan <plan>')
    .option('--name <name>')
    .option('--operator', 'a key that may run the service; makes the person an operator')
    .option('--json', 'print everything as JSON')
    .action(async (flags: KeyFlags) => {
      const { org, json, ...rest } = flags;
      const made = (await command(config, 'key_create', { ...rest, orgSlug: org })) as NewKey;
      process.stdout.write(json ? `${JSON.stringify(made)}\n` : `${made.key}\n`);
    });
  const admin = cli.command('admin').description('for those who run the service');
  admin
    .command('set-plan')
    .description('put an organization on a plan')
    .argument('<org>', 'its id or slug')
    .argument('<plan>')
    .option('--json', 'print the organization as JSON')
    .action(async (org: string, plan: string, flags: { json?: boolean }) => {
      const changed = (await command(config, 'admin_set_plan', { org, plan })) as { slug: string; plan: string };
      process.stdout.write(flags.json ? `${JSON.stringify(changed)}\n` : `${changed.slug} is on ${changed.plan}.\n`);
    });
  admin
    .command('set-price')
    .description('say what a plan is called by the payment provider; without a price it is not sold')
    .argument('<plan>')
    .argument('[price]', "the provider's id of the price")
    .option('--json', 'print the plan as JSON')
    .action(async (plan: string, price: string | undefined, flags: { json?: boolean }) => {
      const changed = await command(config, 'admin_set_price', { plan, price: price ?? null });
      const text = price ? `${plan} is sold as ${price}.` : `${plan} is not sold.`;
      process.stdout.write(`${flags.json ? JSON.stringify(changed) : text}\n`);
    });
  const operator = admin.command('operator');
  operator.description('the accounts that may run the service, signed in or with a key made with --operator');
  for (const [name, is, outcome] of [
    ['add', true, 'is an operator'],
    ['remove', false, 'is an operator no more'],
  ] as const) {
    operator
      .command(name)
      .description(`${name} an operator`)
      .argument('<email>')
      .option('--json', 'print the account as JSON')
      .action(async (email: string, flags: { json?: boolean }) => {
        const account = (await command(config, 'admin_operator', { email, operator: is })) as { email: string };
        process.stdout.write(flags.json ? `${JSON.stringify(account)}\n` : `${account.email} ${outcome}.\n`);
      });
  }
  const { target, close } = operationTarget(config);
  for (const one of opCommands(ops, target, exit)) cli.addCommand(one);
  return { cli, close };
}

/** What went wrong, on standard error, and the exit code it means. */
function report(error: unknown): number {
  if (error instanceof ConfigError) {
    process.stderr.write(`error: ${error.message}\n`);
    return 2;
  }
  if (error instanceof ProblemError) {
    process.stderr.write(`error: ${error.code}: ${error.message}\n${PROBLEMS[error.code].remedy}\n`);
    return PROBLEMS[error.code].exit;
  }
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: ${message}\n`);
  return 1;
}

async function main(): Promise<void> {
  // A reader that has seen enough (head) closes the pipe: that is no failure of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  let close = async () => {};
  try {
    const built = program(loadConfig(), (code) => {
      process.exitCode = code;
    });
    close = built.close;
    await built.cli.parseAsync(negativeIds(process.argv));
  } catch (error) {
    process.exitCode = report(error);
  } finally {
    await close();
  }
}

/** `-62422` is a boundary id and not a flag: it is written so that the parser takes it as a value. */
function negativeIds(argv: readonly string[]): string[] {
  return argv.map((argument) => (/^-\d+$/.test(argument) ? `r${argument.slice(1)}` : argument));
}

await main();

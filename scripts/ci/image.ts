/**
 * Follows the Dockerfile without a Docker engine: the build context, RUN, COPY, HEALTHCHECK and CMD, in folders below
 * FOLDER. Then starts the program as the image would, and waits until it is healthy and ready.
 *
 *   npm run ci:image [-- FOLDER]
 *
 * FOLDER/build keeps what the first stage built (dist, with the prepared databases).
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Dockerfile, parseContext, parseDockerfile } from './dockerfile.ts';

const READY_MS = 300_000;

/**
 * Builds the image's folders: `build` (its first stage) and `app` (its second).
 * @throws Error when a line of the Dockerfile fails
 */
function buildImage(dockerfile: Dockerfile, context: readonly string[], folder: string): void {
  const [build, app] = [join(folder, 'build'), join(folder, 'app')];
  for (const path of [build, app]) mkdirSync(path, { recursive: true });
  for (const name of context) cpSync(name, join(build, name), { recursive: true });
  for (const line of dockerfile.build) {
    const { status } = spawnSync('bash', ['-euo', 'pipefail', '-c', line], { cwd: build, stdio: 'inherit' });
    if (status !== 0) throw new Error(`RUN ${line}: status ${status}`);
  }
  for (const { from, to } of dockerfile.copies) {
    for (const source of from) {
      const target = to.endsWith('/') ? join(app, to, basename(source)) : join(app, to);
      cpSync(join(build, source), target, { recursive: true, verbatimSymlinks: true });
    }
  }
}

/**
 * Starts the image's command, waits for its health check and for /readyz, and stops it with SIGTERM.
 * @throws Error when it ends early, is not ready in five minutes, or does not stop with status 0
 */
async function startImage({ command, health }: Dockerfile, folder: string): Promise<void> {
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
  };
  const [program = '', ...words] = command;
  const server = spawn(program, words, { cwd: join(folder, 'app'), env, stdio: 'inherit' });
  const stop = () => server.kill('SIGKILL');
  process.once('exit', stop);
  const ended = new Promise<number | null>((done) => server.once('exit', done));
  const wait = async (what: string, isDone: () => Promise<boolean> | boolean) => {
    for (const deadline = Date.now() + READY_MS; !(await isDone()); await sleep(1_000)) {
      if (server.exitCode !== null) throw new Error(`the server ended with status ${server.exitCode}`);
      if (Date.now() > deadline) throw new Error(`not ${what} after ${READY_MS / 1000} s`);
    }
  };
  const [checker = '', ...check] = health;
  await wait('healthy', () => spawnSync(checker, check, { env, stdio: 'inherit' }).status === 0);
  // The server is alive before its seed data is loaded.
  await wait('ready', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
  server.kill('SIGTERM');
  const status = await ended;
  process.off('exit', stop);
  if (status !== 0) throw new Error(`stopped with status ${status}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** Follows the Dockerfile of the current folder, and starts what it makes. */
export async function followDockerfile(folder: string): Promise<void> {
  const dockerfile = parseDockerfile(readFileSync('Dockerfile', 'utf8'));
  const context = parseContext(readFileSync('.dockerignore', 'utf8'));
  const missing = context.filter((name) => !existsSync(name));
  if (missing.length > 0) throw new Error(`.dockerignore names ${missing.join(', ')}, which is not there`);
  buildImage(dockerfile, context, folder);
  await startImage(dockerfile, folder);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'boundary-image-'));
  await followDockerfile(folder);
  console.log(`The image is ready in ${folder}.`);
}

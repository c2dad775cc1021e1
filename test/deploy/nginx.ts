import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether nginx is installed. */
export const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** An nginx in front of a server. */
export interface Nginx {
  readonly origin: string;
  readonly pid: number;
  close(): Promise<void>;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

/** Replaces a text that must occur exactly once. */
function replaced(text: string, from: string, to: string): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`deploy/nginx.conf has "${from}" ${parts.length - 1} times`);
  return parts.join(to);
}

/** Starts nginx with deploy/nginx.conf, but other ports and another folder, in front of a server on a loopback port. */
export async function startNginx(upstreamPort: number): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'boundary-nginx-'));
  mkdirSync(join(folder, 'cache'));
  const port = await freePort();
  let site = readFileSync('deploy/nginx.conf', 'utf8');
  site = replaced(site, '    listen 80;\n', `    listen 127.0.0.1:${port};\n`);
  site = replaced(site, '    listen [::]:80;\n', '');
  site = replaced(site, 'server 127.0.0.1:8080;', `server 127.0.0.1:${upstreamPort};`);
  site = replaced(site, '/var/cache/nginx/boundary ', `${join(folder, 'cache')} `);
  writeFileSync(join(folder, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const main = [
    // Only this user can read the folder.
    process.getuid?.() === 0 ? 'user root;' : '',
    'daemon off;',
    'worker_processes 1;',
    `pid ${join(folder, 'pid')};`,
    `error_log ${join(folder, 'error.log')};`,
    'events {}',
    `http { access_log off; ${temporary.join(' ')} include ${join(folder, 'site.conf')}; }`,
  ];
  writeFileSync(join(folder, 'nginx.conf'), main.join('\n'));
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const origin = `http://127.0.0.1:${port}`;
  await answers(child, origin, () => readFileSync(join(folder, 'error.log'), 'utf8'));
  return {
    origin,
    pid: child.pid as number,
    async close() {
      const gone = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(child: ChildProcess, origin: string, log: () => string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${log()}`);
    if ((await fetch(`${origin}/metrics`).catch(() => null))?.status === 404) return;
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error(`nginx did not start: ${log()}`);
}

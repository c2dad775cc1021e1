import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Options, type Result, race, rival } from '../measure.ts';

const run = promisify(execFile);

/** Target for every command that calls a server or none: milliseconds from the key press to the end. */
const WANTED_MS = 300;

/**
 * Measures the start of the CLI as installed (compiled) against a process that does nothing. A server in this process
 * answers the operation immediately, so that the time is that of the CLI.
 */
export async function benchStartup(_data: string, options: Options): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'boundary-bench-'));
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('Content-Type', 'application/json').end('{"items":[]}'));
  });
  try {
    for (const name of ['package.json', 'node_modules', 'sql', 'data'])
      await symlink(resolve(name), join(folder, name));
    const compiler = resolve('node_modules/typescript/bin/tsc');
    const outDir = join(folder, 'dist');
    await run(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', outDir]);
    await run(process.execPath, ['--import', 'tsx', 'scripts/make_manifest.ts', outDir]);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const main = join(folder, 'dist', 'src', 'main.js');
    const env = { PATH: process.env.PATH, HOME: folder };
    const node = (...words: string[]) => run(process.execPath, words, { env, cwd: folder });
    const cases: Readonly<Record<string, string[]>> = {
      '--version': ['--version'],
      '--help': ['--help'],
      whoami: ['whoami', '--local'],
      'search-boundaries at a server': ['search-boundaries', 'x', '--url', url, '--json'],
    };
    const rows: Result[] = [];
    for (const [name, words] of Object.entries(cases)) {
      const { stdout } = await node(main, ...words);
      const nothing = rival({ name: 'node -e 0', work: () => node('-e', '0'), judge: () => stdout.length > 0 });
      const measured = await race(`boundary ${name}`, () => node(main, ...words), [nothing], options);
      rows.push(...measured.map((row) => ({ ...row, ...noteOf(row) })));
    }
    return rows;
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The ratio of the command's time to that of the bare process, which does not depend on the speed of the machine. */
function noteOf({ ours_ms, rival_ms }: Result): { note: string } {
  const ratio = rival_ms === null ? '?' : (ours_ms / rival_ms).toFixed(1);
  return { note: `${ratio} times node -e 0; wanted: under ${WANTED_MS} ms` };
}

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { type Machine, openMachine } from './program.ts';

/** script(1) of util-linux gives a command a terminal of its own. */
const hasScript = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') ?? false;

const LINK = /https?:\S+\/device\?code=[\w-]+/;

let server: BoundaryTestServer;
let machine: Machine;
let settings: Record<string, string>;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  machine = openMachine();
  settings = { BOUNDARY_BASE_URL: server.address, BOUNDARY_API_KEY: (await server.key()).key, TERM: 'xterm-256color' };
});
afterAll(async () => {
  machine?.remove();
  await server?.close();
});

/** What a terminal of 60 columns shows of a command line. */
const shown = (words: string, env: Record<string, string> = {}) =>
  machine.run([`script -qec "stty cols 60; $BOUNDARY ${words}" /dev/null`], {
    shell: true,
    env: { ...settings, ...env },
  });

describe.skipIf(!hasScript)('on a terminal (needs script of util-linux)', { timeout: 120_000 }, () => {
  test('an export of many shows how far it is, on one line', async () => {
    const { exit, out } = await shown('export --children-of r100 --format kml --out files');
    expect(exit).toBe(0);
    const count = readdirSync(machine.path('files')).filter((name) => name.endsWith('.kml')).length;
    expect(count).toBeGreaterThan(1);
    const steps = out.split('\r\x1b[K');
    expect(steps[1]).toBe(`[${' '.repeat(30)}] 0/${count}`);
    expect(steps.at(-2)).toBe(`[${'#'.repeat(30)}] ${count}/${count}`);
    expect(steps.at(-1)).toBe(`files: ${count} written\r\n`);
  });

  test('there are colors, unless NO_COLOR is set', async () => {
    expect((await shown('search-boundaries atlantis')).out).toContain('\x1b[1mid ');
    expect((await shown('get-boundary r999999')).out).toContain('\x1b[1;31merror:\x1b[0m not_found');
    for (const words of ['search-boundaries atlantis', 'get-boundary r999999']) {
      expect((await shown(words, { NO_COLOR: '1' })).out, words).not.toContain('\x1b');
    }
  });

  test('signing in opens the link in a browser, and with --no-browser or without a terminal only prints it', async () => {
    mkdirSync(machine.path('bin'));
    const opener = machine.path('bin', 'xdg-open');
    const opened = machine.path('opened');
    writeFileSync(opener, `#!/bin/sh\nprintf '%s\\n' "$1" >> ${opened}\n`);
    chmodSync(opener, 0o755);
    const env = { ...settings, PATH: `${machine.path('bin')}:${process.env.PATH}` };
    /** The link that it prints; `seen` is what is waited for before it is ended. */
    const login = async (words: string, terminal: boolean, seen: () => boolean = () => true): Promise<string> => {
      const line = `$BOUNDARY login ${server.address} ${words}`;
      const { child, ended } = machine.start([terminal ? `script -qec "${line}" /dev/null` : `exec ${line}`], {
        shell: true,
        env,
      });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (part: Buffer) => {
          text += part;
        });
      }
      await expect.poll(() => text, { timeout: 60_000 }).toMatch(LINK);
      await expect.poll(seen, { timeout: 60_000 }).toBe(true);
      child.kill();
      await ended;
      return (LINK.exec(text) as RegExpExecArray)[0];
    };
    await login('--no-browser', true);
    await login('', false);
    expect(existsSync(opened)).toBe(false);
    const link = await login('', true, () => existsSync(opened));
    expect(readFileSync(opened, 'utf8')).toBe(`${link}\n`);
  });
});

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStorage } from '../../src/adapters/open_storage.ts';
import { privateFolder } from '../../src/common/private_folder.ts';
import { builtMain } from '../setup/built.ts';
import { copyTemplate } from '../setup/embedded.ts';

const MAIN = await builtMain();

/** The user that everybody's services run as when they have none of their own. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'boundary-modes-'));
  // Others may come as far as the data directory: what stops them is its own mode.
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The program on an embedded database, started by a person whose umask lets everybody read. */
function run(dataDir: string, words: readonly string[]) {
  const program = [process.execPath, MAIN, ...words].map((word) => `'${word}'`).join(' ');
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `umask 022; exec ${program}`], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    encoding: 'utf8',
  });
  return { exit: status, out: stdout, err: stderr };
}

/** Everything below a folder, itself included, that group or others may read, write or enter. */
function open(root: string): string[] {
  const all = [root, ...readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name))];
  return all.filter((path) => (statSync(path).mode & 0o077) !== 0);
}

/** Lets everybody read everything below a folder, as the program did before. */
function openAll(root: string): void {
  for (const name of ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })]) {
    const path = join(root, name);
    chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
  }
}

/** What the user without rights gets of a shell command. */
const asNobody = (command: string) =>
  spawnSync('sh', ['-c', command], { uid: NOBODY, gid: NOBODY, encoding: 'utf8', cwd: '/' });

test('no file of a new data directory is for others', { timeout: 120_000 }, () => {
  const dataDir = join(folder, 'new');
  const made = run(dataDir, ['key', 'create', '--email', 'ann@example.org']);
  expect(made.exit, made.err).toBe(0);
  expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['exports', 'library', 'lock', 'pg']));
  expect(open(dataDir)).toEqual([]);
});

test('what a person names has the mode their umask gives it', () => {
  const [input, output] = [join(folder, 'in.geojson'), join(folder, 'out.kml')];
  writeFileSync(
    input,
    JSON.stringify({
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    }),
  );
  const { exit, err } = run(join(folder, 'unused'), ['convert', input, output]);
  expect(exit, err).toBe(0);
  expect(statSync(output).mode & 0o777).toBe(0o644);
});

test('a folder that users share, and a folder of another user, are refused in one line', {
  timeout: 60_000,
}, async () => {
  const shared = join(folder, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  const { exit, err } = run(shared, ['migrate']);
  expect(exit).toBe(2);
  expect(err).toMatch(/^error: DATA_DIR \S+ is a folder shared by users: choose a folder inside it\n$/);
  expect(statSync(shared).mode & 0o7777).toBe(0o1777);
  expect(readdirSync(shared)).toEqual([]);
  // The root folder belongs to root: to anybody else it is another user's.
  if (!isRoot) await expect(privateFolder('/', 'DATA_DIR')).rejects.toThrow(/belongs to uid 0/);
});

test('storage that is named by its own address is closed as well', async () => {
  const root = join(folder, 'storage');
  mkdirSync(join(root, 'library'), { recursive: true });
  chmodSync(join(root, 'library'), 0o755);
  const storage = await openStorage(`file://${root}`, folder, 'library');
  await storage.put(`${'ab'.repeat(32)}.kml`, Buffer.from('x'));
  expect(open(join(root, 'library'))).toEqual([]);
});

describe('seen by another user', () => {
  // Only root can become someone else. Elsewhere the proof is missing, and a gate must not pass without it.
  if (!isRoot) {
    test('needs root', (context) => {
      if (process.env.CI) throw new Error('run this as root: that another user reads nothing was not proved');
      console.warn(
        'NOT PROVED: that another user reads nothing of DATA_DIR. Run test/security/file_modes.test.ts as root.',
      );
      context.skip('needs root');
    });
    return;
  }

  test('a data directory that everybody could read is closed at the next start', { timeout: 120_000 }, async () => {
    const dataDir = join(folder, 'old');
    await copyTemplate(dataDir);
    for (const name of ['mail', 'library', 'exports']) mkdirSync(join(dataDir, name));
    writeFileSync(join(dataDir, 'mail', 'mail_1.eml'), 'https://maps.example/sign-in/confirm?token=secret');
    openAll(dataDir);
    const look = `cat ${dataDir}/mail/mail_1.eml; ls ${dataDir} ${dataDir}/pg; cat ${dataDir}/pg/PG_VERSION`;
    // The attack works before: so the test can fail.
    expect(asNobody(look).stdout).toContain('token=secret');

    const { exit, err } = run(dataDir, ['migrate']);
    expect(exit, err).toBe(0);
    for (const name of ['', 'pg', 'library', 'exports']) {
      expect(statSync(join(dataDir, name)).mode & 0o777, name).toBe(0o700);
    }
    const seen = asNobody(look);
    expect(seen.stdout).toBe('');
    expect(seen.stderr.match(/Permission denied/g)?.length).toBe(4);
  });

  test('a data directory of another user is refused in one line and left as it is', () => {
    const dataDir = join(folder, 'theirs');
    expect(asNobody(`mkdir ${dataDir}`).status).not.toBe(0);
    mkdirSync(dataDir, { mode: 0o755 });
    spawnSync('chown', [`${NOBODY}`, dataDir]);
    const { exit, err } = run(dataDir, ['migrate']);
    expect(exit).toBe(2);
    expect(err).toBe(
      `error: DATA_DIR ${dataDir} belongs to uid ${NOBODY}, and this process runs as uid 0: run it as ${NOBODY}\n`,
    );
    expect(readdirSync(dataDir)).toEqual([]);
    expect(statSync(dataDir).mode & 0o777).toBe(0o755);
  });
});

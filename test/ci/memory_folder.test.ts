import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeMemoryFolder } from '../../scripts/ci/memory_folder.ts';

const parent = mkdtempSync(join(tmpdir(), 'boundary-memory-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

test('a folder for temporary files is for all users, and those of processes that were killed are removed', () => {
  const [left, own, other] = ['boundary-gate-999999999-x', `boundary-gate-${process.pid}-x`, 'else'];
  for (const name of [left, own, other]) mkdirSync(join(parent, name));
  const folder = makeMemoryFolder(parent, 0);
  if (folder === null) throw new Error('no folder');
  expect(dirname(folder)).toBe(parent);
  expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  expect(readdirSync(folder)).toEqual([]);
  expect([left, own, other].map((name) => existsSync(join(parent, name)))).toEqual([false, true, true]);
});

test('there is none without room, or without the file system', () => {
  const before = readdirSync(parent);
  expect(makeMemoryFolder(parent, Number.MAX_SAFE_INTEGER)).toBeNull();
  expect(readdirSync(parent)).toEqual(before);
  expect(makeMemoryFolder(join(parent, 'nowhere'), 0)).toBeNull();
});

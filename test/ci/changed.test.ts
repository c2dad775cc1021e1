import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changedTests } from '../setup/changed.ts';

let root: string;
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], { cwd: root, stdio: 'pipe' });
const write = (path: string, text: string) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};
const commit = (path: string, text: string) => {
  write(path, text);
  git('add', '-A');
  git('commit', '-qm', path);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'boundary-changed-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('the test files of a branch that differ from where it began: committed, changed and new ones', () => {
  git('init', '-q', '-b', 'main');
  for (const name of ['a', 'b', 'c']) commit(`test/sub/${name}.test.ts`, 'one');
  expect(changedTests(root)).toEqual([]);
  git('checkout', '-q', '-b', 'branch');
  commit('test/sub/a.test.ts', 'two');
  commit('test/setup/helper.ts', 'no test');
  commit('src/x.test.ts', 'not in test');
  write('test/sub/b.test.ts', 'two');
  write('test/sub/d \u00e9.test.ts', 'new');
  const changed = ['test/sub/a.test.ts', 'test/sub/b.test.ts', 'test/sub/d \u00e9.test.ts'];
  expect(changedTests(root)).toEqual(changed);
  // What lands elsewhere meanwhile is no change of this branch.
  git('add', '-A');
  git('commit', '-qm', 'b and d');
  git('checkout', '-q', 'main');
  commit('test/sub/c.test.ts', 'two');
  git('checkout', '-q', 'branch');
  expect(changedTests(root)).toEqual(changed);
});

test('the main branch of the origin counts where there is one', () => {
  git('init', '-q', '-b', 'main');
  commit('test/a.test.ts', 'one');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  commit('test/b.test.ts', 'one');
  expect(changedTests(root)).toEqual(['test/b.test.ts']);
});

test('none where git does not know', () => {
  expect(changedTests(root)).toEqual([]);
  git('init', '-q', '-b', 'other');
  expect(changedTests(root)).toEqual([]);
  commit('test/a.test.ts', 'one');
  expect(changedTests(root)).toEqual([]);
});
